import type { Failure } from '../../../shared/bridge/reply.ts'
import type { Clock, Log } from '../../deps.ts'
import { AppError, toFailure } from '../../errors.ts'
import { isDue } from '../meetings/transcription/due.ts'
import { isStoreProblem } from '../transcribe/persist.ts'

/** First and longest pause between two tries, in milliseconds. */
const firstPauseMs = 5_000
const maxPauseMs = 600_000
/** Tries of one file, over two and a half minutes; what only this computer keeps from going on is tried for most of a day. */
const tries = 6
const triesOffline = 100

const pauseAfter = (failures: number): number =>
  Math.min(firstPauseMs * 2 ** Math.min(failures, 10), maxPauseMs)

/** Nothing of the file's own: it is tried for as long as it takes. */
const outlasting: ReadonlySet<string> = new Set(['OFFLINE', 'DISK_FULL'])

/**
 * What is written down of a file that did not come, after `attempts` failures before this one, and when it is tried again: null where it
 * is not, by itself. `mayPass` tells which answers of a host may be others in a minute. Throws what keeps anything from being written.
 */
export function fetchFailure(
  thrown: unknown,
  attempts: number,
  deps: { readonly clock: Clock; readonly log: Log },
  mayPass: (status: number) => boolean = (status) => status >= 500,
): { readonly error: Failure; readonly retryAt: number | null } {
  // A full disk is written down where that still goes, so that whoever waits reads why; other trouble of the store is not.
  if (isStoreProblem(thrown) && thrown.code !== 'DISK_FULL') throw thrown
  const known = thrown instanceof AppError
  if (!known) deps.log.error('a file that a reply names', { error: thrown })
  const error = known ? thrown : new AppError('INTERNAL', 'Internal error')
  const { code, service } = error
  const passes =
    outlasting.has(code) ||
    // What broke here is nothing that the host said, and may be over.
    !known ||
    code === 'TIMEOUT' ||
    (code === 'SERVICE_FAILED' && mayPass(service?.status ?? 0))
  const maxTries = outlasting.has(code) ? triesOffline : tries
  const now = deps.clock()
  const retryAt = passes && attempts + 1 < maxTries ? now + pauseAfter(attempts) : null
  return { error: toFailure(error, now), retryAt }
}

/** Pauses while the store takes nothing: the same row would be the next one again, and its file would be fetched each time. */
export interface Rest {
  /** Milliseconds until the next try may begin; 0 when it may. */
  left(): number
  /** Something could not be written down. */
  begin(): void
  /** Something could. */
  end(): void
}

/** Builds it. */
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
