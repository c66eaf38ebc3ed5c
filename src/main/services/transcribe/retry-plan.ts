import type { ErrorCode } from '../../../shared/bridge/reply.ts'
import type { AppError } from '../../errors.ts'

/** What becomes of a job after an attempt failed. */
export type Next =
  | { readonly state: 'waiting'; readonly delayMs: number }
  | { readonly state: 'failed' }

/** Milliseconds before the next try by itself, by attempts made; the last repeats for the network. */
const delaysMs = [2_000, 10_000, 30_000, 120_000, 600_000] as const

/** Failures that pass when the network is back: tried for ever. */
const untilNetwork: ReadonlySet<ErrorCode> = new Set(['OFFLINE', 'TIMEOUT'])
/** Failures of the service or of one connection: tried a few times, then it is the user's turn. */
const someTimes: ReadonlySet<ErrorCode> = new Set([
  'STREAM_CUT',
  'RATE_LIMITED',
  'OVERLOADED',
  'SERVER_ERROR',
  'MALFORMED_REPLY',
])
const triesOfSome = 5

/**
 * Decides what follows a failed attempt; `attempts` counts this one too. A wait the service asked for is a minimum.
 * What only the user can mend (key, money, file, content) fails at once.
 */
export function planRetry(error: AppError, attempts: number): Next {
  const delay = delaysMs[Math.min(attempts, delaysMs.length) - 1] ?? 2_000
  const delayMs = Math.max(delay, error.retryAfterMs ?? 0)
  if (untilNetwork.has(error.code)) return { state: 'waiting', delayMs }
  if (someTimes.has(error.code) && attempts < triesOfSome) return { state: 'waiting', delayMs }
  return { state: 'failed' }
}
