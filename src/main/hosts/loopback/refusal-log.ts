import type { Clock, Log } from '../../deps.ts'
import type { Verdict } from './access-control.ts'

/** Milliseconds between two log lines about refusals. */
const pause = 1000

/**
 * Logs refusals, at most one line per second, each with the number of suppressed ones before it (`suppressed`): any program of
 * this computer can be refused as often as it likes, and must not push everything else out of the log.
 */
export function createRefusalLog(
  log: Log,
  clock: Clock,
): (verdict: Extract<Verdict, { ok: false }>) => void {
  let last = -Infinity
  let suppressed = 0
  return ({ status, why }) => {
    // If the clock was set back, the elapsed time is unknown.
    if (Math.abs(clock() - last) < pause) {
      suppressed++
      return
    }
    log.warn('request rejected', { status, why, ...(suppressed > 0 && { suppressed }) })
    last = clock()
    suppressed = 0
  }
}
