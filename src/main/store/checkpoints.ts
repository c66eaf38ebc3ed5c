import type { Log } from '../deps.ts'
import type { Connection } from './connection.ts'

/** Milliseconds between two looks whether anything was written. */
const lookEveryMs = 1000

/** Brings the log into the database file now and then. */
export interface Checkpoints {
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
  const timer = setInterval(() => {
    if (running || !connection.writable) return
    const now = written(connection)
    if (now === done) return
    done = now
    running = checkpoint()
      .then(
        () => undefined,
        (error: unknown) => log.warn('The log was not checkpointed', { error: String(error) }),
      )
      .finally(() => {
        running = null
      })
  }, lookEveryMs)
  timer.unref()
  return {
    async stop() {
      clearInterval(timer)
      await running
    },
  }
}

/** Rows written since the file was opened. */
const written = (connection: Connection): number =>
  connection.writable ? (connection.get<{ n: number }>('SELECT total_changes() AS n')?.n ?? 0) : 0
