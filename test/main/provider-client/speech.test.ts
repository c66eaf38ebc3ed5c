import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { AppError } from '../../../src/main/errors.ts'
import { apiSetup, eventStream, failureOf } from './support.ts'
import type { ApiSetup } from './support.ts'

const wav = Buffer.concat([Buffer.from('RIFF\x24\0\0\0WAVEfmt '), Buffer.alloc(2000, 7)])
const say = { input: 'Hello.', voice: 'tongtong' }

/** Creates a bench and a folder for its output. */
async function speechSetup(
  tuning?: Parameters<typeof apiSetup>[0],
): Promise<ApiSetup & { to: string; left: () => string[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-speech-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const made = await apiSetup(tuning)
  return { ...made, to: join(folder, 'said'), left: () => readdirSync(folder) }
}

const chunk = (content: string, more: object = {}): object => ({
  created: 1,
  request_id: 'told',
  choices: [{ index: 0, delta: { role: 'assistant', content, ...more }, finish_reason: null }],
})
const last = { created: 1, choices: [{ index: 0, finish_reason: 'stop' }] }
const encoded = (bytes: Uint8Array, encoding: 'base64' | 'hex' = 'base64'): string =>
  Buffer.from(bytes).toString(encoding)

test('builds the exact request, with only specified fields', async () => {
  const { api, server, target, to } = await speechSetup()
  server.queue({ body: wav }, { body: 'pcm!' }, { body: eventStream([chunk('AQI='), last]) })
  await api.speech.create(target(), { ...say, to }, { requestId: 'request-1' })
  await api.speech.create(
    target({ modelPrefix: 'gen-' }),
    { ...say, speed: 0.5, volume: 10, format: 'pcm', watermark: false, to },
    { requestId: 'request-2' },
  )
  await api.speech.stream(target(), { ...say, to }, { requestId: 'request-3' })
  expect(server.requests.map(({ method, url }) => `${method} ${url}`)).toEqual(
    Array(3).fill('POST /api/paas/v4/audio/speech'),
  )
  expect(server.requests.map(({ headers }) => headers['accept'])).toEqual([
    '*/*',
    '*/*',
    'text/event-stream',
  ])
  expect(server.requests.map(({ body }) => JSON.parse(String(body)))).toEqual([
    { model: 'glm-tts', ...say, response_format: 'wav', request_id: 'request-1' },
    {
      model: 'gen-tts',
      ...say,
      speed: 0.5,
      volume: 10,
      response_format: 'pcm',
      watermark_enabled: false,
      request_id: 'request-2',
    },
    { model: 'glm-tts', ...say, response_format: 'pcm', stream: true, request_id: 'request-3' },
  ])
})

test('writes complete audio of any content type, with the information of its headers', async () => {
  const { api, server, target, to, left, calls } = await speechSetup()
  server.queue({
    body: wav,
    splitAt: [1, 5, 700],
    headers: {
      'content-type': 'application/json',
      'x-engine': 'an engine',
      'x-notice': 'a notice',
    },
  })
  const answer = await api.speech.create(target(), { ...say, to }, { requestId: 'request-1' })
  expect(answer).toMatchObject({
    value: { bytes: wav.length, format: 'wav', sampleRate: null },
    requestId: 'request-1',
    engine: 'an engine',
    notice: 'a notice',
    raw: { status: 200, contentType: 'application/json' },
  })
  expect(readFileSync(to).equals(wav)).toBe(true)
  expect(left()).toEqual(['said'])
  expect(calls).toMatchObject([{ operation: 'speech.create', model: 'glm-tts', outcome: 'ok' }])
})

test('reads a UTF-8 notice whose last byte is a no-break space in Latin-1', async () => {
  const { api, target, to } = await speechSetup()
  const notice = Buffer.from('\u{a0}已上传').toString('latin1')
  // Not the scripted server: headers that are flushed before the body are not sent in Latin-1.
  const server = createServer((_, response) =>
    response.writeHead(200, { 'x-notice': `  ${notice} `, 'x-engine': ' ' }).end(wav),
  )
  onTestFinished(() => void server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const there = target({}, { baseUrl: `http://127.0.0.1:${port}/api` })
  const answer = await api.speech.create(there, { ...say, to }, {})
  expect(answer).toMatchObject({ notice: '\u{a0}已上传', engine: null })
})

test('accepts PCM that happens to begin like JSON as audio', async () => {
  const { api, server, target, to } = await speechSetup()
  const pcm = Buffer.from('{"\x01\x02 [] no json')
  server.queue({ body: pcm })
  const answer = await api.speech.create(target(), { ...say, format: 'pcm', to }, {})
  expect(answer.value).toEqual({ bytes: pcm.length, format: 'pcm', sampleRate: 24_000 })
  expect(readFileSync(to).equals(pcm)).toBe(true)
})

test.each([
  ['an error body', '{"error":{"code":"1214","message":"voice"}}', 'INVALID_INPUT'],
  ['only a message', '{"message":"busy"}', 'SERVICE_FAILED'],
  ['unknown JSON', '{"voice":"x"}', 'MALFORMED_REPLY'],
  ['a web page', '<html><title>Gateway</title></html>', 'MALFORMED_REPLY'],
  ['an event stream', 'data: {"a":1}\n\n', 'MALFORMED_REPLY'],
  ['nothing', '', 'MALFORMED_REPLY'],
])('treats a success that contains %s as a failure and leaves no file', async (_, body, code) => {
  const { api, server, target, to, left } = await speechSetup()
  server.always({ body, headers: { 'content-type': 'audio/wav' } })
  for (const format of ['wav', 'pcm'] as const)
    expect(await failureOf(api.speech.create(target(), { ...say, format, to }, {}))).toMatchObject({
      code,
    })
  expect(left()).toEqual([])
})

test('treats an invalid WAV as malformed', async () => {
  const { api, server, target, to, left } = await speechSetup()
  server.queue({ body: 'ID3 and so on' })
  expect(await failureOf(api.speech.create(target(), { ...say, to }, {}))).toMatchObject({
    code: 'MALFORMED_REPLY',
    params: { reason: 'not-wav' },
  })
  expect(left()).toEqual([])
})

test('removes and retries plain audio that breaks off', async () => {
  const { api, server, target, to, left } = await speechSetup()
  server.queue({ body: wav, contentLength: wav.length, cutAfter: 500 }, { body: wav })
  const answer = await api.speech.create(target(), { ...say, to }, {})
  expect(answer.value.bytes).toBe(wav.length)
  expect(left()).toEqual(['said'])
})

test.each(['base64', 'hex'] as const)('decodes a stream in %s on arrival', async (encoding) => {
  const { api, server, target, to, left } = await speechSetup()
  const silence = Buffer.alloc(96)
  const audio = Buffer.from(Array.from({ length: 301 }, (_, i) => (i * 37) % 256))
  const end = Buffer.from([1, 2, 3])
  server.queue({
    body: eventStream([
      chunk(encoded(silence, encoding), { return_sample_rate: '16000' }),
      chunk(encoded(audio, encoding)),
      { choices: [{ index: 0, delta: { role: 'assistant' } }] },
      chunk(encoded(end, encoding)),
      { ...last, engine: 'an engine', notice: 'a notice', usage: { total_tokens: 5 } },
    ]),
  })
  const chunkSizes: [number, number][] = []
  const chunks: Uint8Array[] = []
  const answer = await api.speech.stream(
    target(),
    { ...say, to },
    {
      onAudio(pcm, rate) {
        chunkSizes.push([pcm.length, rate])
        chunks.push(Uint8Array.from(pcm))
      },
    },
  )
  const all = Buffer.concat([silence, audio, end])
  expect(answer).toMatchObject({
    value: { bytes: 400, format: 'pcm', sampleRate: 16_000 },
    requestId: 'told',
    engine: 'an engine',
    notice: 'a notice',
    usage: { totalTokens: 5 },
  })
  // Whole samples: the odd byte of a chunk is delivered with the next.
  expect(chunkSizes).toEqual([
    [96, 16_000],
    [300, 16_000],
    [4, 16_000],
  ])
  expect(Buffer.concat(chunks).equals(all)).toBe(true)
  expect(readFileSync(to).equals(all)).toBe(true)
  expect(left()).toEqual(['said'])
})

test('accepts a stream that reported its end without [DONE], and single choices', async () => {
  const { api, server, target, to } = await speechSetup()
  const one = { choices: { delta: { content: 'AQID' } } }
  const two = { choices: { delta: { content: 'BA==' } } }
  const body = [one, two, last].map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
  server.queue({ body })
  const answer = await api.speech.stream(target(), { ...say, to }, {})
  expect(answer.value).toEqual({ bytes: 4, format: 'pcm', sampleRate: 24_000 })
  expect([...readFileSync(to)]).toEqual([1, 2, 3, 4])
})

const cutParts = (error: AppError): unknown => error.params?.['part']
/** Returns a pattern of a part file next to `to`, under its own name. */
const partOf = (to: string): RegExp =>
  new RegExp(`^${to.replaceAll('\\', '\\\\')}\\.[0-9a-f]{12}\\.part$`)

test('keeps the audio of a broken stream in a part file and reports it', async () => {
  const { api, server, target, to, left } = await speechSetup()
  const firstEvent = `data: ${JSON.stringify(chunk('AQIDBA=='))}\n\n`
  // The audio arrives before the connection breaks: without received audio, the request would be retried.
  server.queue({
    body: `${firstEvent}data: {"cho`,
    splitAt: [firstEvent.length],
    betweenMs: 100,
    cutAfter: 9999,
  })
  const error = await failureOf(api.speech.stream(target(), { ...say, to }, {}))
  expect(error).toMatchObject({ code: 'STREAM_CUT', retriable: true, params: { bytes: 4 } })
  expect(cutParts(error)).toMatch(partOf(to))
  expect([...readFileSync(String(cutParts(error)))]).toEqual([1, 2, 3, 4])
  expect(left()).toEqual([basename(String(cutParts(error)))])
  expect(server.requests).toHaveLength(1)
})

test('keeps the audio of a stream that ends early, goes silent or is stopped', async () => {
  const { api, server, target, to } = await speechSetup({
    tuning: { longCall: { replyMs: 300, idleMs: 300 } },
  })
  const body = `data: ${JSON.stringify(chunk('AQIDBA=='))}\n\n`
  server.queue({ body }, { body, hang: true }, { body, hang: true })
  const stop = new AbortController()
  const codes: string[] = []
  for (const options of [{}, {}, { signal: stop.signal, onAudio: () => stop.abort() }]) {
    const error = await failureOf(api.speech.stream(target(), { ...say, to }, options))
    codes.push(error.code)
    expect(cutParts(error)).toMatch(partOf(to))
    expect(existsSync(to)).toBe(false)
  }
  expect(codes).toEqual(['STREAM_CUT', 'STREAM_CUT', 'CANCELLED'])
  expect(server.requests).toHaveLength(3)
})

test.each([
  ['an error chunk', { error: { code: '1301', message: 'unsafe' } }, 'CONTENT_BLOCKED'],
  ['an abnormal finish reason', { choices: [{ finish_reason: 'sensitive' }] }, 'CONTENT_BLOCKED'],
  ['a finish reason of failure', { choices: [{ finish_reason: 'network_error' }] }, 'SERVER_ERROR'],
])('treats %s in a stream as a failure and keeps the audio before it', async (_, event, code) => {
  const { api, server, target, to, left } = await speechSetup()
  server.queue({ body: eventStream([chunk('AQIDBA=='), event]) })
  const error = await failureOf(api.speech.stream(target(), { ...say, to }, {}))
  expect(error.code).toBe(code)
  expect(cutParts(error)).toMatch(partOf(to))
  expect(left()).toEqual([basename(String(cutParts(error)))])
})

test('leaves no file on a failure before any audio, and retries a transient one', async () => {
  const { api, server, target, to, left } = await speechSetup()
  server.queue(
    { body: '{"error":{"code":"1305","message":"busy"}}' },
    { body: eventStream([{ error: { code: '1305', message: 'busy' } }]) },
    { body: eventStream([chunk('AQI='), last]) },
    { body: '{"error":{"code":"1214","message":"voice"}}' },
    { body: '{"id":"x"}' },
    { body: eventStream([last]) },
    { body: eventStream([chunk('!!!'), last]) },
  )
  const stream = async (): Promise<unknown> => api.speech.stream(target(), { ...say, to }, {})
  expect(await stream()).toMatchObject({ value: { bytes: 2 } })
  expect(server.requests).toHaveLength(3)
  rmSync(to)
  expect(await failureOf(stream())).toMatchObject({ code: 'INVALID_INPUT' })
  expect(await failureOf(stream())).toMatchObject({ params: { reason: 'json' } })
  expect(await failureOf(stream())).toMatchObject({ params: { reason: 'no-sound' } })
  expect(await failureOf(stream())).toMatchObject({ params: { reason: 'audio-encoding' } })
  expect(left()).toEqual([])
})

test('accepts each limit and rejects one more', async () => {
  const { api, server, target, to } = await speechSetup()
  server.always({ body: wav })
  const create = async (more: object): Promise<unknown> =>
    api.speech.create(target(), { ...say, to, ...more }, {})
  await create({ input: 'x'.repeat(1024), speed: 0.5, volume: 0.01 })
  await create({ speed: 2, volume: 10 })
  const refused: [object, object][] = [
    [{ input: 'x'.repeat(1025) }, { what: 'input', limit: 1024, value: 1025 }],
    [{ input: '' }, { what: 'input', limit: 1, value: 0 }],
    [{ voice: '' }, { what: 'voice', limit: 1, value: 0 }],
    [{ speed: 0.49 }, { what: 'speed', limit: 0.5, value: 0.49 }],
    [{ speed: 2.01 }, { what: 'speed', limit: 2, value: 2.01 }],
    [{ volume: 10.5 }, { what: 'volume', limit: 10, value: 10.5 }],
    [{ volume: -1 }, { what: 'volume', limit: 0, value: -1 }],
  ]
  for (const [more, params] of refused)
    expect(await failureOf(create(more))).toMatchObject({ code: 'LIMIT_EXCEEDED', params })
  expect(await failureOf(create({ volume: 0 }))).toMatchObject({
    code: 'INVALID_INPUT',
    params: { what: 'volume' },
  })
  expect(
    await failureOf(api.speech.stream(target(), { ...say, to, format: 'wav' }, {})),
  ).toMatchObject({ code: 'INVALID_INPUT', params: { what: 'response_format' } })
  expect(server.requests).toHaveLength(2)
})

test('reports a missing folder', async () => {
  const { api, server, target, to } = await speechSetup()
  server.always({ body: wav })
  expect(
    await failureOf(api.speech.create(target(), { ...say, to: `${to}/none/said` }, {})),
  ).toMatchObject({ code: 'FILE_MISSING' })
})

test('aborts endless audio and leaves no file', async () => {
  const { api, server, target, to, left } = await speechSetup()
  server.always({ body: Buffer.concat([wav, Buffer.alloc(6 * 1024 ** 2)]) })
  const error = await failureOf(api.speech.create(target(), { ...say, to }, {}))
  expect([error.code, error.params?.['reason'], left()]).toEqual([
    'MALFORMED_REPLY',
    'too-large',
    [],
  ])
})
