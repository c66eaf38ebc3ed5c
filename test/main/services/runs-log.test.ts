import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { AppError } from '../../../src/main/errors.ts'
import { createEventLog } from '../../../src/main/services/runs/event-log.ts'
import { packReply } from '../../../src/main/services/runs/pack.ts'
import { runTitle, shownTitle } from '../../../src/main/services/runs/title.ts'
import type { EventBatch } from '../../../src/shared/model/run.ts'
import { inflateRawSync } from 'node:zlib'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

function setup() {
  const stored: EventBatch[] = []
  const reported: EventBatch[] = []
  const troubles: AppError[] = []
  const broken: unknown[] = []
  let trouble: Error | null = null
  const log = createEventLog({
    store(batch) {
      if (trouble) throw trouble
      stored.push(batch)
    },
    emit(batch) {
      // Nobody hears of what is not stored.
      expect(stored).toContain(batch)
      reported.push(batch)
    },
    onTrouble: (error) => void troubles.push(error),
    onBroken: (error) => void broken.push(error),
    mask: (text) => text,
  })
  const breakStore = (error: Error | null) => (trouble = error)
  return { log, stored, reported, troubles, broken, break: breakStore }
}

const never = new AbortController().signal

test('events of 30 ms are one batch, stored and then told, numbered on without holes', async () => {
  const { log, stored, reported } = setup()
  for (let n = 0; n < 3; n++) log.add({ n })
  expect(stored).toEqual([])
  vi.advanceTimersByTime(30)
  expect(stored).toEqual([{ first: 0, count: 3, json: '[{"n":0},{"n":1},{"n":2}]' }])
  log.add({ n: 3 })
  await log.settle(never)
  expect(reported.map(({ first, count }) => [first, count])).toEqual([
    [0, 3],
    [3, 1],
  ])
})

test('a store in trouble makes the batch wait and grow; nothing is lost or told too early', async () => {
  const { log, stored, reported, troubles, break: makeProblem } = setup()
  makeProblem(new AppError('DISK_FULL', 'full'))
  log.add({ n: 0 })
  vi.advanceTimersByTime(30)
  expect([stored.length, reported.length, troubles.length]).toEqual([0, 0, 1])
  log.add({ n: 1 })
  makeProblem(null)
  vi.advanceTimersByTime(1000)
  expect(stored).toEqual([{ first: 0, count: 2, json: '[{"n":0},{"n":1}]' }])
  expect(reported).toEqual(stored)
  await log.settle(never)
  expect(stored).toHaveLength(1)
})

test('an error that does not pass is told once, and nothing more gathers or is tried', async () => {
  const { log, stored, broken, troubles, break: makeProblem } = setup()
  log.add({ n: 0 })
  vi.advanceTimersByTime(30)
  const error = new Error('too long a text')
  makeProblem(error)
  log.add({ n: 1 })
  vi.advanceTimersByTime(30)
  expect(broken).toEqual([error])
  for (let n = 2; n < 9; n++) log.add({ n })
  expect(vi.getTimerCount()).toBe(0)
  makeProblem(null)
  await log.settle(never)
  expect([stored.length, broken.length, troubles.length]).toEqual([1, 1, 0])
})

test('a store that never takes it again is told when Lectern closes', async () => {
  const { log, break: makeProblem } = setup()
  makeProblem(new AppError('DISK_FULL', 'full'))
  log.add({ n: 0 })
  await expect(log.settle(AbortSignal.abort())).rejects.toMatchObject({ code: 'DISK_FULL' })
})

test('long replies are kept deflated, whole characters and all; empty ones are not kept', async () => {
  const raw = (body: string) => ({ status: 200, contentType: 'text/event-stream', body })
  expect(await packReply(null)).toBeNull()
  expect(await packReply(raw(''))).toBeNull()
  expect(await packReply(raw('short'))).toEqual(raw('short'))
  // Characters of two units at every possible place of a cut.
  const long = `x${'😀汉'.repeat(500_000)}`
  const packed = await packReply(raw(long))
  if (!packed || typeof packed.body === 'string') throw new Error('not packed')
  expect(packed.body.length).toBeLessThan(long.length / 50)
  expect(inflateRawSync(packed.body).toString('utf8') === long).toBe(true)
})

test('a run nobody named is called by its file, its question or its text', () => {
  expect(runTitle('files.upload', { purpose: 'x' }, 'a.wav')).toBe('a.wav')
  expect(runTitle('agents.chat', { messages: ['Why?'] }, null)).toBe('Why?')
  const parts = [{ role: 'user', content: [{ type: 'text', text: ' Two\nlines ' }] }]
  expect(runTitle('agents.chat', { messages: parts }, null)).toBe('Two lines')
  expect(runTitle('rerank.create', { query: 'q', documents: ['d'] }, null)).toBe('q')
  expect(runTitle('voices.list', {}, null)).toBe('voices.list')
  expect(runTitle('rerank.create', { query: 'x'.repeat(9999) }, null)).toHaveLength(120)
  expect(shownTitle('\u202e\u0000')).toBe('')
})
