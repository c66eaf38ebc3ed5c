import { expect, test } from 'vitest'
import { createConcurrencyLimit } from '../../../src/main/work-queue/concurrency-limit.ts'

test('halves the maximum once for simultaneous rate limits and restores it step by step', () => {
  let now = 1_000_000
  const limit = createConcurrencyLimit(() => now)
  expect(limit.places(4)).toBe(4)
  expect([limit.limited(), limit.limited()]).toEqual([true, false])
  expect([limit.places(4), limit.isReduced]).toEqual([2, true])
  now += 8_000
  expect(limit.limited()).toBe(true)
  expect(limit.places(4)).toBe(1)
  limit.succeeded()
  expect(limit.places(4)).toBe(1)
  now += 11_000
  const growing = [0, 0, 0, 0].map(() => {
    limit.succeeded()
    return limit.places(4)
  })
  expect(growing).toEqual([2, 3, 4, 4])
  expect([limit.places(2), limit.places(0.5)]).toEqual([2, 1])
})

test('restores the maximum after the clock was set back', () => {
  let now = 1_000_000_000
  const limit = createConcurrencyLimit(() => now)
  limit.places(4)
  limit.limited()
  now -= 100_000_000
  limit.succeeded()
  expect(limit.places(4)).toBe(3)
  expect(limit.limited()).toBe(true)
})
