import { setImmediate } from 'node:timers/promises'
import type { Failure } from '../../../../../shared/contract/reply.ts'
import type { Clock, Log } from '../../../../deps.ts'
import { AppError, toFailure } from '../../../../errors.ts'
import { downloadDelayMs } from '../../../../work-queue/retry-policy.ts'
import type { WorkHandle, WorkQueue } from '../../../../work-queue/work-queue.ts'

export interface DownloadsDeps {
  readonly workQueue: WorkQueue
  readonly clock: Clock
  readonly log: Log
}

/** Row of a file to download. */
interface Download {
  readonly attempts: number
}

/** Files to download that responses reference, as rows. */
interface DownloadRows<Row extends Download> {
  /** Name for the log. */
  readonly about: string
  /** Maximum number downloaded at a time. */
  readonly size: number
  id(row: Row): string
  /** Returns those that are due at `at` (Unix ms). */
  due(at: number, limit: number): readonly Row[]
  /** When the next one is due after `after`; null if none waits (both Unix ms). */
  nextTime(after: number): number | null
  /** Downloads a file and stores it. */
  fetch(row: Row, signal: AbortSignal): Promise<void>
  /** `retryAt` (Unix ms) null: no further automatic attempts. */
  failed(row: Row, error: Failure, retryAt: number | null): void
  /** Called after the result of an attempt was stored. */
  settled?(row: Row): void
  /** Whether a status of a host may be temporary; by default those from 500. */
  mayPass?(status: number): boolean
}

export interface Downloads extends Pick<WorkHandle<never>, 'kick' | 'busy' | 'shutdown'> {
  /** Called after an improvement: as `kick`, unless everything was stopped. */
  wake(): void
  /** Stops running downloads. The rows stay as they are, and nothing starts until the next `kick`. */
  stopAll(): Promise<void>
}

/** Files are on any host: none of their failures concerns an account, so they are handled here and close none. */
const anyHost = 'downloads'

export function addDownloads<Row extends Download>(
  deps: DownloadsDeps,
  rows: DownloadRows<Row>,
): Downloads {
  const failed = (row: Row, failure: Failure): void => {
    const delayMs = downloadDelayMs(failure, row.attempts, rows.mayPass)
    rows.failed(row, failure, delayMs === null ? null : deps.clock() + delayMs)
    rows.settled?.(row)
  }
  const work = deps.workQueue.add<Row>({
    about: rows.about,
    isOneOperation: false,
    id: (row) => rows.id(row),
    group: () => anyHost,
    takesTurns: false,
    priority: () => 0,
    accounts: () => [anyHost],
    size: () => rows.size,
    next: ({ at, except, exceptGroups }) =>
      exceptGroups.length > 0
        ? undefined
        : rows.due(at, except.length + 1).find((row) => !except.includes(rows.id(row))),
    nextTime: (after) => rows.nextTime(after),
    async execute(row, signal) {
      // Yields to the event loop, so that a thousand rows that need no request do not block it.
      await setImmediate()
      try {
        await rows.fetch(row, signal)
      } catch (thrown) {
        if (signal.aborted) throw thrown
        failed(row, fetchFailure(thrown, deps))
        return 'unsent'
      }
      rows.settled?.(row)
      return 'unsent'
    },
    attempts: ({ attempts }) => attempts + 1,
    // Its result could not be stored. Counted: otherwise it would be downloaded every minute while the disk is full.
    wait: failed,
    fail: failed,
    stopped: () => undefined,
  })

  return {
    kick() {
      work.resume(anyHost)
      work.kick()
    },
    wake: () => work.kick(),
    busy: () => work.busy(),
    async stopAll() {
      // A stopped one would be next again.
      work.pause(anyHost)
      await work.stop(() => true)
    },
    shutdown: () => work.shutdown(),
  }
}

/** Returns the failure to save for a file that was not received. */
export function fetchFailure(
  thrown: unknown,
  { clock, log }: Omit<DownloadsDeps, 'workQueue'>,
): Failure {
  if (!(thrown instanceof AppError))
    log.error('failed to load a file of a response', { error: thrown })
  const error = thrown instanceof AppError ? thrown : new AppError('INTERNAL', 'Internal error')
  return toFailure(error, clock())
}
