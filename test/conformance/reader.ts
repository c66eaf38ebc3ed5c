import type { RecordedRequest } from '../fixtures/scripted-server.ts'
import { fieldProblems, problemsOf } from './rules.ts'
import type { Wire } from './spec.ts'

/** Part of a form, as received. */
export interface Part {
  readonly name: string
  readonly filename: string | null
  readonly type: string | null
  readonly bytes: Buffer
}

/** Request parsed only by the tables: its content and its problems. */
export interface ParsedRequest {
  readonly json: unknown
  readonly parts: readonly Part[]
  readonly query: Readonly<Record<string, string>>
  readonly problems: readonly string[]
}

/** Headers that any call may have. */
const commonHeaders = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'authorization',
  'connection',
  'content-length',
  'content-type',
  'host',
  'user-agent',
  'transfer-encoding',
])

/** Validates a request by its table: method, path, query, headers, body. `base` is the path of the base URL. */
export function readRequest(
  request: RecordedRequest,
  wire: Wire,
  base: string,
  key: string,
): ParsedRequest {
  const problems: string[] = []
  const url = new URL(request.url, 'http://service')
  if (request.method !== wire.method) problems.push(`method ${request.method}`)
  if (!pathFits(url.pathname, base + wire.path)) problems.push(`path ${url.pathname}`)
  const query = Object.fromEntries(url.searchParams)
  problems.push(
    ...fieldProblems(query, wire.query ?? {}, 'query'),
    ...headerProblems(request, wire, key),
  )

  const type = String(request.headers['content-type'] ?? '')
  if (wire.json) {
    if (type !== 'application/json') problems.push(`content type ${type}`)
    const json = parsed(request.body)
    problems.push(...problemsOf(json, { is: 'object', fields: wire.json }, 'body'))
    return { json, parts: [], query, problems }
  }
  if (wire.form) {
    const parts = formParts(request.body, type)
    problems.push(...formProblems(parts, wire.form))
    return { json: undefined, parts, query, problems }
  }
  if (request.body.length > 0) problems.push('a body where the spec has none')
  return { json: undefined, parts: [], query, problems }
}

function pathFits(path: string, pattern: string): boolean {
  const wanted = pattern.split('/')
  const given = path.split('/')
  return (
    wanted.length === given.length &&
    wanted.every((part, i) => (part.startsWith('{') ? given[i] !== '' : part === given[i]))
  )
}

function headerProblems(request: RecordedRequest, wire: Wire, key: string): readonly string[] {
  const problems: string[] = []
  if (request.headers['authorization'] !== `Bearer ${key}`)
    problems.push('authorization is not the bearer key')
  const length = request.headers['content-length']
  if (request.body.length > 0 && Number(length) !== request.body.length)
    problems.push(`content-length ${String(length)}`)
  if (wire.accept && !String(request.headers['accept']).includes(wire.accept))
    problems.push('accept names no event stream')
  const allowed = new Set((wire.headers ?? []).map((name) => name.replace(/!$/, '')))
  for (const name of Object.keys(request.headers))
    if (!commonHeaders.has(name) && !allowed.has(name))
      problems.push(`header ${name} is not in the spec`)
  return problems
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    return undefined
  }
}

function formProblems(parts: readonly Part[], form: NonNullable<Wire['form']>): readonly string[] {
  const files = parts.filter((part) => part.filename !== null)
  const problems = files.flatMap((file) => [
    ...(file.name === form.file ? [] : [`file field ${file.name}`]),
    ...(form.types.includes(file.type ?? '') ? [] : [`file type ${String(file.type)}`]),
  ])
  if (files.length === 0) problems.push('no file')
  // A repeated name is a list: each value is validated separately.
  const texts = parts.filter((part) => part.filename === null)
  const names = new Set(texts.map((part) => part.name))
  for (const name of Object.keys(form.fields))
    if (name.endsWith('!') && !names.has(name.slice(0, -1)))
      problems.push(`form.${name.slice(0, -1)} is missing`)
  const optional = Object.fromEntries(
    Object.entries(form.fields).map(([name, rule]) => [name.replace(/!$/, ''), rule]),
  )
  for (const { name, bytes } of texts)
    problems.push(...fieldProblems({ [name]: bytes.toString('utf8') }, optional, 'form'))
  return problems
}

/** Returns the parts of a multipart body by RFC 7578, split at its boundary. */
export function formParts(body: Buffer, type: string): readonly Part[] {
  const boundary = /^multipart\/form-data; boundary=([\w'()+,./:=?-]{1,70})$/.exec(type)?.[1]
  if (boundary === undefined) return []
  const mark = Buffer.from(`--${boundary}`)
  const parts: Part[] = []
  let at = body.indexOf(mark)
  while (at >= 0) {
    const start = at + mark.length
    const next = body.indexOf(mark, start)
    if (next < 0) return body.subarray(start).toString() === '--\r\n' ? parts : []
    const block = body.subarray(start + 2, next - 2)
    const end = block.indexOf('\r\n\r\n')
    const head = block.subarray(0, end).toString('utf8')
    parts.push({
      name: /;\s*name="([^"]*)"/i.exec(head)?.[1] ?? '',
      filename: /;\s*filename="([^"]*)"/i.exec(head)?.[1] ?? null,
      type: /^content-type:\s*(.+)$/im.exec(head)?.[1]?.trim() ?? null,
      bytes: block.subarray(end + 4),
    })
    at = next
  }
  return parts
}
