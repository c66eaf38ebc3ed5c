import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { AppError } from '../../../src/main/errors.ts'
import type { EventBatch } from '../../../src/shared/model/run.ts'
import { localAccountId } from '../../../src/shared/service/profiles.ts'
import { sineWav } from '../../fixtures/wav.ts'
import { runsSetup } from './runs-desk.ts'
import { eventually } from '../../fixtures/eventually.ts'

const lines = (events: readonly object[]): string =>
  events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
const said = sineWav({ seconds: 0.2, hz: 440 })
const say = { input: 'Hello', voice: 'tongtong' }
const pcm = (bytes: number): object => ({
  choices: [{ index: 0, delta: { content: Buffer.alloc(bytes, 3).toString('base64') } }],
})

test('a disk that is full for a moment loses no answer and no file', async () => {
  let full = 2
  const desk = await runsSetup({
    files: (real) => ({
      async intake(stream, ...rest) {
        if (full-- > 0) {
          await stream?.cancel()
          throw new AppError('DISK_FULL', 'full')
        }
        return real.intake(stream, ...rest)
      },
    }),
  })
  desk.server.queue({ headers: { 'content-type': 'audio/wav' }, body: said })
  const run = await desk.over(await desk.start('speech.create', say))
  expect(run).toMatchObject({ state: 'done', error: null, value: { bytes: said.length } })
  expect(run.files.map(({ name, mediaId }) => [name, desk.mediaBytes(mediaId)])).toEqual([
    ['speech.wav', said.length],
  ])
  await eventually(() => expect(desk.exists(desk.folder(run.id))).toBe(false))
})

test('a file that cannot be kept leaves value and reply, and is taken in at the next start', async () => {
  let broken = true
  const desk = await runsSetup({
    files: (real) => ({
      async intake(stream, ...rest) {
        if (!broken) return real.intake(stream, ...rest)
        await stream?.cancel()
        throw new Error('a disk of another kind')
      },
    }),
  })
  desk.server.queue({ headers: { 'content-type': 'audio/wav' }, body: said })
  const run = await desk.over(await desk.start('speech.create', say))
  expect(run).toMatchObject({
    state: 'failed',
    error: { code: 'INTERNAL' },
    value: { bytes: said.length },
    files: [],
  })
  expect(desk.runs.raw(run.id)?.body).toContain('stored')
  expect(desk.exists(desk.folder(run.id))).toBe(true)
  broken = false
  desk.again().resume()
  const [file] = await eventually(() => {
    const { files } = desk.runs.get(run.id)
    expect(files).toHaveLength(1)
    return files
  })
  expect(desk.mediaBytes(file?.mediaId ?? '')).toBe(said.length)
  await eventually(() => expect(desk.exists(desk.folder(run.id))).toBe(false))
})

test('sound that broke off is a file of the run, and nobody is told where it lay', async () => {
  const desk = await runsSetup()
  const body = lines([pcm(3000), pcm(3000)])
  desk.server.queue({
    body,
    splitAt: [body.length - 200],
    betweenMs: 50,
    cutAfter: body.length - 100,
  })
  const run = await desk.over(await desk.start('speech.stream', say))
  expect(run).toMatchObject({ state: 'broken', error: { code: 'STREAM_CUT' } })
  expect(run.files.map(({ name, mediaId }) => [name, desk.mediaBytes(mediaId)])).toEqual([
    ['speech.pcm', 3000],
  ])
  expect(run.error?.params).toMatchObject({ bytes: 3000, reason: 'cut' })
  expect(run.error?.params).not.toHaveProperty('part')
  expect(JSON.stringify([run, desk.log.lines])).not.toContain(desk.home)
})

test('a transcription that broke off keeps its words as a transcription has them', async () => {
  const desk = await runsSetup()
  const sound = await desk.files.intake(new Blob([new Uint8Array(said)]).stream(), 'a.wav')
  const body = lines([
    { type: 'transcript.text.delta', delta: 'Hello' },
    { type: 'transcript.text.delta', delta: ' world' },
  ])
  desk.server.queue({ body, cutAfter: body.length - 10 })
  const run = await desk.over(await desk.start('transcriptions.create', { file: sound.id }))
  expect(run).toMatchObject({ state: 'broken', error: { code: 'STREAM_CUT' } })
  expect(run.value).toEqual({ text: 'Hello' })
})

test('events that can be kept no more end the run at once, with what was kept', async () => {
  const desk = await runsSetup({
    store: (real) => ({
      ...real,
      runs: {
        ...real.runs,
        append(id: string, batch: EventBatch) {
          if (batch.first > 0) throw new Error('too long a text')
          real.runs.append(id, batch)
        },
      },
    }),
  })
  const body = lines([
    { type: 'answer', data: 'One' },
    { type: 'answer', data: 'two' },
  ])
  desk.server.queue({ body, splitAt: [body.indexOf('\n\n') + 2], betweenMs: 150, hang: true })
  const run = await desk.over(
    await desk.start('agents.chat', { messages: ['?'], retrieval: { knowledgeIds: ['k'] } }),
  )
  expect(run).toMatchObject({ state: 'failed', error: { code: 'INTERNAL' }, events: 1 })
  expect(desk.runs.events(run.id, 0, 10).batches).toHaveLength(1)
})

test('what an ended process left says so; its files are taken in before anything starts', async () => {
  let open = (): void => undefined
  const gate = new Promise<void>((resolve) => (open = resolve))
  const desk = await runsSetup({
    files: (real) => ({
      intake: async (...given) => (await gate, real.intake(...given)),
    }),
  })
  const old = { id: 'old-run', accountId: localAccountId, accountName: '', streamId: 'old' }
  const what = { operation: 'speech.create', title: 'Old', input: say, mediaIds: [], at: 1 }
  desk.store.runs.create({ ...old, ...what })
  mkdirSync(desk.folder('old-run'), { recursive: true })
  writeFileSync(join(desk.folder('old-run'), 'speech.wav.0123456789ab.part'), said)
  mkdirSync(desk.folder('nobodys'))
  desk.runs.resume()
  expect(desk.runs.get('old-run')).toMatchObject({
    state: 'broken',
    error: { code: 'LEFT_UNFINISHED' },
  })
  desk.server.queue({ body: '{"voice_list":[]}' })
  let started = false
  const next = desk.start('voices.list', {}).finally(() => (started = true))
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(started).toBe(false)
  open()
  await desk.over(await next)
  expect(desk.runs.get('old-run').files.map(({ name }) => name)).toEqual(['speech.wav'])
  expect(desk.exists(desk.folder('nobodys'))).toBe(false)
})

test('a run is removed also when its file stays behind', async () => {
  const desk = await runsSetup({
    files: () => ({ remove: async () => Promise.reject(new Error('somebody reads it')) }),
  })
  desk.server.queue({ headers: { 'content-type': 'audio/wav' }, body: said })
  const run = await desk.over(await desk.start('speech.create', say))
  await eventually(() => expect(desk.runs.busy()).toBe(false))
  await desk.runs.remove([run.id])
  expect(desk.removed).toEqual([run.id])
  expect(desk.log.lines.some((line) => line.includes('not removed'))).toBe(true)
})

/** The answer to a request for embeddings: text n is its number, 256 times. */
const embedded = (body: Buffer, dimensions: number): string => {
  const { input } = JSON.parse(body.toString()) as { input: string | string[] }
  const data = [input]
    .flat()
    .map((text, index) => ({ index, embedding: Array(dimensions).fill(Number(text) + 0.5) }))
  return JSON.stringify({ model: 'embedding-3', data, usage: { total_tokens: 1 } })
}

test('many vectors are a file of the run, each at its place; events and result stay small', async () => {
  const desk = await runsSetup()
  desk.server.always(({ body }) => ({ body: embedded(body, 256) }))
  const input = Array.from({ length: 150 }, (_, n) => String(n))
  const run = await desk.over(
    await desk.start('embeddings.createMany', { model: 'embedding-3', input, dimensions: 256 }),
  )
  expect(run).toMatchObject({
    state: 'done',
    usage: { totalTokens: 3 },
    files: [{ name: 'vectors.f64' }],
  })
  expect(run.value).toEqual({
    model: 'embedding-3',
    count: 150,
    dimensions: 256,
    file: 'vectors.f64',
  })
  const bytes = readFileSync(await desk.files.path(run.files[0]?.mediaId ?? ''))
  expect(bytes).toHaveLength(150 * 256 * 8)
  for (let n = 0; n < 150; n++)
    expect([bytes.readDoubleLE(n * 2048), bytes.readDoubleLE(n * 2048 + 2040)]).toEqual([
      n + 0.5,
      n + 0.5,
    ])
  const events = desk.runs
    .events(run.id, 0, 100)
    .batches.flatMap(({ json }) => JSON.parse(json) as { start: number }[])
  expect(events.toSorted((a, b) => a.start - b.start)).toEqual([
    { type: 'batch', start: 0, count: 64 },
    { type: 'batch', start: 64, count: 64 },
    { type: 'batch', start: 128, count: 22 },
  ])
  expect(desk.runs.raw(run.id)?.body.length).toBeLessThan(200)
})

test('vectors that came before a call failed are kept', async () => {
  const desk = await runsSetup()
  desk.server.always(({ body }) =>
    body.includes('"149"')
      ? { status: 400, body: '{"error":{"code":"1214","message":"no"}}' }
      : { body: embedded(body, 256) },
  )
  const input = Array.from({ length: 150 }, (_, n) => String(n))
  const run = await desk.over(
    await desk.start('embeddings.createMany', { model: 'embedding-3', input, dimensions: 256 }),
  )
  expect(run).toMatchObject({ state: 'failed', files: [{ name: 'vectors.f64' }] })
  expect(desk.mediaBytes(run.files[0]?.mediaId ?? '')).toBeGreaterThanOrEqual(64 * 1024)
})
