import type { ErrorCode } from '../../../../shared/bridge/reply.ts'
import type { AppError } from '../../../errors.ts'
import { neverSent, planRetry } from '../../transcribe/retry-plan.ts'

/** What follows a failed sending of a segment. */
export type Next =
  /** Nothing left this computer: everything for the account waits, and this was no attempt. */
  | { readonly type: 'offline'; readonly delayMs: number }
  /** The account is refused: sending stops, and this was no attempt. `delayMs` null: only the user can mend it. */
  | { readonly type: 'account'; readonly delayMs: number | null }
  /** Too much at a time: the lane waits, and this was no attempt. */
  | { readonly type: 'limited'; readonly delayMs: number }
  | { readonly type: 'again'; readonly delayMs: number }
  /** A hole in the transcript until somebody tries again. */
  | { readonly type: 'failed' }

/** Sendings of one segment that fail before it is left as a hole; `planRetry` counts the same. */
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

/** True for failures that say something about the account, not about what was sent. */
export const concernsAccount = (code: ErrorCode): boolean =>
  ofAccount.has(code) || code === 'RATE_LIMITED'

/** What may mend itself without anything changing here: money and rights are changed at the service. Probed this often, in milliseconds. */
const probeMs = 600_000
const externallyRepairedCodes: ReadonlySet<ErrorCode> = new Set([
  'QUOTA_EXHAUSTED',
  'RATE_LIMITED',
  'PERMISSION_DENIED',
  'SERVICE_NOT_FOUND',
  'ENGINE_UNAVAILABLE',
])

/** Failures in a row so far, each of its kind, this one not counted but for `attempts`. */
export interface Counts {
  /** Sendings of the segment, this one too. */
  readonly attempts: number
  /** Of the account: nothing left this computer. */
  readonly offline: number
  /** Of the lane: too much at a time. */
  readonly limited: number
}

/**
 * Decides by the rules of short recordings (`planRetry`), with what a queue adds: a failure of the account, of the network or
 * of the pace is no attempt of the segment that happened to meet it. The fifth sending that fails leaves a hole.
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
    // Counted by the lane, and never at an end: `planRetry` gives up at the fifth.
    return { type: 'limited', delayMs: delayOf(planRetry(error, Math.min(limited + 1, 4), 0)) }
  }
  const next = planRetry(error, attempts, 0)
  return next.state === 'failed' ? { type: 'failed' } : { type: 'again', delayMs: next.delayMs }
}

const delayOf = (next: ReturnType<typeof planRetry>): number =>
  next.state === 'waiting' ? next.delayMs : probeMs
