import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { failureOf, startTestService, transcriptionForm } from './fixtures/service.ts'
import type { TestService } from './fixtures/service.ts'
import { silence, speak } from './fixtures/audio-samples.ts'
import { chunksOf, dataOf } from './fixtures/streams.ts'
import { workerEvents, reportingWorker } from './fixtures/worker-events.ts'

let service: TestService
const sentence = speak('We need to order more paper for the printer.')
const long = speak(
  'The meeting starts at ten on Monday morning. Please send the report to the whole team before Friday. ' +
    'The new office is on the third floor of the building. She said that the train will arrive late. ' +
    'Our customers want a faster answer to their questions. I will call you back after lunch tomorrow.',
)

// A model needs time on a machine that is busy with other tests.
vi.setConfig({ testTimeout: 120_000 })

beforeAll(async () => {
  service = await startTestService({ speechWorker: reportingWorker('speech') })
})
afterAll(() => service.stop())

const stream = (audio: Uint8Array, fields = {}): Promise<Response> =>
  service.transcribe(transcriptionForm(audio, { stream: 'true', ...fields }))

test('streams deltas, one done, then [DONE]; the deltas are the words of the whole response', async () => {
  const response = await stream(sentence, { request_id: 'the-request' })
  expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/)
  const body = await response.text()
  expect(dataOf(body).at(-1)).toBe('[DONE]')
  const chunks = chunksOf(body)
  const deltas = chunks.slice(0, -1)
  const done = chunks.at(-1)
  expect(deltas.length).toBeGreaterThan(5)
  expect(new Set(deltas.map((chunk) => chunk.type))).toEqual(new Set(['transcript.text.delta']))
  expect(done).toMatchObject({ type: 'transcript.text.done', request_id: 'the-request' })
  expect(new Set(chunks.map(({ id, created, model }) => `${id} ${created} ${model}`)).size).toBe(1)
  const joined = deltas.map((chunk) => chunk.delta).join('')
  expect(done?.text).toBe(joined)
  expect(joined).toMatch(/paper for the printer/i)

  const whole = await service.transcribe(transcriptionForm(sentence))
  expect(await whole.json()).toMatchObject({ text: joined })
})

test('streams words while the model is still transcribing', async () => {
  const response = await stream(long)
  const times: number[] = []
  for await (const _ of response.body ?? []) times.push(performance.now())
  const first = times.at(0) ?? 0
  const last = times.at(-1) ?? 0
  // The decoder takes about a second for these twenty seconds; sent at the end, all would arrive within milliseconds.
  expect(times.length).toBeGreaterThan(10)
  expect(last - first).toBeGreaterThan(200)
})

test('streams an empty text for silence, with a notice', async () => {
  const chunks = chunksOf(await (await stream(silence(16_000))).text())
  expect(chunks).toHaveLength(1)
  expect(chunks[0]).toMatchObject({ type: 'transcript.text.done', text: '', delta: '' })
  expect(chunks[0]?.notice).toMatch(/silent/)
})

test('returns a status for an invalid request instead of a stream', async () => {
  expect(await failureOf(await stream(Buffer.from('not a sound')))).toBe('400 1214')
})

test('transcribes for one caller at a time, and frees the model when a caller disconnects', async () => {
  const reporter = workerEvents()
  onTestFinished(() => reporter.stop())
  const gone = new AbortController()
  const form = transcriptionForm(long, { stream: 'true' })
  const listened = await service.transcribe(form, { signal: gone.signal })
  const reader = listened.body?.getReader()
  await reader?.read()

  // Forty more requests: one is transcribed, fifteen are queued, and the others are reported to retry.
  const impatient = new AbortController()
  const refused: string[] = []
  const enough = Promise.withResolvers<void>()
  const others = Array.from({ length: 40 }, async () => {
    const response = await service.transcribe(transcriptionForm(long), {
      signal: impatient.signal,
    })
    refused.push(await failureOf(response))
    if (refused.length === 5) enough.resolve()
  })
  const settled = Promise.allSettled(others)
  await enough.promise
  gone.abort()
  impatient.abort()
  await expect(reader?.read()).rejects.toThrow(/abort/i)
  await settled
  expect(new Set(refused)).toEqual(new Set(['429 1302']))

  // The local service notices disconnected callers only moments later.
  const statusOfSentence = async (): Promise<number> =>
    (await service.transcribe(transcriptionForm(sentence))).status
  const before = reporter.events.filter((event) => event === 'done').length
  await expect.poll(statusOfSentence).toBe(200)
  // None of the sixteen disconnected requests was transcribed to the end, except possibly the one in progress.
  const ends = reporter.events.filter((event) => event === 'done').length - before
  expect(reporter.events).toContain('done')
  expect(ends).toBeLessThanOrEqual(2)
})

test('aborts work in progress when stopping', async () => {
  const other = await startTestService()
  const response = await other.transcribe(transcriptionForm(long, { stream: 'true' }))
  const rest = response.text()
  await Promise.all([expect(rest).rejects.toThrow('terminated'), other.stop()])
  await expect(other.call('/paas/v4/voice/list')).rejects.toThrow('fetch failed')
})
