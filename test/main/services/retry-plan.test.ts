import { expect, test } from 'vitest'
import { AppError, type AppErrorOptions } from '../../../src/main/errors.ts'
import { planRetry } from '../../../src/main/services/transcribe/retry-plan.ts'

const error = (code: ConstructorParameters<typeof AppError>[0], options: AppErrorOptions = {}) =>
  new AppError(code, code, options)
const again = { retriable: true }

test('a request that never left this computer waits for the network with growing pauses', () => {
  const refused = error('OFFLINE', { ...again, params: { reason: 'refused' } })
  const plans = [1, 2, 3, 4, 5, 50].map((offline) => planRetry(refused, offline, offline))
  expect(plans).toEqual(
    [2_000, 10_000, 30_000, 120_000, 600_000, 600_000].map((delayMs) => ({
      state: 'waiting',
      delayMs,
      wakeable: true,
    })),
  )
  const connect = error('TIMEOUT', { ...again, params: { phase: 'connect' } })
  expect(planRetry(connect, 1, 1)).toMatchObject({ wakeable: true })
})

test.each([
  error('OFFLINE', { ...again, params: { reason: 'reset' } }),
  error('TIMEOUT', { ...again, params: { phase: 'reply' } }),
  error('STREAM_CUT', again),
  error('RATE_LIMITED', again),
  error('MALFORMED_REPLY'),
])(
  'retries a possibly received request a few times, then leaves it to the user: $code',
  (failure) => {
    expect(planRetry(failure, 4, 0)).toMatchObject({ state: 'waiting', wakeable: false })
    expect(planRetry(failure, 5, 0).state).toBe('failed')
  },
)

test('respects a wait time requested by the provider', () => {
  const rateLimited = (retryAfterMs: number) => error('RATE_LIMITED', { ...again, retryAfterMs })
  expect(planRetry(rateLimited(45_000), 1, 0)).toMatchObject({ delayMs: 45_000 })
  expect(planRetry(rateLimited(1), 1, 0)).toMatchObject({ delayMs: 2_000 })
})

test.each([
  'NO_KEY',
  'KEY_REJECTED',
  'QUOTA_EXHAUSTED',
  'AUDIO_TOO_LONG',
  'CONTENT_BLOCKED',
  'RATE_LIMITED',
  'OFFLINE',
  'INTERNAL',
] as const)('%s fails at once if the client calls it final', (code) => {
  expect(planRetry(error(code), 1, 1)).toEqual({ state: 'failed' })
})
