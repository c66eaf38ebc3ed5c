import type { ErrorCode } from '../../../../shared/bridge/reply.ts'
import type { AppError } from '../../../errors.ts'
import { neverSent, planRetry } from '../../transcribe/retry-plan.ts'

/** Action after a failed attempt to send a segment. */
export type Next =
  /** Nothing left this computer: everything for the account waits, and this does not count as an attempt. */
  | { readonly type: 'offline'; readonly delayMs: number }
  /** The account is rejected: sending stops; not counted as an attempt. `delayMs` null: only the user can fix it. */
  | { readonly type: 'account'; readonly delayMs: number | null }
  /** Rate limit: the queue waits; not counted as an attempt. */
  | { readonly type: 'limited'; readonly delayMs: number }
  | { readonly type: 'again'; readonly delayMs: number }
  /** A gap in the transcript until it is retried. */
  | { readonly type: 'failed' }

/** Failed attempts of one segment before it is left as a gap; `planRetry` counts the same. */
export const sendings = 5

/** Failures of an account, which every other segment would meet as well. */
const ofAccount: ReadonlySet<ErrorCode> = new Set([
  'NO_KEY',
  'KEY_REJECTED',
  'PERMISSION_DENIED',
  'QUOTA_EXHAUSTED',
  'KEYCHAIN_UNAVAILABLE',
  'KEYCHAIN_LOCKED',
  'BASE_URL_REFUSED',
  'TLS_UNTRUSTED',
  'REDIRECTED',
  'MODEL_UNKNOWN',
  'NOT_IMPLEMENTED',
  'SERVICE_NOT_FOUND',
  'ENGINE_UNAVAILABLE',
  // The account was removed.
  'NOT_FOUND',
])

/** Whether a failure concerns the account, not the sent content. */
export const concernsAccount = (code: ErrorCode): boolean =>
  ofAccount.has(code) || code === 'RATE_LIMITED'

/**
 * Probe interval for failures that may be fixed without a change here, such as quota and permissions at the provider, in
 * milliseconds.
 */
const probeMs = 600_000
const externallyRepairedCodes: ReadonlySet<ErrorCode> = new Set([
  'QUOTA_EXHAUSTED',
  'RATE_LIMITED',
  'PERMISSION_DENIED',
  'SERVICE_NOT_FOUND',
  'ENGINE_UNAVAILABLE',
])

/** Consecutive failures so far, by type, excluding this one except in `attempts`. */
export interface Counts {
  /** Attempts to send the segment, including this one. */
  readonly attempts: number
  /** Of the account: nothing left this computer. */
  readonly offline: number
  /** Of the queue: rate limited. */
  readonly limited: number
}

/**
 * Decides by the rules of short recordings (`planRetry`), extended for the queue: a failure of the account, of the network or
 * of the rate limit does not count as an attempt of the affected segment. The fifth failed attempt leaves a gap.
 */
export function planNext(error: AppError, { attempts, offline, limited }: Counts): Next {
  const final = error.code === 'RATE_LIMITED' && !error.retriable
  if (ofAccount.has(error.code) || final) {
    const delayMs = externallyRepairedCodes.has(error.code)
      ? Math.max(probeMs, error.retryAfterMs ?? 0)
      : null
    return { type: 'account', delayMs }
  }
  if (error.retriable && neverSent(error)) {
    return { type: 'offline', delayMs: delayOf(planRetry(error, attempts, offline + 1)) }
  }
  if (error.code === 'RATE_LIMITED') {
    // Counted by the queue, and without end: `planRetry` gives up at the fifth.
    return { type: 'limited', delayMs: delayOf(planRetry(error, Math.min(limited + 1, 4), 0)) }
  }
  const next = planRetry(error, attempts, 0)
  return next.state === 'failed' ? { type: 'failed' } : { type: 'again', delayMs: next.delayMs }
}

const delayOf = (next: ReturnType<typeof planRetry>): number =>
  next.state === 'waiting' ? next.delayMs : probeMs
