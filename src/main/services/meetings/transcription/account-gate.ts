import type { Failure } from '../../../../shared/bridge/reply.ts'
import type { Clock } from '../../../deps.ts'
import { isDue } from './due.ts'

/** Why nothing, or only a probe, is sent to an account. */
export type Closed =
  /** Requests do not leave this computer. */
  | 'offline'
  /** The account itself is refused: key, money, right, address. */
  | 'account'
  /** The service answers, but nothing useful to several segments in a row. */
  | 'failing'

/** Decides how many segments may be on their way to one account. */
export interface Gate {
  readonly closed: Closed | null
  /** What closed it, for `account`. */
  readonly error: Failure | null
  /** Unix ms at which a probe may go; null when it is open, a probe is out, or only the user can mend it. */
  readonly nextAt: number | null
  /** Failures in a row that closed it or kept it closed. */
  readonly failures: number
  /** May another one go, with so many on their way? */
  admits(inFlight: number): boolean
  /** An answer came, of whatever worth. True when the gate was closed. */
  opened(): boolean
  /** A failure that concerns the account. What was on its way when the gate closed does not count again. */
  close(why: Closed, delayMs: number | null, error: Failure): void
  /** A failure that may be the segment's own: several segments in a row close the gate. */
  failed(segmentId: string, delayMs: number, error: Failure): void
  /** A sending ended that told nothing about the account: a probe that was one is no longer out. */
  landed(): void
  /** Something changed for the better: what waits for the network goes, anything else may be probed now. */
  wake(): void
}

/** Different segments that must fail in a row before the service itself is taken for failing. */
const suspicious = 3

/** Makes an open gate. */
export function createGate(clock: Clock): Gate {
  let closed: Closed | null = null
  let error: Failure | null = null
  let nextAt: number | null = null
  let failures = 0
  let probing = false
  const failing = new Set<string>()

  const close: Gate['close'] = (why, delayMs, failure) => {
    // Several were on their way when the first of them failed: one outage, one failure.
    if (closed === why && !probing) return
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
    failed(segmentId, delayMs, failure) {
      failing.add(segmentId)
      if (closed === 'failing') close('failing', delayMs, failure)
      else if (closed === null && failing.size >= suspicious) close('failing', delayMs, failure)
      // A probe that fails by itself has reached the service: it is not the network any more.
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
