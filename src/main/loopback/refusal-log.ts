import type { Clock, Log } from '../deps.ts'
import type { Verdict } from './access-control.ts'

/** Milliseconds between two lines about refusals. */
const pause = 1000

/**
 * Writes refusals down, at most one line a second, each with how many went unsaid before it (`unsaid`): any program of
 * this computer can be refused as often as it likes, and must not push everything else out of the log.
 */
export function createRefusalLog(
  log: Log,
  clock: Clock,
): (verdict: Extract<Verdict, { ok: false }>) => void {
  let last = -Infinity
  let suppressed = 0
  return ({ status, why }) => {
    // A clock that was set back says nothing about how long ago it was.
    if (Math.abs(clock() - last) < pause) {
      suppressed++
      return
    }
    log.warn('refused', { status, why, ...(suppressed > 0 && { unsaid: suppressed }) })
    last = clock()
    suppressed = 0
  }
}
