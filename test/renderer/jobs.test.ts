import { expect, test } from 'vitest'
import { canRetry } from '../../src/renderer/src/features/jobs/retry.ts'
import type { ErrorCode } from '../../src/shared/bridge/reply.ts'
import { failure, job } from './fake-data.ts'

const failed = (code: ErrorCode, retriable = false) =>
  job('j', 'i', 'A talk', { state: 'failed', error: failure(code, { retriable }) })

test('what chance, the account, the key or the network can mend may be tried again', () => {
  expect(canRetry(failed('SERVER_ERROR', true))).toBe(true)
  for (const code of ['NO_KEY', 'KEY_REJECTED', 'QUOTA_EXHAUSTED', 'OFFLINE'] as const)
    expect(canRetry(failed(code)), code).toBe(true)
  expect(canRetry(job('j', 'i', 'A talk', { state: 'cancelled' }))).toBe(true)
})

test('what lies in the file is never offered again, whatever the failure says of itself', () => {
  for (const code of [
    'AUDIO_TOO_LONG',
    'FILE_TOO_LARGE',
    'UNSUPPORTED_FORMAT',
    'DAMAGED_FILE',
    'EMPTY_FILE',
    'FILE_MISSING',
    'LIMIT_EXCEEDED',
    'NOT_FOUND',
    'CONTENT_BLOCKED',
    'CONTEXT_TOO_LONG',
  ] as const)
    expect(canRetry(failed(code, true)), code).toBe(false)
})

test('a job that goes on by itself has nothing to try again', () => {
  for (const state of ['queued', 'running', 'waiting', 'done'] as const)
    expect(canRetry(job('j', 'i', 'A talk', { state })), state).toBe(false)
})
