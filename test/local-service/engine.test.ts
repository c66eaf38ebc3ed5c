import { afterEach, beforeEach, expect, test } from 'vitest'
import { createSpeechEngine, SpeechFailure } from '../../src/local-service/engines/speech.ts'
import type { SpeechEngine, SpeechEngineDeps } from '../../src/local-service/engines/speech.ts'

const workerUrl = new URL('./fixtures/failing-worker.mjs', import.meta.url)
const defaults = { workerUrl, modelsDir: '', maxWaiting: 4, stallMs: 10_000, idleMs: 10_000 }

let engine: SpeechEngine
const start = (options: Partial<SpeechEngineDeps> = {}): void => {
  engine = createSpeechEngine({ ...defaults, ...options })
}
beforeEach(() => start())
afterEach(() => engine.stop())

/** Returns the thread that answered, or the error. */
const ask = async (
  command: 'answer' | 'crash' | 'stall',
  signal?: AbortSignal,
): Promise<string> => {
  const audio = new Uint8Array(Buffer.from(command))
  const job = { kind: 'wav', audio, signal: signal ?? new AbortController().signal } as const
  try {
    return (await engine.transcribe(job)).text
  } catch (error) {
    return error instanceof SpeechFailure ? error.trouble : 'unknown'
  }
}

test('answers consecutive calls with one worker', async () => {
  const first = await ask('answer')
  expect(Number(first)).toBeGreaterThan(0)
  expect(await Promise.all([ask('answer'), ask('answer')])).toEqual([first, first])
})

test('fails only the transcription of a crashed worker; a new one takes the next', async () => {
  const first = await ask('answer')
  const [crashed, next] = await Promise.all([ask('crash'), ask('answer')])
  expect(crashed).toBe('failed')
  expect(Number(next)).toBeGreaterThan(Number(first))
})

test('replaces a worker that stalls', async () => {
  start({ stallMs: 5000 })
  const [stalled, next] = await Promise.all([ask('stall'), ask('answer')])
  expect(stalled).toBe('failed')
  expect(Number(next)).toBeGreaterThan(0)
})

test('ends an idle worker and starts another for the next transcription', async () => {
  start({ idleMs: 50 })
  const first = await ask('answer')
  // Each request follows a pause of 300 ms, and the idle limit of the worker is 50.
  await expect
    .poll(async () => Number(await ask('answer')), { interval: 300 })
    .toBeGreaterThan(Number(first))
})

test('reports a missing program as an unavailable engine', async () => {
  start({ workerUrl: new URL('./fixtures/nothing.mjs', import.meta.url) })
  expect(await ask('answer')).toBe('engine-unavailable')
})

test('frees the queue positions of callers that disconnect immediately', async () => {
  const running = ask('stall')
  const leave = new AbortController()
  const waiting = [1, 2, 3].map(() => ask('answer', leave.signal))
  expect(await ask('answer')).toBe('busy')
  leave.abort()
  const next = [1, 2, 3].map(() => ask('answer'))
  expect(await ask('answer')).toBe('busy')
  expect(await Promise.all(waiting)).toEqual(['cancelled', 'cancelled', 'cancelled'])
  await engine.stop()
  expect(await Promise.all([running, ...next])).toEqual(Array(4).fill('cancelled'))
})

test('rejects calls above the queue limit and lets queued callers disconnect', async () => {
  const running = ask('stall')
  const leave = new AbortController()
  const waiting = [ask('answer', leave.signal), ask('answer'), ask('answer')]
  expect(await ask('answer')).toBe('busy')
  leave.abort()
  expect(await waiting[0]).toBe('cancelled')
  await engine.stop()
  expect(await Promise.all([running, ...waiting.slice(1)])).toEqual([
    'cancelled',
    'cancelled',
    'cancelled',
  ])
  expect(await ask('answer')).toBe('cancelled')
})
