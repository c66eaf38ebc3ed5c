import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { effectScope, nextTick, ref } from 'vue'
import { en } from '../../src/renderer/src/i18n/en/index.ts'
import { zh } from '../../src/renderer/src/i18n/zh/index.ts'
import { usePause } from '../../src/renderer/src/ui/use-pause.ts'
import type { Failure } from '../../src/shared/bridge/reply.ts'

beforeEach(() => vi.useFakeTimers({ now: 1_000_000 }))
afterEach(() => void vi.useRealTimers())

const limited = (at: number, seconds: number): Failure => ({
  code: 'RATE_LIMITED',
  message: 'The service asks to send fewer requests at a time.',
  retriable: true,
  params: { seconds },
  service: { status: 429 },
  at,
})

test('a pause that the service asked for is counted down to a retry', async () => {
  const failure = ref<Failure | null>(limited(1_000_000, 3))
  const scope = effectScope()
  const left = scope.run(() => usePause(() => failure.value))
  expect(left?.value).toBe(3)
  vi.advanceTimersByTime(1000)
  expect(left?.value).toBe(2)
  vi.advanceTimersByTime(2000)
  expect(left?.value).toBe(0)
  expect(vi.getTimerCount()).toBe(0)
  // Another failure asks for a pause of its own.
  failure.value = limited(Date.now(), 30)
  await nextTick()
  expect(left?.value).toBe(30)
  scope.stop()
  expect(vi.getTimerCount()).toBe(0)
})

test('nothing is waited for after the pause, or where none was asked for', () => {
  const leftOf = (failure: Failure | null) =>
    effectScope().run(() => usePause(() => failure))?.value
  expect(leftOf(limited(900_000, 30))).toBe(0)
  expect(leftOf({ ...limited(1_000_000, 30), params: { host: 'a.example' } })).toBe(0)
  expect(leftOf(null)).toBe(0)
  // The clock was set back since.
  expect(leftOf(limited(9_000_000, 30))).toBe(30)
})

test('a rate limit promises no work that nobody does', () => {
  expect(en.errors.RATE_LIMITED.todo).not.toMatch(/by itself/)
  expect(zh.errors.RATE_LIMITED.todo).not.toMatch(/自行|自动/)
})
