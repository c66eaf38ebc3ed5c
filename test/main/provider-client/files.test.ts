import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { FilePurpose } from '../../../src/main/provider-client/files.ts'
import { limitsWith } from '../../../src/shared/provider/limits.ts'
import { apiSetup, failureOf } from './support.ts'

const megabyte = 1024 * 1024
const stored = {
  id: 'file-1',
  object: 'file',
  bytes: 5,
  created_at: 1_780_000_000,
  filename: 'talk.wav',
  purpose: 'voice-clone-input',
}

const folder = (): string => {
  const path = mkdtempSync(join(tmpdir(), 'lectern-files-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

test('uploads a form of purpose and file, streamed from disk', async () => {
  const { api, server, target, file, calls } = await apiSetup()
  const body = JSON.stringify({ ...stored, status: 'processed', engine: 'files' })
  server.queue({ body })
  const answer = await api.files.upload(
    target(),
    { file: file(5, '/home/me/ta"lk.WAV'), purpose: 'voice-clone-input' },
    {},
  )
  const [sent] = server.requests
  const boundary = /boundary=(\S+)$/.exec(String(sent?.headers['content-type']))?.[1]
  expect(sent).toMatchObject({ method: 'POST', url: '/api/paas/v4/files' })
  expect(sent?.headers['content-length']).toBe(String(sent?.body.length))
  expect(sent?.body.toString()).toBe(
    `--${boundary}\r\nContent-Disposition: form-data; name="purpose"\r\n\r\nvoice-clone-input\r\n` +
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="ta%22lk.WAV"\r\n` +
      `Content-Type: audio/wav\r\n\r\nsound\r\n--${boundary}--\r\n`,
  )
  expect(answer).toMatchObject({
    value: {
      id: 'file-1',
      bytes: 5,
      createdAt: 1_780_000_000,
      filename: 'talk.wav',
      purpose: 'voice-clone-input',
      status: 'processed',
    },
    engine: 'files',
    raw: { status: 200, contentType: '', body },
  })
  expect(calls).toMatchObject([{ operation: 'files.upload', model: null, outcome: 'ok' }])
})

test('accepts an upload response with only an ID; treats one without an ID as malformed', async () => {
  const { api, server, target, file } = await apiSetup()
  server.queue({ body: '{"id":12}' }, { body: '{"object":"file"}' })
  const request = { file: file(5), purpose: 'assistant' as const }
  const answer = await api.files.upload(target(), request, {})
  expect(answer.value).toEqual({
    id: '12',
    bytes: 5,
    createdAt: null,
    filename: 'talk.wav',
    purpose: 'assistant',
    status: null,
  })
  expect(await failureOf(api.files.upload(target(), request, {}))).toMatchObject({
    code: 'MALFORMED_REPLY',
    params: { reason: 'no-file-id' },
  })
})

test('retries an upload only if it was never sent', async () => {
  const { api, server, target, file, calls } = await apiSetup()
  const request = { file: file(5), purpose: 'voice-clone-input' as const }
  server.queue(
    { status: 500 },
    { dropped: true },
    { body: '{"error":{"code":"1234","message":"x"}}' },
  )
  const codes: string[] = []
  for (let i = 0; i < 3; i++)
    codes.push((await failureOf(api.files.upload(target(), request, {}))).code)
  expect(codes).toEqual(['SERVER_ERROR', 'OFFLINE', 'SERVER_ERROR'])
  expect(server.requests).toHaveLength(3)
  const unreachable = target({}, { baseUrl: 'http://127.0.0.1:1' })
  await failureOf(api.files.upload(unreachable, request, {}))
  expect(calls.slice(3).map(({ attempt }) => attempt)).toEqual([1, 2])
})

test.each<[FilePurpose, string, number]>([
  ['batch', 'a.jsonl', 100 * megabyte],
  ['agent', 'a.docx', 20 * megabyte],
  ['code-interpreter', 'a.CSV', 20 * megabyte],
  ['agent', 'a.png', 5 * megabyte],
  ['code-interpreter', 'a.jpeg', 5 * megabyte],
  ['voice-clone-input', 'a.mp3', 10 * megabyte],
  ['file-extract', 'a.anything', 100 * megabyte],
])('%s accepts %s up to its size limit', async (purpose, name, maxBytes) => {
  const { api, server, target, file } = await apiSetup()
  server.always({ body: '{"id":"f"}' })
  const real = file(5, name)
  const upload = async (bytes: number): Promise<unknown> =>
    api.files.upload(target(), { file: { ...real, bytes }, purpose }, {})
  // The limit accepts it; only then is the file inspected, which is smaller than specified.
  expect(await failureOf(upload(maxBytes))).toMatchObject({ code: 'DAMAGED_FILE' })
  expect(await failureOf(upload(maxBytes + 1))).toMatchObject({
    code: 'FILE_TOO_LARGE',
    params: { what: 'file', limit: maxBytes, value: maxBytes + 1, name },
  })
  expect(server.requests).toEqual([])
})

test('rejects unsupported extensions of a purpose, and empty files, before sending', async () => {
  const { api, server, target, file } = await apiSetup()
  const upload = async (name: string, purpose: FilePurpose, bytes = 5): Promise<unknown> =>
    api.files.upload(target(), { file: file(bytes, name), purpose }, {})
  for (const [name, purpose] of [
    ['a.json', 'batch'],
    ['a.ogg', 'voice-clone-input'],
    ['wav', 'voice-clone-input'],
    ['a.md', 'agent'],
  ] as const)
    expect(await failureOf(upload(name, purpose))).toMatchObject({
      code: 'UNSUPPORTED_FORMAT',
      params: { what: 'file', name },
    })
  expect(await failureOf(upload('a.wav', 'voice-clone-input', 0))).toMatchObject({
    code: 'EMPTY_FILE',
  })
  expect(server.requests).toEqual([])
})

test('lets a profile widen the limit of a sample', async () => {
  const { api, server, target, file } = await apiSetup()
  server.always({ body: '{"id":"f"}' })
  const wide = target({}, { limits: limitsWith({ 'voiceClone.bytes': 11 * megabyte }) })
  const request = { file: file(11 * megabyte), purpose: 'voice-clone-input' as const }
  await api.files.upload(wide, request, {})
  expect(await failureOf(api.files.upload(target(), request, {}))).toMatchObject({
    code: 'FILE_TOO_LARGE',
    params: { limit: 10 * megabyte, value: 11 * megabyte },
  })
})

test('lists files by purpose and page', async () => {
  const { api, server, target } = await apiSetup()
  server.queue(
    {
      body: JSON.stringify({
        object: 'list',
        data: [stored, { id: 'file-2' }, {}],
        has_more: true,
      }),
    },
    { body: JSON.stringify({ data: stored }) },
    { body: '{"object":"list"}' },
  )
  const list = async (more: object = {}) =>
    api.files.list(target(), { purpose: 'batch', ...more }, {})
  const answer = await list({ limit: 100, after: 'file 0' })
  expect(server.requests[0]).toMatchObject({
    method: 'GET',
    url: '/api/paas/v4/files?purpose=batch&limit=100&after=file+0',
  })
  expect(answer.value.hasMore).toBe(true)
  expect(answer.value.files).toEqual([
    {
      id: 'file-1',
      bytes: 5,
      createdAt: 1_780_000_000,
      filename: 'talk.wav',
      purpose: 'voice-clone-input',
      status: null,
    },
    { id: 'file-2', bytes: null, createdAt: null, filename: '', purpose: 'batch', status: null },
  ])
  expect((await list()).value).toMatchObject({ files: [{ id: 'file-1' }], hasMore: false })
  expect(server.requests[1]?.url).toBe('/api/paas/v4/files?purpose=batch')
  expect(await failureOf(list())).toMatchObject({ code: 'MALFORMED_REPLY' })
  for (const limit of [0, 101])
    expect(await failureOf(list({ limit }))).toMatchObject({
      code: 'LIMIT_EXCEEDED',
      params: { what: 'limit', value: limit },
    })
  expect(server.requests).toHaveLength(3)
})

test('deletes a file by its ID', async () => {
  const { api, server, target } = await apiSetup()
  server.queue(
    { status: 503 },
    { body: '{"id":"a","object":"file","deleted":true}' },
    { body: '{"deleted":false}' },
  )
  expect((await api.files.delete(target(), { id: 'a/b' }, {})).value).toEqual({ deleted: true })
  expect(server.requests[1]).toMatchObject({ method: 'DELETE', url: '/api/paas/v4/files/a%2Fb' })
  expect((await api.files.delete(target(), { id: 'a' }, {})).value).toEqual({ deleted: false })
  expect(await failureOf(api.files.delete(target(), { id: '..' }, {}))).toMatchObject({
    code: 'INVALID_INPUT',
    params: { what: 'file_id' },
  })
})

test('streams content to a file that exists only when complete', async () => {
  const { api, server, target } = await apiSetup()
  const place = folder()
  const to = join(place, 'got')
  const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, i) => i % 251))
  server.queue({ body: bytes, headers: { 'content-type': 'application/octet-stream' } })
  const answer = await api.files.content(target(), { id: 'f 1', to }, { requestId: 'request-1' })
  expect(server.requests[0]).toMatchObject({
    method: 'GET',
    url: '/api/paas/v4/files/f%201/content',
    headers: { accept: '*/*' },
  })
  expect(answer).toMatchObject({
    value: { bytes: 300_000, contentType: 'application/octet-stream' },
    requestId: 'request-1',
    raw: { status: 200, body: expect.stringContaining('300000') },
  })
  expect(readFileSync(to).equals(bytes)).toBe(true)
  expect(readdirSync(place)).toEqual(['got'])
})

test('removes and retries content that breaks off', async () => {
  const { api, server, target } = await apiSetup()
  const place = folder()
  const to = join(place, 'got')
  const body = 'x'.repeat(10_000)
  for (let i = 0; i < 4; i++) server.queue({ body, contentLength: body.length, cutAfter: 5000 })
  expect(await failureOf(api.files.content(target(), { id: 'f', to }, {}))).toMatchObject({
    code: 'STREAM_CUT',
  })
  expect(readdirSync(place)).toEqual([])
  expect(server.requests).toHaveLength(4)
})

test('rejects a failure envelope as content, but accepts JSON lines', async () => {
  const { api, server, target } = await apiSetup()
  const place = folder()
  const to = join(place, 'got')
  const line = '{"id":"l","custom_id":"1","error":{"code":"x","message":"of this line"}}'
  server.queue(
    { body: '{"error":{"code":"1214","message":"batch files only"}}' },
    { status: 404, body: '{"error":{"code":"1222","message":"x"}}' },
    { body: '' },
    { body: '<!DOCTYPE html><title>Sign in</title>', headers: { 'content-type': 'text/html' } },
    { body: line },
    { body: '{"text":"a file of JSON"}\n{"b":2}\n' },
  )
  const content = async () => api.files.content(target(), { id: 'f', to }, {})
  expect(await failureOf(content())).toMatchObject({
    code: 'INVALID_INPUT',
    service: { code: '1214', message: 'batch files only' },
  })
  expect(await failureOf(content())).toMatchObject({ code: 'NOT_IMPLEMENTED' })
  expect(await failureOf(content())).toMatchObject({ params: { reason: 'empty' } })
  expect(await failureOf(content())).toMatchObject({
    code: 'MALFORMED_REPLY',
    params: { reason: 'html' },
  })
  expect(readdirSync(place)).toEqual([])
  await content()
  expect(readFileSync(to, 'utf8')).toBe(line)
  expect((await content()).value.bytes).toBe(34)
})

test('leaves no file when a download is stopped', async () => {
  const { api, server, target } = await apiSetup()
  const place = folder()
  const stop = new AbortController()
  server.queue({ body: 'x'.repeat(1000), hang: true })
  const pending = failureOf(
    api.files.content(target(), { id: 'f', to: join(place, 'got') }, { signal: stop.signal }),
  )
  setTimeout(() => stop.abort(), 150)
  expect(await pending).toMatchObject({ code: 'CANCELLED' })
  expect(readdirSync(place)).toEqual([])
})
