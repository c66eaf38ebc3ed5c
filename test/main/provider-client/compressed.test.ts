import {
  brotliCompressSync,
  constants,
  createGzip,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib'
import { expect, test } from 'vitest'
import type { AgentEvent, AgentRequest } from '../../../src/main/provider-client/agent-chat.ts'
import { StreamBroken } from '../../../src/main/provider-client/index.ts'
import { delta, eventStream, apiSetup, failureOf, forGood, openStream } from './support.ts'

const question: AgentRequest = {
  messages: [{ role: 'user', content: 'When does it end?' }],
  retrieval: { knowledgeIds: ['kb-1'] },
}
const events = [
  { type: 'session_created', sessionId: 's-1' },
  { type: 'answer', data: 'On the first ' },
  { type: 'answer', data: 'of March 三月' },
  { type: 'done', messageId: 'm-1' },
]
const ranking = JSON.stringify({ results: [{ index: 0, relevance_score: 0.5 }] })

const packers: readonly (readonly [string, (text: string) => Uint8Array])[] = [
  ['gzip', gzipSync],
  ['x-gzip', gzipSync],
  ['br', brotliCompressSync],
  ['deflate', deflateSync],
  // As some servers send it, without the zlib header.
  ['Deflate', deflateRawSync],
  ['zstd', zstdCompressSync],
  ['gzip, br', (text) => brotliCompressSync(gzipSync(text))],
  ['identity', (text) => Buffer.from(text)],
]

test.each(packers)(
  'decompresses a response in %s, without sending anything twice',
  async (coding, pack) => {
    const made = await apiSetup()
    const headers = { 'content-encoding': coding }
    made.server.queue(
      { headers, body: pack(ranking) },
      { headers, body: pack(openStream(events)) },
      { headers, body: pack(eventStream([delta('Hello '), delta('all')])) },
      { headers, body: pack(JSON.stringify({ text: 'Hello all' })) },
    )
    const { rerank, agentChat, transcriptions } = made.api
    const ranked = await rerank.create(made.target(), { query: 'q', documents: ['d'] }, {})
    expect(ranked.raw.body).toBe(ranking)
    const { value } = await agentChat.chat(made.target(), question, {})
    expect(value).toMatchObject({ answer: 'On the first of March 三月', complete: true })
    for (const stream of [true, false]) {
      const transcription = await transcriptions.create(made.target(), made.request({ stream }), {})
      expect(transcription.text).toBe('Hello all')
    }
    expect(made.server.requests).toHaveLength(4)
    expect(made.server.requests[0]?.headers['accept-encoding']).toBe('identity')
  },
)

test('emits the text of a compressed stream on arrival', async () => {
  const made = await apiSetup({ tuning: { longCall: { replyMs: forGood, idleMs: forGood } } })
  const gzip = createGzip({ flush: constants.Z_SYNC_FLUSH })
  const chunks: Buffer[] = []
  gzip.on('data', (chunk: Buffer) => chunks.push(chunk))
  await new Promise((resolve) => gzip.write(openStream(events.slice(0, 2)), resolve))
  made.server.queue({
    headers: { 'content-encoding': 'gzip' },
    body: Buffer.concat(chunks),
    hang: true,
  })
  const stop = new AbortController()
  const received = Promise.withResolvers<AgentEvent>()
  const pending = made.api.agentChat.chat(made.target(), question, {
    signal: stop.signal,
    onEvent: (event) => event.type === 'answer' && received.resolve(event),
  })
  expect(await received.promise).toEqual({ type: 'answer', text: 'On the first ' })
  stop.abort()
  expect(await failureOf(pending)).toMatchObject({
    code: 'CANCELLED',
    partial: { answer: 'On the first ' },
  })
})

test.each([
  ['is interrupted', true],
  ['is truncated', false],
])('keeps the received part of a compressed stream that %s', async (_, isCut) => {
  const made = await apiSetup()
  const body = gzipSync(openStream([...events.slice(0, 3), { noise: 'x'.repeat(9000) }]), {
    level: 0,
  }).subarray(0, 4000)
  made.server.queue({
    headers: { 'content-encoding': 'gzip' },
    body,
    ...(isCut && { cutAfter: body.length }),
  })
  const error = await failureOf(made.api.agentChat.chat(made.target(), question, {}))
  expect(error).toBeInstanceOf(StreamBroken)
  expect(error).toMatchObject({
    code: 'STREAM_CUT',
    retriable: true,
    partial: { answer: 'On the first of March 三月' },
  })
  expect(made.server.requests).toHaveLength(1)
})

test('retries after a compressed response that ends too early, where that is safe', async () => {
  const made = await apiSetup()
  const body = gzipSync(ranking)
  const headers = { 'content-encoding': 'gzip' }
  made.server.queue({ headers, body: body.subarray(0, -9) }, { headers, body })
  await made.api.rerank.create(made.target(), { query: 'q', documents: ['d'] }, {})
  expect(made.server.requests).toHaveLength(2)
})

test('aborts a response of some kilobytes that expands to hundreds of megabytes', async () => {
  const made = await apiSetup()
  const body = gzipSync(Buffer.alloc(200 * 1024 * 1024, ' '), { level: 9 })
  expect(body.length).toBeLessThan(300_000)
  made.server.queue(
    { headers: { 'content-encoding': 'gzip' }, body },
    { headers: { 'content-encoding': 'gzip, gzip' }, body: gzipSync(body) },
    { status: 500, headers: { 'content-encoding': 'gzip' }, body },
  )
  global.gc?.()
  const before = process.memoryUsage().rss
  const ask = () => made.api.rerank.create(made.target(), { query: 'q', documents: ['d'] }, {})
  for (let n = 0; n < 2; n++)
    expect(await failureOf(ask())).toMatchObject({
      code: 'MALFORMED_REPLY',
      params: { reason: 'too-large' },
    })
  expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024)
  expect(made.server.requests).toHaveLength(2)
})

test('reports a compressed failure by its code', async () => {
  const made = await apiSetup()
  made.server.queue({
    status: 400,
    headers: { 'content-encoding': 'br' },
    body: brotliCompressSync('{"error":{"code":"1211","message":"no such model"}}'),
  })
  const pending = made.api.rerank.create(made.target(), { query: 'q', documents: ['d'] }, {})
  expect(await failureOf(pending)).toMatchObject({
    code: 'MODEL_UNKNOWN',
    service: { message: 'no such model' },
  })
})

test.each([
  ['an unknown encoding', 'compress', Buffer.from('abc')],
  ['too many encodings', 'br, br, br, br', Buffer.from('abc')],
  ['data that is not in its declared encoding', 'deflate', Buffer.from('x'.repeat(100))],
])('reports %s as an unreadable response, without a retry', async (_, coding, body) => {
  const made = await apiSetup()
  made.server.queue({ headers: { 'content-encoding': coding }, body })
  const pending = made.api.rerank.create(made.target(), { query: 'q', documents: ['d'] }, {})
  expect(await failureOf(pending)).toMatchObject({ code: 'MALFORMED_REPLY' })
  expect(made.server.requests).toHaveLength(1)
})

test('reads a plain response labeled as gzip, and an empty one as empty', async () => {
  const made = await apiSetup()
  const headers = { 'content-encoding': 'gzip' }
  made.server.queue({ headers, body: ranking }, { headers, status: 503 })
  const ask = () => made.api.rerank.create(made.target(), { query: 'q', documents: ['d'] }, {})
  expect((await ask()).raw.body).toBe(ranking)
  made.server.always({ headers, status: 503 })
  expect(await failureOf(ask())).toMatchObject({ code: 'OVERLOADED' })
})
