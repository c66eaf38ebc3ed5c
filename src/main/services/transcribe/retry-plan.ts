import type { ErrorCode } from '../../../shared/bridge/reply.ts'
import type { AppError } from '../../errors.ts'

/** What follows a failed attempt of a job. */
export type Next =
  | {
      readonly state: 'waiting'
      readonly delayMs: number
      /** Nothing was sent: the job may be retried as soon as the provider responds to anything. */
      readonly wakeable: boolean
    }
  | { readonly state: 'failed' }

/** Milliseconds before the next automatic retry, by consecutive failures; the last value repeats. */
const delaysMs = [2_000, 10_000, 30_000, 120_000, 600_000] as const
/**
 * Maximum requests of one job before the user has to act; requests that never left this computer do not count.
 */
const sendings = 5

/** Connection failures before any byte of the request could be received. */
const notSent: ReadonlySet<unknown> = new Set(['refused', 'name', 'unreachable', 'proxy'])

/**
 * Returns true if the request cannot have reached the provider, so that a retry costs nothing and repeats nothing.
 */
export function neverSent(error: {
  readonly code: ErrorCode
  readonly params?: AppError['params']
}): boolean {
  if (error.code === 'OFFLINE') return notSent.has(error.params?.['reason'])
  return error.code === 'TIMEOUT' && error.params?.['phase'] === 'connect'
}

/**
 * Decides what follows a failed attempt, after `attempts` requests (including this one) and `offline` consecutive
 * failures that never left this computer. A delay requested by the provider is a minimum. Final client errors (API key,
 * quota, file, content, codes that must not be retried: service-notes 14) fail immediately, with one exception: an
 * unreadable response may be the page of a captive portal.
 */
export function planRetry(error: AppError, attempts: number, offline: number): Next {
  const wait = (failures: number): number =>
    Math.max(delaysMs[Math.min(failures, delaysMs.length) - 1] ?? 2_000, error.retryAfterMs ?? 0)
  if (error.retriable && neverSent(error)) {
    return { state: 'waiting', delayMs: wait(offline), wakeable: true }
  }
  const again = error.retriable || error.code === 'MALFORMED_REPLY'
  if (again && attempts < sendings) {
    return { state: 'waiting', delayMs: wait(attempts), wakeable: false }
  }
  return { state: 'failed' }
}
