import type { Failure } from '../../shared/contract/reply.ts'
import type { Clock } from '../deps.ts'
import { isDue } from '../platform/database/due.ts'

/** Reason why nothing, or only a probe, is sent to an account. */
export type Closed =
  /** Requests do not leave this computer. */
  | 'offline'
  /** The account itself is rejected: key, balance, permission, URL. */
  | 'account'
  /** The provider responds, but returned nothing useful for several parts in a row. */
  | 'failing'

/** Circuit breaker of one account: when it is closed, one part probes the account instead of all. */
export interface Gate {
  readonly closed: Closed | null
  /** The error that closed it, for `account`. */
  readonly error: Failure | null
  /** Unix ms at which a probe may be sent; null if it is open, a probe is in flight, or only the user can fix it. */
  readonly nextAt: number | null
  /** Consecutive failures that closed it or kept it closed. */
  readonly failures: number
  /** Whether another part may be sent with this many in flight. */
  admits(inFlight: number): boolean
  /** Records a response of any quality. Returns true if the gate was closed. */
  opened(): boolean
  /** Records a failure of the account. Parts in flight when the gate closed do not count again. */
  close(why: Closed, delayMs: number | null, error: Failure): void
  /** Records a failure that may be the part’s own: several consecutive parts close the gate. */
  failed(partId: string, delayMs: number, error: Failure): void
  /** Records an attempt that revealed nothing about the account: a probe is no longer in flight. */
  landed(): void
  /** Called after an improvement: parts waiting for the network are sent, anything else may be probed now. */
  wake(): void
}

/** Number of different parts that must fail consecutively before the provider counts as failing. */
const suspicious = 3

/** Creates an open gate. */
export function createGate(clock: Clock): Gate {
  let closed: Closed | null = null
  let error: Failure | null = null
  let nextAt: number | null = null
  let failures = 0
  let probing = false
  const failing = new Set<string>()

  const close: Gate['close'] = (why, delayMs, failure) => {
    // Several were in flight when the first one failed: one outage, one failure, and an account stays rejected.
    if (!probing && (closed === why || closed === 'account')) return
    if (closed !== why) failures = 0
    failures += 1
    closed = why
    error = failure
    probing = false
    nextAt = delayMs === null ? null : clock() + delayMs
  }

  return {
    get closed() {
      return closed
    },
    get error() {
      return closed === 'account' ? error : null
    },
    get nextAt() {
      return probing ? null : nextAt
    },
    get failures() {
      return failures
    },
    admits(inFlight) {
      if (closed === null) return true
      if (inFlight > 0 || nextAt === null || !isDue(nextAt, clock())) return false
      probing = true
      return true
    },
    opened() {
      const was = closed !== null
      closed = null
      error = null
      nextAt = null
      failures = 0
      probing = false
      failing.clear()
      return was
    },
    close,
    failed(partId, delayMs, failure) {
      failing.add(partId)
      if (closed === 'failing') close('failing', delayMs, failure)
      else if (closed === null && failing.size >= suspicious) close('failing', delayMs, failure)
      // A probe that fails on its own has reached the provider: the network is no longer the problem.
      else if (closed !== null && probing) close('failing', delayMs, failure)
    },
    landed() {
      probing = false
    },
    wake() {
      if (closed === 'offline') {
        closed = null
        failures = 0
        nextAt = null
        probing = false
      } else if (closed !== null) nextAt = clock()
    },
  }
}
