import { expect, test } from 'vitest'
import { AppError, type AppErrorOptions } from '../../../src/main/errors.ts'
import {
  affectsAccount,
  concernsAccount,
  downloadDelayMs,
  isRepairable,
  planPartRetry,
  planRetry,
} from '../../../src/main/work-queue/retry-policy.ts'

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

const first = { attempts: 1, offline: 0, limited: 0, isOneOperation: true, isDeterministic: false }

test.each([
  'NO_KEY',
  'KEY_REJECTED',
  'KEYCHAIN_LOCKED',
  'BASE_URL_REFUSED',
  'MODEL_UNKNOWN',
  'ACCOUNT_REMOVED',
] as const)('stops the account for %s until the user fixes it', (code) => {
  expect(planPartRetry(error(code), first)).toEqual({ type: 'account', delayMs: null })
  expect(concernsAccount(code)).toBe(true)
})

test.each(['QUOTA_EXHAUSTED', 'PERMISSION_DENIED', 'SERVICE_NOT_FOUND'] as const)(
  'probes an account after %s, because the provider may fix it without a change here',
  (code) => {
    expect(planPartRetry(error(code), first)).toEqual({ type: 'account', delayMs: 600_000 })
    expect(isRepairable(code)).toBe(false)
  },
)

test('never counts a rate limit or an outage as an attempt of the part', () => {
  const limited = error('RATE_LIMITED', again)
  const refused = error('OFFLINE', { ...again, params: { reason: 'refused' } })
  const many = { ...first, attempts: 50, offline: 50, limited: 50 }
  expect(planPartRetry(limited, many)).toEqual({ type: 'limited', delayMs: 120_000 })
  expect(planPartRetry(refused, many)).toEqual({ type: 'offline', delayMs: 600_000 })
  expect(planPartRetry(error('STREAM_CUT', again), many)).toEqual({ type: 'failed' })
})

test('repeats a wrong response of a deterministic request only if it is not the provider’s', () => {
  const plan = (reason: string | null, isDeterministic: boolean) =>
    planPartRetry(error('MALFORMED_REPLY', reason === null ? {} : { params: { reason } }), {
      ...first,
      isDeterministic,
    }).type
  for (const reason of ['html', 'empty', 'not-json']) expect(plan(reason, true)).toBe('again')
  for (const reason of ['vector-count', 'dimensions', 'index-twice', null]) {
    expect(plan(reason, true)).toBe('failed')
    expect(plan(reason, false)).toBe('again')
  }
})

test('fails other work of an account only for failures that every request of it meets', () => {
  expect(affectsAccount('KEY_REJECTED')).toBe(true)
  // Another model, voice or operation may work.
  for (const code of ['SERVICE_NOT_FOUND', 'MODEL_UNKNOWN', 'PERMISSION_DENIED'] as const)
    expect(affectsAccount(code), code).toBe(false)
})

test('downloads a file six times, and a hundred times if the problem is on this computer', () => {
  const host = (status: number) => ({ code: 'SERVICE_FAILED', service: { status } }) as const
  const delays = (failures: number) => downloadDelayMs(host(503), failures)
  expect([0, 1, 2, 3, 4, 5].map(delays)).toEqual([5_000, 10_000, 20_000, 40_000, 80_000, null])
  expect(downloadDelayMs(host(404), 0)).toBeNull()
  expect(downloadDelayMs(host(404), 0, (status) => status === 404)).toBe(5_000)
  expect(downloadDelayMs({ code: 'REFUSED' }, 0)).toBeNull()
  for (const code of ['OFFLINE', 'DISK_FULL', 'DATABASE_BUSY'] as const)
    expect([5, 50, 98, 99].map((failures) => downloadDelayMs({ code }, failures))).toEqual([
      160_000,
      600_000,
      600_000,
      null,
    ])
})
