import type { Log } from '../deps.ts'
import type { Connection } from './connection.ts'

/** Milliseconds between two looks whether anything was written. */
const checkEveryMs = 1000

/** Milliseconds for which work that can wait leaves the log alone while it is brought in: the worker may have something longer to do first. */
const restMs = 1000

/** Brings the log into the database file now and then. */
export interface Checkpoints {
  /**
   * Whether the log is being brought in just now. Work that can wait does: a log that is written on all the time is never whole in the
   * file and grows, until every write brings in a part of it.
   */
  readonly isRunning: boolean
  /** Ends it; resolves when nothing is under way any more. */
  stop(): Promise<void>
}

/**
 * Has `checkpoint` called, one at a time, after something was written: it copies megabytes and waits for the disk, which takes
 * a tenth of a second, and so is done by a worker. Writing goes on meanwhile. A log that grows all the same is brought in by
 * the write that makes it too long (see `prepareForWriting`).
 */
export function planCheckpoints(
  connection: Connection,
  checkpoint: () => Promise<unknown>,
  log: Log,
): Checkpoints {
  let done = written(connection)
  let running: Promise<void> | null = null
  let since = 0
  const timer = setInterval(() => {
    if (running || !connection.writable) return
    const now = written(connection)
    if (now === done) return
    done = now
    since = performance.now()
    running = checkpoint()
      .then(
        () => undefined,
        (error: unknown) => log.warn('The log was not checkpointed', { error: String(error) }),
      )
      .finally(() => {
        running = null
      })
  }, checkEveryMs)
  timer.unref()
  return {
    get isRunning() {
      return running !== null && performance.now() - since < restMs
    },
    async stop() {
      clearInterval(timer)
      await running
    },
  }
}

/** Rows written since the file was opened. */
const written = (connection: Connection): number =>
  connection.writable ? (connection.get<{ n: number }>('SELECT total_changes() AS n')?.n ?? 0) : 0
