import { expect, test } from 'vitest'
import { AppError } from '../../../src/main/errors.ts'
import { planRetry } from '../../../src/main/services/transcribe/retry-plan.ts'

const error = (code: ConstructorParameters<typeof AppError>[0], retryAfterMs?: number) =>
  new AppError(code, code, retryAfterMs === undefined ? {} : { retryAfterMs })

test('what the network causes waits for the network, for ever and ever longer', () => {
  const delays = [1, 2, 3, 4, 5, 50].map((attempts) => planRetry(error('OFFLINE'), attempts))
  expect(delays).toEqual(
    [2_000, 10_000, 30_000, 120_000, 600_000, 600_000].map((delayMs) => ({
      state: 'waiting',
      delayMs,
    })),
  )
})

test('what the service causes is tried a few times, then it is the turn of the user', () => {
  expect(planRetry(error('STREAM_CUT'), 4).state).toBe('waiting')
  expect(planRetry(error('STREAM_CUT'), 5).state).toBe('failed')
})

test('a wait the service asked for is kept', () => {
  expect(planRetry(error('RATE_LIMITED', 45_000), 1)).toEqual({ state: 'waiting', delayMs: 45_000 })
  expect(planRetry(error('RATE_LIMITED', 1), 1)).toEqual({ state: 'waiting', delayMs: 2_000 })
})

test.each([
  'NO_KEY',
  'KEY_REJECTED',
  'QUOTA_EXHAUSTED',
  'AUDIO_TOO_LONG',
  'CONTENT_BLOCKED',
  'INTERNAL',
] as const)('%s fails at once: only the user can mend it', (code) => {
  expect(planRetry(error(code), 1)).toEqual({ state: 'failed' })
})
