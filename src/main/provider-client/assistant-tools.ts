import { isRecord, parseJson } from './json.ts'
import { textIn, type JsonRecord } from './lenient.ts'

/** A tool call and the ID that links its fragments, if the response has one. */
export interface IdentifiedCall {
  readonly id: string | null
  readonly call: AssistantToolCall
}

const kinds = ['web_browser', 'code_interpreter', 'drawing_tool', 'retrieval', 'function'] as const
type Kind = (typeof kinds)[number]

/**
 * Reads the tool calls of a delta or a message (service-notes 8). The key that is present determines the type, since `type`
 * may be missing; an array may be sent as a single object. Unknown types are emitted as received.
 */
export function readToolCalls(value: unknown): readonly IdentifiedCall[] {
  const opened = typeof value === 'string' ? (parseJson(value) ?? value) : value
  const list: readonly unknown[] = Array.isArray(opened) ? opened : [opened]
  return list.filter((one) => one !== null && one !== undefined && one !== '').map(readCall)
}

function readCall(value: unknown): IdentifiedCall {
  if (!isRecord(value)) return { id: null, call: { type: 'unknown', name: '', raw: value } }
  const id = textIn(value, 'id')
  const kind =
    kinds.find((one) => isRecord(value[one])) ?? kinds.find((one) => value['type'] === one)
  if (!kind) {
    const name = textIn(value, 'type') ?? Object.keys(value)[0] ?? ''
    return { id, call: { type: 'unknown', name, raw: value } }
  }
  const inner = value[kind]
  return { id, call: read[kind](isRecord(inner) ? inner : value) }
}

const words = (record: JsonRecord, ...names: readonly string[]): string => {
  for (const name of names) {
    const text = textIn(record, name)
    if (text !== null) return text
  }
  return ''
}

const read: Readonly<Record<Kind, (fields: JsonRecord) => AssistantToolCall>> = {
  web_browser: (fields) => ({
    type: 'web_browser',
    input: asText(fields['input']),
    outputs: outputs(fields, 'content').map((one) => ({
      title: words(one, 'title'),
      link: words(one, 'link', 'url'),
      content: words(one, 'content', 'text'),
      error: words(one, 'error_msg', 'error'),
    })),
  }),
  code_interpreter: (fields) => ({
    type: 'code_interpreter',
    input: asText(fields['input']),
    outputs: outputs(fields, 'logs').map((one) => ({
      logs: words(one, 'logs', 'content', 'text'),
      error: words(one, 'error_msg', 'error'),
    })),
  }),
  drawing_tool: (fields) => ({
    type: 'drawing_tool',
    input: asText(fields['input']),
    outputs: outputs(fields, 'image').map((one) => ({ image: words(one, 'image', 'url') })),
  }),
  retrieval: (fields) => ({
    type: 'retrieval',
    outputs: outputs(fields, 'text').map((one) => ({
      text: words(one, 'text', 'content'),
      document: words(one, 'document', 'title', 'name'),
      ...placeIn(one),
    })),
  }),
  function: (fields) => ({
    type: 'function',
    name: words(fields, 'name'),
    arguments: asText(fields['arguments']),
    outputs: outputs(fields, 'content').map((one) => ({
      content: asText(one['content'] ?? one['text']),
    })),
  }),
}

/** Where a passage is: This computer reports its page, or the moment of a meeting. */
function placeIn({ page, meeting_id, seconds }: JsonRecord): RetrievedPlace {
  return {
    ...(typeof page === 'number' && { page }),
    ...(typeof meeting_id === 'string' && { meeting_id }),
    ...(typeof seconds === 'number' && { seconds }),
  }
}

/** Returns the outputs as objects; plain text becomes an object with the text field. */
function outputs(fields: JsonRecord, main: string): readonly JsonRecord[] {
  const { outputs: value } = fields
  const list: readonly unknown[] = Array.isArray(value) ? value : [value]
  return list
    .map((one) => (typeof one === 'string' && one !== '' ? { [main]: one } : one))
    .filter(isRecord)
}

/** Returns text unchanged, objects and lists as JSON text, and '' for nothing. */
function asText(value: unknown): string {
  if (typeof value === 'string') return value
  return value === undefined || value === null ? '' : JSON.stringify(value)
}

interface RetrievedPlace {
  /** From 1. */
  readonly page?: number
  readonly meeting_id?: string
  readonly seconds?: number
}

/** A tool call of an assistant (service-notes 8) with its outputs. */
export type AssistantToolCall =
  | {
      readonly type: 'web_browser'
      readonly input: string
      readonly outputs: readonly {
        readonly title: string
        readonly link: string
        readonly content: string
        readonly error: string
      }[]
    }
  | {
      readonly type: 'code_interpreter'
      readonly input: string
      readonly outputs: readonly { readonly logs: string; readonly error: string }[]
    }
  | {
      readonly type: 'drawing_tool'
      readonly input: string
      readonly outputs: readonly { readonly image: string }[]
    }
  | {
      readonly type: 'retrieval'
      readonly outputs: readonly (RetrievedPlace & {
        readonly text: string
        readonly document: string
      })[]
    }
  | {
      readonly type: 'function'
      readonly name: string
      /** JSON text, whether received as object or text. */
      readonly arguments: string
      readonly outputs: readonly { readonly content: string }[]
    }
  | { readonly type: 'unknown'; readonly name: string; readonly raw: unknown }
