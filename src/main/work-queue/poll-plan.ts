import type { ErrorCode } from '../../shared/contract/reply.ts'
import { pollDelayMs } from '../provider-client/poll-intervals.ts'
import { unreadableInARow } from '../provider-client/tasks.ts'
import type { AppError } from '../errors.ts'
import { isRepairable, neverSent } from './retry-policy.ts'

/** Maximum delay between two polls of a task, in milliseconds. */
const maxIntervalMs = 10 * 60_000
/**
 * A task that has run for an hour is reported at most a minute late: delays grow up to this share of its age.
 */
const lateness = 1 / 60

/**
 * Returns the milliseconds before the next poll, after `polls` polls of a task tracked for `ageMs`. The first half hour
 * uses the client's own growing delays; later they depend on the age, because it is not known how long a provider keeps
 * a task.
 */
export function intervalMs(polls: number, ageMs: number, random: () => number): number {
  const byAge = Math.min(ageMs * lateness, maxIntervalMs)
  return Math.round(Math.max(pollDelayMs(Math.max(polls, 1), random), byAge))
}

/** The provider is unreachable now; this may resolve without user action. */
const passing: ReadonlySet<ErrorCode> = new Set(['OFFLINE', 'ENGINE_UNAVAILABLE', 'TLS_UNTRUSTED'])

/** What follows a failed poll. */
export type After =
  /** The provider may respond next time, after this delay. */
  | { readonly state: 'processing'; readonly delayMs: number }
  /** The account cannot send requests: poll again when it can, or after the delay if there is one. */
  | { readonly state: 'waiting'; readonly delayMs: number | null }
  | { readonly state: 'refused'; readonly delayMs: null }

/** Decides what follows after `failures` in a row, including this one, of a task polled `polls` times. */
export function afterFailure(
  error: AppError,
  task: { readonly polls: number; readonly failures: number; readonly ageMs: number },
  random: () => number,
): After {
  const { polls, failures, ageMs } = task
  if (passing.has(error.code) || neverSent(error))
    return { state: 'waiting', delayMs: intervalMs(failures, ageMs, random) }
  // Automatic retries would prompt for the keychain password each time.
  if (isRepairable(error.code)) return { state: 'waiting', delayMs: null }
  const unreadable = error.code === 'MALFORMED_REPLY'
  if (unreadable ? failures >= unreadableInARow : !error.retriable)
    return { state: 'refused', delayMs: null }
  const pause = intervalMs(Math.max(polls, failures), ageMs, random)
  return { state: 'processing', delayMs: Math.max(pause, error.retryAfterMs ?? 0) }
}
