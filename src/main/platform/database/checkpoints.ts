import type { Log } from '../../deps.ts'
import type { Connection } from './connection.ts'

/** Milliseconds between two checks whether anything was written. */
const checkEveryMs = 1000

/**
 * Milliseconds for which deferrable work waits for a checkpoint: the worker may have something longer to do first.
 */
const restMs = 1000

/** Checkpoints the WAL periodically. */
interface Checkpoints {
  /**
   * Whether a checkpoint is running. Deferrable work should wait: a WAL that is written constantly is never completely
   * checkpointed and grows, until every write checkpoints a part of it.
   */
  readonly isRunning: boolean
  /** Stops it; resolves when no checkpoint is running. */
  stop(): Promise<void>
}

/**
 * Calls `checkpoint`, one at a time, after something was written: it copies megabytes and waits for the disk, which
 * takes a tenth of a second, so a worker does it. Writing continues meanwhile. A WAL that still grows is checkpointed by
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
        (error: unknown) =>
          log.warn('The write-ahead log was not checkpointed', { error: String(error) }),
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

/** Returns the number of rows written since the file was opened. */
const written = (connection: Connection): number =>
  connection.writable ? (connection.get<{ n: number }>('SELECT total_changes() AS n')?.n ?? 0) : 0
