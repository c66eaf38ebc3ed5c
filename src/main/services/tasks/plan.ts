import type { ErrorCode } from '../../../shared/bridge/reply.ts'
import { pollDelayMs } from '../../api/poll-intervals.ts'
import { unreadableInARow } from '../../api/tasks.ts'
import type { AppError } from '../../errors.ts'
import { repairable } from '../accounts/repairable.ts'
import { neverSent } from '../transcribe/retry-plan.ts'

/** Longest pause between two questions about one task, in milliseconds. */
const maxIntervalMs = 10 * 60_000
/** What is asked for an hour already is told a minute late at most: pauses grow to this share of a task's age. */
const lateness = 1 / 60

/**
 * Milliseconds before the next question: `polls` were asked so far, about a task that is watched for `ageMs`. The first half
 * hour is the client's own growing pauses; after that they follow the age, since how long a service keeps a task is not known.
 */
export function intervalMs(polls: number, ageMs: number, random: () => number): number {
  const byAge = Math.min(ageMs * lateness, maxIntervalMs)
  return Math.round(Math.max(pollDelayMs(Math.max(polls, 1), random), byAge))
}

/** No way to the service now; it may be back by itself. */
const passing: ReadonlySet<ErrorCode> = new Set(['OFFLINE', 'ENGINE_UNAVAILABLE', 'TLS_UNTRUSTED'])

/** What follows a question that brought no answer. */
export type After =
  /** The service may answer next time, after this pause. */
  | { readonly state: 'processing'; readonly delayMs: number }
  /** The account cannot be asked: again when it says it can, or after the pause if there is one. */
  | { readonly state: 'waiting'; readonly delayMs: number | null }
  | { readonly state: 'refused'; readonly delayMs: null }

/** Decides it: `failures` in a row, this one too, of a task that was asked for `polls` times. */
export function afterFailure(
  error: AppError,
  task: { readonly polls: number; readonly failures: number; readonly ageMs: number },
  random: () => number,
): After {
  const { polls, failures, ageMs } = task
  if (passing.has(error.code) || neverSent(error))
    return { state: 'waiting', delayMs: intervalMs(failures, ageMs, random) }
  // Asking again by itself would ask for the keychain's password each time.
  if (repairable.has(error.code)) return { state: 'waiting', delayMs: null }
  const unreadable = error.code === 'MALFORMED_REPLY'
  if (unreadable ? failures >= unreadableInARow : !error.retriable)
    return { state: 'refused', delayMs: null }
  const pause = intervalMs(Math.max(polls, failures), ageMs, random)
  return { state: 'processing', delayMs: Math.max(pause, error.retryAfterMs ?? 0) }
}
