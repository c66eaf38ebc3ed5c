import { expect, test } from 'vitest'
import { AppError, type AppErrorOptions } from '../../../src/main/errors.ts'
import { afterFailure, intervalMs } from '../../../src/main/work-queue/poll-plan.ts'
import type { ErrorCode } from '../../../src/shared/contract/reply.ts'

const random = () => 1
const after = (code: ErrorCode, options: AppErrorOptions, failures = 1, ageMs = 0) =>
  afterFailure(new AppError(code, 'x', options), { polls: 4, failures, ageMs }, random)
const retriable = true

test.each([
  ['OFFLINE', { retriable, params: { reason: 'refused' } }, 'waiting', 1000],
  ['OFFLINE', { retriable: false }, 'waiting', 1000],
  ['TIMEOUT', { retriable, params: { phase: 'connect' } }, 'waiting', 1000],
  ['TLS_UNTRUSTED', {}, 'waiting', 1000],
  ['ENGINE_UNAVAILABLE', {}, 'waiting', 1000],
  ['NO_KEY', {}, 'waiting', null],
  ['KEY_REJECTED', {}, 'waiting', null],
  ['KEYCHAIN_LOCKED', {}, 'waiting', null],
  ['BASE_URL_REFUSED', {}, 'waiting', null],
  ['TIMEOUT', { retriable, params: { phase: 'reply' } }, 'processing', 4096],
  ['STREAM_CUT', { retriable }, 'processing', 4096],
  ['SERVER_ERROR', { retriable }, 'processing', 4096],
  ['OVERLOADED', { retriable, retryAfterMs: 9000 }, 'processing', 9000],
  ['RATE_LIMITED', { retriable, retryAfterMs: 10 }, 'processing', 4096],
  ['RATE_LIMITED', {}, 'refused', null],
  ['QUOTA_EXHAUSTED', {}, 'refused', null],
  ['SERVICE_NOT_FOUND', {}, 'refused', null],
  ['NOT_FOUND', {}, 'refused', null],
  ['INTERNAL', {}, 'refused', null],
  ['MALFORMED_REPLY', {}, 'processing', 4096],
] as const)('%s with %j is followed by %s after %s ms', (code, options, state, delayMs) => {
  expect(after(code, options)).toEqual({ state, delayMs })
})

test('treats the fifth consecutive unreadable response as final', () => {
  expect(after('MALFORMED_REPLY', {}, 4).state).toBe('processing')
  expect(after('MALFORMED_REPLY', {}, 5).state).toBe('refused')
})

test('offline pauses grow with the failures, and with the age of the task', () => {
  const offline = { retriable, params: { reason: 'name' } }
  expect([1, 2, 3, 20].map((n) => after('OFFLINE', offline, n).delayMs)).toEqual([
    1000, 1600, 2560, 30_000,
  ])
  expect(after('OFFLINE', offline, 20, 3_600_000).delayMs).toBe(60_000)
})

test('a pause is a sixtieth of the age once that is longer, and at most ten minutes', () => {
  const minute = 60_000
  expect([0, 30, 31, 60, 600, 60_000].map((age) => intervalMs(50, age * minute, random))).toEqual([
    30_000, 30_000, 31_000, 60_000, 600_000, 600_000,
  ])
  expect(intervalMs(0, 0, random)).toBe(1000)
})
