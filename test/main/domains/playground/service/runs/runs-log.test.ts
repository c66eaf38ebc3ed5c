import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { AppError } from '../../../../../../src/main/errors.ts'
import { createEventLog } from '../../../../../../src/main/runs/event-log.ts'
import { packReply } from '../../../../../../src/main/runs/pack-reply.ts'
import { runTitle, shownTitle } from '../../../../../../src/main/runs/run-title.ts'
import type { EventBatch } from '../../../../../../src/shared/model/run.ts'
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
      // Nothing is reported before it is stored.
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

test('batches events of 30 ms, stores and then reports them, numbered without gaps', async () => {
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

test('a batch waits and grows while the store fails; nothing is lost or reported too early', async () => {
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

test('reports a permanent error once, then collects and tries nothing more', async () => {
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

test('reports when Lectern closes that the store never accepted the events', async () => {
  const { log, break: makeProblem } = setup()
  makeProblem(new AppError('DISK_FULL', 'full'))
  log.add({ n: 0 })
  await expect(log.settle(AbortSignal.abort())).rejects.toMatchObject({ code: 'DISK_FULL' })
})

test('stores long responses deflated, with intact characters; does not store empty ones', async () => {
  const raw = (body: string) => ({ status: 200, contentType: 'text/event-stream', body })
  expect(await packReply(null)).toBeNull()
  expect(await packReply(raw(''))).toBeNull()
  expect(await packReply(raw('short'))).toEqual(raw('short'))
  // Surrogate pairs at every possible cut position.
  const long = `x${'😀汉'.repeat(500_000)}`
  const packed = await packReply(raw(long))
  if (!packed || typeof packed.body === 'string') throw new Error('not packed')
  expect(packed.body.length).toBeLessThan(long.length / 50)
  expect(inflateRawSync(packed.body).toString('utf8') === long).toBe(true)
})

test('an unnamed run gets its title from its file, question or text', () => {
  expect(runTitle('files.upload', { purpose: 'x' }, 'a.wav')).toBe('a.wav')
  expect(runTitle('agents.chat', { messages: ['Why?'] }, null)).toBe('Why?')
  const parts = [{ role: 'user', content: [{ type: 'text', text: ' Two\nlines ' }] }]
  expect(runTitle('agents.chat', { messages: parts }, null)).toBe('Two lines')
  expect(runTitle('rerank.create', { query: 'q', documents: ['d'] }, null)).toBe('q')
  expect(runTitle('voices.list', {}, null)).toBe('voices.list')
  expect(runTitle('rerank.create', { query: 'x'.repeat(9999) }, null)).toHaveLength(120)
  expect(shownTitle('\u202e\u0000')).toBe('')
})
