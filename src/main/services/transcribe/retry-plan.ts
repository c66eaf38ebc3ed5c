import type { ErrorCode } from '../../../shared/bridge/reply.ts'
import type { AppError } from '../../errors.ts'

/** What becomes of a job after an attempt failed. */
export type Next =
  | {
      readonly state: 'waiting'
      readonly delayMs: number
      /** Nothing was sent: the job may be tried the moment the service answers anything. */
      readonly wakeable: boolean
    }
  | { readonly state: 'failed' }

/** Milliseconds before the next try by itself, by failures in a row; the last repeats. */
const delaysMs = [2_000, 10_000, 30_000, 120_000, 600_000] as const
/** Sendings of one job before it is the user's turn; what never left this computer does not count. */
const sendings = 5

/** Failures of the way there, before a byte of the request could arrive. */
const notSent: ReadonlySet<unknown> = new Set(['refused', 'name', 'unreachable', 'proxy'])

/** True when the request cannot have reached the service: trying again costs nothing and repeats nothing. */
export function neverSent(error: {
  readonly code: ErrorCode
  readonly params?: AppError['params']
}): boolean {
  if (error.code === 'OFFLINE') return notSent.has(error.params?.['reason'])
  return error.code === 'TIMEOUT' && error.params?.['phase'] === 'connect'
}

/**
 * Decides what follows a failed attempt: `attempts` sendings so far (this one too), `offline` failures in a row that never
 * left this computer. A wait the service asked for is a minimum. What the client calls final (key, money, file, content, codes
 * that must not be repeated: service-notes 14) fails at once, with one exception: an unreadable reply may be a portal's page.
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
