import type { ErrorCode } from '../../shared/contract/reply.ts'
import type { AppError } from '../errors.ts'
import { stopped } from './network-errors.ts'

export type AttemptEnd<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: AppError; readonly arrival: Arrival }

/** Progress of a failed attempt. */
export interface Arrival {
  /** Whether the request may have reached the provider. */
  readonly sent: boolean
  /** Whether part of the answer was already passed to the caller. */
  readonly streamed: boolean
}

/**
 * Repeatability of a call: `safe` may be sent twice without harm, `creating` creates something each time it arrives, a `turn`
 * adds to a conversation unless it was rejected by a rate limit (429).
 */
export type Repeat = 'safe' | 'turn' | 'creating'

/** Parameters of the retry rules; times in milliseconds. */
export interface RetryRules {
  readonly attempts: number
  readonly firstDelayMs: number
  readonly maxDelayMs: number
  /**
   * A longer wait, requested by the provider or calculated, is left to the caller: the error carries a Retry-After.
   */
  readonly maxWaitMs: number
}

/** Bounds of one operation, where they are stricter than the rules. */
export type RetryBounds = Partial<Pick<RetryRules, 'attempts' | 'maxWaitMs'>>

/** Returns the rules for an operation: the smaller of each number. */
export function bounded(rules: RetryRules, bounds: RetryBounds): RetryRules {
  return {
    ...rules,
    attempts: Math.min(rules.attempts, bounds.attempts ?? Infinity),
    maxWaitMs: Math.min(rules.maxWaitMs, bounds.maxWaitMs ?? Infinity),
  }
}

/** Four attempts, waiting about 0.5, 1 and 2 seconds in between. */
export const retryRules: RetryRules = {
  attempts: 4,
  firstDelayMs: 500,
  maxDelayMs: 8_000,
  maxWaitMs: 60_000,
}

/**
 * Failures that may succeed when sent again a moment later. Other retriable ones need a longer pause, or the user.
 */
const worthRepeating: ReadonlySet<ErrorCode> = new Set([
  'RATE_LIMITED',
  'OVERLOADED',
  'SERVER_ERROR',
  'OFFLINE',
  'STREAM_CUT',
])

/** Being offline lasts longer than a backoff; one more attempt covers a lost packet or a closed idle connection. */
const offlineAttempts = 2

/**
 * Returns the milliseconds to wait before sending again, or null when the call must not be repeated. `attempt` is the failed
 * one, from 1.
 */
export function delayBeforeNext(
  failed: { readonly error: AppError; readonly arrival: Arrival; readonly attempt: number },
  repeat: Repeat,
  rules: RetryRules,
  random: () => number,
): number | null {
  const { error, arrival, attempt } = failed
  if (!error.retriable || arrival.streamed) return null
  const mayRepeat = repeat === 'safe' || (repeat === 'turn' && error.service?.status === 429)
  if (arrival.sent && !mayRepeat) return null
  const connectTimeout = error.code === 'TIMEOUT' && !arrival.sent
  if (!worthRepeating.has(error.code) && !connectTimeout) return null
  const few = error.code === 'OFFLINE' || connectTimeout
  if (attempt >= (few ? Math.min(offlineAttempts, rules.attempts) : rules.attempts)) return null

  const full = Math.min(rules.firstDelayMs * 2 ** (attempt - 1), rules.maxDelayMs)
  const backoff = full * (0.5 + random() / 2)
  const wait = Math.max(backoff, error.retryAfterMs ?? 0)
  return wait > rules.maxWaitMs ? null : wait
}

/** Runs attempts until one succeeds or must not be repeated; throws the last error, or CANCELLED (TIMEOUT for a deadline) when stopped while waiting. */
export async function withRetries<T>(
  run: (attempt: number) => Promise<AttemptEnd<T>>,
  repeat: Repeat,
  rules: RetryRules,
  outside: {
    readonly random: () => number
    /** Resolves after `ms`, or rejects as soon as the signal is aborted. */
    readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>
    readonly signal: AbortSignal | undefined
  },
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const end = await run(attempt)
    if (end.ok) return end.value
    const delay = delayBeforeNext({ ...end, attempt }, repeat, rules, outside.random)
    if (delay === null) throw end.error
    try {
      await outside.sleep(delay, outside.signal)
    } catch (error) {
      throw outside.signal?.aborted ? stopped(outside.signal) : error
    }
  }
}
