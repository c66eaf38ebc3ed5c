import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { AppError } from '../../../../../../src/main/errors.ts'
import type { EventBatch } from '../../../../../../src/shared/model/run.ts'
import { localAccountId } from '../../../../../../src/shared/provider/profiles.ts'
import { sineWav } from '../../../../../fixtures/wav.ts'
import { runsSetup } from './runs-setup.ts'
import { eventually } from '../../../../../fixtures/eventually.ts'

const lines = (events: readonly object[]): string =>
  events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
const audio = sineWav({ seconds: 0.2, hz: 440 })
const say = { input: 'Hello', voice: 'tongtong' }
const pcm = (bytes: number): object => ({
  choices: [{ index: 0, delta: { content: Buffer.alloc(bytes, 3).toString('base64') } }],
})

test('a briefly full disk loses no response and no file', async () => {
  let full = 2
  const setup = await runsSetup({
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
  setup.server.queue({ headers: { 'content-type': 'audio/wav' }, body: audio })
  const run = await setup.over(await setup.start('speech.create', say))
  expect(run).toMatchObject({ state: 'done', error: null, value: { bytes: audio.length } })
  expect(run.files.map(({ name, mediaId }) => [name, setup.mediaBytes(mediaId)])).toEqual([
    ['speech.wav', audio.length],
  ])
  await eventually(() => expect(setup.exists(setup.folder(run.id))).toBe(false))
})

test('a file that cannot be saved leaves value and response, and is imported at the next start', async () => {
  let broken = true
  const setup = await runsSetup({
    files: (real) => ({
      async intake(stream, ...rest) {
        if (!broken) return real.intake(stream, ...rest)
        await stream?.cancel()
        throw new Error('a disk of another kind')
      },
    }),
  })
  setup.server.queue({ headers: { 'content-type': 'audio/wav' }, body: audio })
  const run = await setup.over(await setup.start('speech.create', say))
  expect(run).toMatchObject({
    state: 'failed',
    error: { code: 'INTERNAL' },
    value: { bytes: audio.length },
    files: [],
  })
  expect(setup.runs.raw(run.id)?.body).toContain('stored')
  expect(setup.exists(setup.folder(run.id))).toBe(true)
  broken = false
  setup.again().resume()
  const [file] = await eventually(() => {
    const { files } = setup.runs.get(run.id)
    expect(files).toHaveLength(1)
    return files
  })
  expect(setup.mediaBytes(file?.mediaId ?? '')).toBe(audio.length)
  await eventually(() => expect(setup.exists(setup.folder(run.id))).toBe(false))
})

test('saves partial audio as a file of the run without revealing its path', async () => {
  const setup = await runsSetup()
  const body = lines([pcm(3000), pcm(3000)])
  setup.server.queue({
    body,
    splitAt: [body.length - 200],
    betweenMs: 50,
    cutAfter: body.length - 100,
  })
  const run = await setup.over(await setup.start('speech.stream', say))
  expect(run).toMatchObject({ state: 'broken', error: { code: 'STREAM_CUT' } })
  expect(run.files.map(({ name, mediaId }) => [name, setup.mediaBytes(mediaId)])).toEqual([
    ['speech.pcm', 3000],
  ])
  expect(run.error?.params).toMatchObject({ bytes: 3000, reason: 'cut' })
  expect(run.error?.params).not.toHaveProperty('part')
  expect(JSON.stringify([run, setup.log.lines])).not.toContain(setup.home)
})

test('an interrupted transcription keeps its text in the format of a transcription', async () => {
  const setup = await runsSetup()
  const audioFile = await setup.files.intake(new Blob([new Uint8Array(audio)]).stream(), 'a.wav')
  const body = lines([
    { type: 'transcript.text.delta', delta: 'Hello' },
    { type: 'transcript.text.delta', delta: ' world' },
  ])
  setup.server.queue({ body, cutAfter: body.length - 10 })
  const run = await setup.over(await setup.start('transcriptions.create', { file: audioFile.id }))
  expect(run).toMatchObject({ state: 'broken', error: { code: 'STREAM_CUT' } })
  expect(run.value).toEqual({ text: 'Hello' })
})

test('ends the run at once, with the saved events, if further events cannot be saved', async () => {
  const setup = await runsSetup({
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
  setup.server.queue({ body, splitAt: [body.indexOf('\n\n') + 2], betweenMs: 150, hang: true })
  const run = await setup.over(
    await setup.start('agents.chat', { messages: ['?'], retrieval: { knowledgeIds: ['k'] } }),
  )
  expect(run).toMatchObject({ state: 'failed', error: { code: 'INTERNAL' }, events: 1 })
  expect(setup.runs.events(run.id, 0, 10).batches).toHaveLength(1)
})

test('marks runs of an ended process as unfinished; imports their files before anything starts', async () => {
  let open = (): void => undefined
  const gate = new Promise<void>((resolve) => (open = resolve))
  const setup = await runsSetup({
    files: (real) => ({
      intake: async (...given) => (await gate, real.intake(...given)),
    }),
  })
  const old = { id: 'old-run', accountId: localAccountId, accountName: '', streamId: 'old' }
  const what = { operation: 'speech.create', title: 'Old', input: say, mediaIds: [], at: 1 }
  setup.store.runs.create({ ...old, ...what })
  mkdirSync(setup.folder('old-run'), { recursive: true })
  writeFileSync(join(setup.folder('old-run'), 'speech.wav.0123456789ab.part'), audio)
  mkdirSync(setup.folder('nobodys'))
  setup.runs.resume()
  expect(setup.runs.get('old-run')).toMatchObject({
    state: 'broken',
    error: { code: 'LEFT_UNFINISHED' },
  })
  setup.server.queue({ body: '{"voice_list":[]}' })
  let started = false
  const next = setup.start('voices.list', {}).finally(() => (started = true))
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(started).toBe(false)
  open()
  await setup.over(await next)
  expect(setup.runs.get('old-run').files.map(({ name }) => name)).toEqual(['speech.wav'])
  expect(setup.exists(setup.folder('nobodys'))).toBe(false)
})

test('removes a run even if its file remains', async () => {
  const setup = await runsSetup({
    files: () => ({ remove: async () => Promise.reject(new Error('somebody reads it')) }),
  })
  setup.server.queue({ headers: { 'content-type': 'audio/wav' }, body: audio })
  const run = await setup.over(await setup.start('speech.create', say))
  await eventually(() => expect(setup.runs.busy()).toBe(false))
  await setup.runs.remove([run.id])
  expect(setup.removed).toEqual([run.id])
  expect(setup.log.lines.some((line) => line.includes('failed to remove a file'))).toBe(true)
})

/** The response to an embedding request: the vector of text n is its number, 256 times. */
const embedded = (body: Buffer, dimensions: number): string => {
  const { input } = JSON.parse(body.toString()) as { input: string | string[] }
  const data = [input]
    .flat()
    .map((text, index) => ({ index, embedding: Array(dimensions).fill(Number(text) + 0.5) }))
  return JSON.stringify({ model: 'embedding-3', data, usage: { total_tokens: 1 } })
}

test('saves many vectors in order as a file of the run; events and result stay small', async () => {
  const setup = await runsSetup()
  setup.server.always(({ body }) => ({ body: embedded(body, 256) }))
  const input = Array.from({ length: 150 }, (_, n) => String(n))
  const run = await setup.over(
    await setup.start('embeddings.createMany', { model: 'embedding-3', input, dimensions: 256 }),
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
  const bytes = readFileSync(await setup.files.path(run.files[0]?.mediaId ?? ''))
  expect(bytes).toHaveLength(150 * 256 * 8)
  for (let n = 0; n < 150; n++)
    expect([bytes.readDoubleLE(n * 2048), bytes.readDoubleLE(n * 2048 + 2040)]).toEqual([
      n + 0.5,
      n + 0.5,
    ])
  const events = setup.runs
    .events(run.id, 0, 100)
    .batches.flatMap(({ json }) => JSON.parse(json) as { start: number }[])
  expect(events.toSorted((a, b) => a.start - b.start)).toEqual([
    { type: 'batch', start: 0, count: 64 },
    { type: 'batch', start: 64, count: 64 },
    { type: 'batch', start: 128, count: 22 },
  ])
  expect(setup.runs.raw(run.id)?.body.length).toBeLessThan(200)
})

test('saves vectors received before a request failed', async () => {
  const setup = await runsSetup()
  setup.server.always(({ body }) =>
    body.includes('"149"')
      ? { status: 400, body: '{"error":{"code":"1214","message":"no"}}' }
      : { body: embedded(body, 256) },
  )
  const input = Array.from({ length: 150 }, (_, n) => String(n))
  const run = await setup.over(
    await setup.start('embeddings.createMany', { model: 'embedding-3', input, dimensions: 256 }),
  )
  expect(run).toMatchObject({ state: 'failed', files: [{ name: 'vectors.f64' }] })
  expect(setup.mediaBytes(run.files[0]?.mediaId ?? '')).toBeGreaterThanOrEqual(64 * 1024)
})
