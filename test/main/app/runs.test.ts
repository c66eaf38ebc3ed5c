import { afterEach, expect, test } from 'vitest'
import type { Run, RunSummary } from '../../../src/shared/model/run.ts'
import { testApp, type TestApp } from '../../fixtures/app.ts'
import {
  startScriptedServer,
  type ScriptedReply,
  type ScriptedServer,
} from '../../fixtures/scripted-server.ts'
import { sineWav } from '../../fixtures/wav.ts'

const apps: TestApp[] = []
const servers: ScriptedServer[] = []
afterEach(async () => {
  await Promise.all(apps.splice(0).map((app) => app.remove()))
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

const key = 'scripted-key-0123456789'

/** Starts the app with a scripted service as its active account; health checks do not consume scripted replies. */
async function setup() {
  const server = await startScriptedServer()
  servers.push(server)
  const replies: ScriptedReply[] = []
  server.always(({ url }) =>
    url.startsWith('/paas/v4/voice/list')
      ? { body: '{"voice_list":[]}' }
      : (replies.shift() ?? { status: 500 }),
  )
  const lectern = await testApp()
  apps.push(lectern)
  const account = await lectern.call('accounts.create', {
    preset: 'custom',
    name: 'Scripted',
    baseUrl: server.url,
  })
  await lectern.call('accounts.setKey', { id: account.id, key })
  await lectern.call('accounts.activate', { id: account.id })
  return { lectern, server, queue: (reply: ScriptedReply) => void replies.push(reply) }
}

let serial = 0
const streamId = (): string => `runs-test-${++serial}`

/** Waits for the end of a run's stream, then reads the run. */
async function over(lectern: TestApp, run: RunSummary): Promise<Run> {
  await lectern.until(
    (event) =>
      event.channel === 'stream' &&
      event.event.streamId === run.streamId &&
      (event.event.type === 'end' || event.event.type === 'error'),
  )
  return lectern.call('runs.get', { id: run.id })
}

const ranked = JSON.stringify({
  id: 'r1',
  request_id: 'server-made-id',
  results: [
    { index: 1, relevance_score: 0.9 },
    { index: 0, relevance_score: 0.1 },
  ],
  usage: { prompt_tokens: 5, total_tokens: 5 },
})

const sse = (events: readonly unknown[]): string =>
  events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')

const agentReply = [
  { type: 'session_created', sessionId: 's1' },
  { type: 'thought', data: 'Looking.' },
  { type: 'answer', data: 'Forty' },
  { type: 'answer', data: '-two' },
  { type: 'done', messageId: 'm1', data: 'Forty-two' },
]
const question = { messages: ['How many?'], retrieval: { knowledgeIds: ['k1'] } }

test('stores a run immediately, with value, response and usage', async () => {
  const { lectern, queue } = await setup()
  queue({ body: ranked, delayMs: 50 })
  const started = await lectern.call('runs.start', {
    operation: 'rerank.create',
    input: { query: 'numbers', documents: ['a', 'b'] },
    streamId: streamId(),
  })
  expect(started).toMatchObject({ state: 'running', title: 'numbers', accountName: 'Scripted' })
  const run = await over(lectern, started)
  expect(run).toMatchObject({
    state: 'done',
    operation: 'rerank.create',
    requestId: 'server-made-id',
    usage: { totalTokens: 5 },
    input: { query: 'numbers' },
    value: [
      { index: 1, score: 0.9, document: 'b' },
      { index: 0, score: 0.1, document: 'a' },
    ],
  })
  expect((await lectern.call('runs.raw', { id: run.id })).reply).toMatchObject({
    status: 200,
    body: ranked,
  })
  const listed = await lectern.call('runs.list', { family: 'rerank' })
  expect(listed.runs.map(({ id }) => id)).toEqual([run.id])
  expect((await lectern.call('runs.list', { family: 'reran' })).runs).toEqual([])
})

test('fails a run with an endlessly nested response; it never stays running', async () => {
  const { lectern, queue } = await setup()
  const deep = `${'{"a":'.repeat(6000)}1${'}'.repeat(6000)}`
  queue({ body: `{"id":"r1","output":[{"type":"odd","x":${deep}}]}` })
  queue({ body: `data: {"type":"odd","data":${deep}}\n\ndata: {"type":"done"}\n\n` })
  for (const [operation, input] of [
    ['responses.retrieve', { id: 'r1' }],
    ['agents.chat', question],
  ] as const) {
    const started = await lectern.call('runs.start', { operation, input, streamId: streamId() })
    expect(await over(lectern, started)).toMatchObject({
      state: 'failed',
      error: { code: 'MALFORMED_REPLY' },
    })
  }
})

test('stores events before a page receives them, in order, and reads them back by index', async () => {
  const { lectern, queue } = await setup()
  const body = sse(agentReply)
  queue({ body, splitAt: [80, 160], betweenMs: 60 })
  const started = await lectern.call('runs.start', {
    operation: 'agents.chat',
    input: question,
    streamId: streamId(),
  })
  let stored = true
  const check = async (): Promise<void> => {
    await lectern.until((event) => event.channel === 'stream' && event.event.type === 'events')
    const { batches } = await lectern.call('runs.events', { id: started.id })
    stored &&= batches.length > 0
  }
  await check()
  const run = await over(lectern, started)
  expect(stored).toBe(true)
  const pushed = lectern.events.flatMap((event) =>
    event.channel === 'stream' && event.event.type === 'events' ? [event.event.batch] : [],
  )
  const { batches, next } = await lectern.call('runs.events', { id: run.id })
  expect(batches).toEqual(pushed)
  expect(next).toBeNull()
  const events = batches.flatMap((batch) => JSON.parse(batch.json) as { type: string }[])
  expect(events.map(({ type }) => type)).toEqual([
    'session_created',
    'thought',
    'answer',
    'answer',
    'done',
  ])
  expect(run).toMatchObject({ state: 'done', events: 5, value: { answer: 'Forty-two' } })
  const seqs = lectern.events.flatMap((event) =>
    event.channel === 'stream' && event.event.streamId === run.streamId ? [event.event.seq] : [],
  )
  expect(seqs).toEqual(seqs.map((_, at) => at))
  expect(await lectern.call('streams.attach', { streamId: run.streamId })).toMatchObject({
    nextSeq: seqs.length,
    nextEvent: 5,
    outcome: { type: 'end' },
  })
})

test('keeps the received part of a stream that breaks off', async () => {
  const { lectern, queue } = await setup()
  const body = sse(agentReply)
  queue({ body, cutAfter: body.indexOf('-two') - 20 })
  const started = await lectern.call('runs.start', {
    operation: 'agents.chat',
    input: question,
    streamId: streamId(),
  })
  const run = await over(lectern, started)
  expect(run).toMatchObject({
    state: 'broken',
    error: { code: 'STREAM_CUT' },
    value: { answer: 'Forty', complete: false },
    events: 3,
  })
  expect((await lectern.call('runs.raw', { id: run.id })).reply?.body).toContain('Forty')
})

test('reports a refused call as a failed run with its reason', async () => {
  const { lectern, queue } = await setup()
  queue({ status: 400, body: '{"error":{"code":"1214","message":"no"}}' })
  const started = await lectern.call('runs.start', {
    operation: 'voices.delete',
    input: { voice: 'v1' },
    streamId: streamId(),
  })
  expect(await over(lectern, started)).toMatchObject({
    state: 'failed',
    error: { code: 'INVALID_INPUT', service: { code: '1214' } },
    value: null,
  })
})

test('lets the page stop a run', async () => {
  const { lectern, queue } = await setup()
  queue({ body: sse(agentReply.slice(0, 3)), hang: true })
  const started = await lectern.call('runs.start', {
    operation: 'agents.chat',
    input: question,
    streamId: streamId(),
  })
  await lectern.until((event) => event.channel === 'stream' && event.event.type === 'events')
  expect(await lectern.call('runs.cancel', { id: started.id })).toMatchObject({
    state: 'cancelled',
    events: 3,
  })
  expect(await lectern.call('runs.get', { id: started.id })).toMatchObject({
    value: { answer: 'Forty' },
  })
})

test('marks runs interrupted by closing as broken at the next start, with partial results', async () => {
  const { lectern, queue } = await setup()
  queue({ body: sse(agentReply.slice(0, 3)), hang: true })
  const { id } = await lectern.call('runs.start', {
    operation: 'agents.chat',
    input: question,
    streamId: streamId(),
  })
  await lectern.until((event) => event.channel === 'stream' && event.event.type === 'events')
  await lectern.stop()
  const again = await testApp({ home: lectern.home })
  apps.push(again)
  expect(await again.call('runs.get', { id })).toMatchObject({
    state: 'broken',
    events: 3,
    error: { code: 'LEFT_UNFINISHED' },
  })
  expect((await again.call('runs.events', { id })).batches).toHaveLength(1)
})

test('rejects invalid input before anything is stored', async () => {
  const { lectern } = await setup()
  const start = (operation: string, input: Record<string, unknown>) =>
    lectern.raw('runs.start', { operation, input, streamId: streamId() })
  expect(await start('no.such', {})).toMatchObject({
    error: { code: 'BAD_REQUEST', params: { what: 'operation' } },
  })
  expect(await start('__proto__', {})).toMatchObject({ error: { code: 'BAD_REQUEST' } })
  expect(await start('rerank.create', { query: 'x' })).toMatchObject({
    error: { code: 'BAD_REQUEST', params: { what: 'documents' } },
  })
  expect(await start('layout.parse', { file: 'a'.repeat(26) })).toMatchObject({
    error: { code: 'FILE_MISSING' },
  })
  expect((await lectern.call('runs.list', {})).runs).toEqual([])
})

test('accepts files by media ID, returns them as media, and keeps them as long as their run', async () => {
  const { lectern, server, queue } = await setup()
  const audio = sineWav({ seconds: 1, hz: 440 })
  const taken = await lectern.intake('sample.wav', audio)
  if (!taken.ok) throw new Error('no intake')
  const sample = taken.data.media.id
  queue({ body: '{"id":"f1","object":"file","bytes":3,"purpose":"voice-clone-input"}' })
  const upload = await lectern.call('runs.start', {
    operation: 'files.upload',
    input: { file: sample, purpose: 'voice-clone-input' },
    streamId: streamId(),
  })
  expect(await over(lectern, upload)).toMatchObject({ state: 'done', title: 'sample.wav' })
  const sent = server.requests.find(({ url }) => url === '/paas/v4/files')
  expect(sent?.body.includes(Buffer.from(audio))).toBe(true)

  const speech = sineWav({ seconds: 1, hz: 660 })
  queue({ headers: { 'content-type': 'audio/wav' }, body: speech })
  const spoken = await lectern.call('runs.start', {
    operation: 'speech.create',
    input: { input: 'Hello', voice: 'tongtong' },
    streamId: streamId(),
  })
  const run = await over(lectern, spoken)
  expect(run).toMatchObject({ state: 'done', files: [{ name: 'speech.wav' }] })
  const outputId = run.files[0]?.mediaId ?? ''
  const get = (id: string) =>
    lectern.app.fetch(new Request(`http://127.0.0.1/media/${id}`), lectern.page)
  expect(Buffer.from(await (await get(outputId)).arrayBuffer()).equals(Buffer.from(speech))).toBe(
    true,
  )
  await lectern.call('runs.remove', { ids: [upload.id] })
  expect([(await get(sample)).status, (await get(outputId)).status]).toEqual([404, 200])
  await lectern.call('runs.remove', { ids: [run.id] })
  expect((await get(outputId)).status).toBe(404)
  expect((await lectern.raw('runs.get', { id: run.id })).ok).toBe(false)
})

test('renames a run, and pages through the list', async () => {
  const { lectern } = await setup()
  const made: string[] = []
  for (let n = 0; n < 5; n++) {
    const run = await lectern.call('runs.start', {
      operation: 'voices.list',
      input: {},
      streamId: streamId(),
    })
    await over(lectern, run)
    made.unshift(run.id)
  }
  const first = await lectern.call('runs.list', { limit: 3, operation: 'voices.list' })
  expect(first.runs.map(({ id }) => id)).toEqual(made.slice(0, 3))
  const rest = await lectern.call('runs.list', {
    limit: 3,
    operation: 'voices.list',
    ...(first.next !== null && { before: first.next }),
  })
  expect(rest.runs.map(({ id }) => id)).toEqual(made.slice(3))
  expect(rest.next).toBeNull()
  const id = made[0] ?? ''
  expect(await lectern.call('runs.rename', { id, title: 'My\u202e voices' })).toMatchObject({
    title: 'My voices',
  })
})
