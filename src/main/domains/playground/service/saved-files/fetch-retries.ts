import type { Failure } from '../../../../../shared/contract/reply.ts'
import type { Clock, Log } from '../../../../deps.ts'
import { AppError, toFailure } from '../../../../errors.ts'
import { isDue } from '../../../../work-queue/due.ts'
import { isStoreProblem } from '../../../../platform/database/persist.ts'

/** First and maximum pause between two attempts, in milliseconds. */
const firstPauseMs = 5_000
const maxPauseMs = 600_000
/** Attempts for one file, over two and a half minutes; problems of this computer only are retried for most of a day. */
const tries = 6
const triesOffline = 100

const pauseAfter = (failures: number): number =>
  Math.min(firstPauseMs * 2 ** Math.min(failures, 10), maxPauseMs)

/** Not a problem of the file: retried for as long as it takes. */
const outlasting: ReadonlySet<string> = new Set(['OFFLINE', 'DISK_FULL'])

/**
 * Returns the failure to save for a file that was not received, after `attempts` earlier failures, and the time of the next
 * automatic attempt: null if there is none. `mayPass` determines which statuses of a host may be temporary. Throws errors that prevent
 * writing.
 */
export function fetchFailure(
  thrown: unknown,
  attempts: number,
  deps: { readonly clock: Clock; readonly log: Log },
  mayPass: (status: number) => boolean = (status) => status >= 500,
): { readonly error: Failure; readonly retryAt: number | null } {
  // A full disk is recorded if possible, so that the user sees the reason; other store errors are not.
  if (isStoreProblem(thrown) && thrown.code !== 'DISK_FULL') throw thrown
  const known = thrown instanceof AppError
  if (!known) deps.log.error('failed to load a file of a response', { error: thrown })
  const error = known ? thrown : new AppError('INTERNAL', 'Internal error')
  const { code, service } = error
  const passes =
    outlasting.has(code) ||
    // An error on this side, not the host's: it may be temporary.
    !known ||
    code === 'TIMEOUT' ||
    (code === 'SERVICE_FAILED' && mayPass(service?.status ?? 0))
  const maxTries = outlasting.has(code) ? triesOffline : tries
  const now = deps.clock()
  const retryAt = passes && attempts + 1 < maxTries ? now + pauseAfter(attempts) : null
  return { error: toFailure(error, now), retryAt }
}

/** Pauses while the store rejects writes: otherwise the same row would be next again, and its file fetched each time. */
export interface Rest {
  /** Milliseconds until the next attempt may start; 0 if it may now. */
  left(): number
  /** Called when a write failed. */
  begin(): void
  /** Called when a write succeeded. */
  end(): void
}

export function createRest(clock: Clock): Rest {
  let failures = 0
  let until: number | null = null
  return {
    left: () => (until === null || isDue(until, clock()) ? 0 : until - clock()),
    begin() {
      until = clock() + pauseAfter(failures)
      failures += 1
    },
    end() {
      failures = 0
      until = null
    },
  }
}
