import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { effectScope, nextTick, ref } from 'vue'
import { en } from '../../../src/renderer/src/i18n/en/index.ts'
import { zh } from '../../../src/renderer/src/i18n/zh/index.ts'
import { usePause } from '../../../src/renderer/src/kit/use-pause.ts'
import type { Failure } from '../../../src/shared/contract/reply.ts'

beforeEach(() => vi.useFakeTimers({ now: 1_000_000 }))
afterEach(() => void vi.useRealTimers())

const limited = (at: number, seconds: number): Failure => ({
  code: 'RATE_LIMITED',
  message: 'The provider’s rate limit was reached.',
  retriable: true,
  params: { seconds },
  service: { status: 429 },
  at,
})

test('counts down a requested pause to a retry', async () => {
  const failure = ref<Failure | null>(limited(1_000_000, 3))
  const scope = effectScope()
  const left = scope.run(() => usePause(() => failure.value))
  expect(left?.value).toBe(3)
  vi.advanceTimersByTime(1000)
  expect(left?.value).toBe(2)
  vi.advanceTimersByTime(2000)
  expect(left?.value).toBe(0)
  expect(vi.getTimerCount()).toBe(0)
  // Another failure requests a pause of its own.
  failure.value = limited(Date.now(), 30)
  await nextTick()
  expect(left?.value).toBe(30)
  scope.stop()
  expect(vi.getTimerCount()).toBe(0)
})

test('has no countdown after the pause, or when none was requested', () => {
  const leftOf = (failure: Failure | null) =>
    effectScope().run(() => usePause(() => failure))?.value
  expect(leftOf(limited(900_000, 30))).toBe(0)
  expect(leftOf({ ...limited(1_000_000, 30), params: { host: 'a.example' } })).toBe(0)
  expect(leftOf(null)).toBe(0)
  // The clock was set back in the meantime.
  expect(leftOf(limited(9_000_000, 30))).toBe(30)
})

test('does not promise an automatic retry in the rate limit message', () => {
  expect(en.errors.RATE_LIMITED.todo).not.toMatch(/automatic|by itself/i)
  expect(zh.errors.RATE_LIMITED.todo).not.toMatch(/自行|自动/)
})
