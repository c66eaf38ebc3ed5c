import type { Log } from '../deps.ts'

/** Running work by the ID of its row: started, stopped, and awaited at shutdown. */
interface RunningRuns {
  /** Fires when Lectern closes. */
  readonly closing: AbortSignal
  has(id: string): boolean
  busy(): boolean
  /** Starts work asynchronously, unless the same work is running or Lectern is closing. `signal` fires when it is stopped. */
  launch(id: string, work: (signal: AbortSignal) => Promise<void>): void
  /** Stops it; resolves when it has ended, or after two seconds: failing writes are not awaited. */
  stop(id: string): Promise<void>
  /** Stops all work permanently, before all data is erased. */
  stopAll(): Promise<void>
  /** Stops all work when Lectern closes, and waits for its end. */
  shutdown(): Promise<void>
}

/** Maximum wait for a stop, in milliseconds. */
const stopMs = 2000

/** Creates it; `what` is the name of the work in the log. */
export function createRunningRuns(log: Log, what: string): RunningRuns {
  const active = new Map<string, { readonly controller: AbortController; done: Promise<void> }>()
  const closing = new AbortController()
  const stopAll = async (): Promise<void> => {
    for (const { controller } of active.values()) controller.abort()
    await Promise.all([...active.values()].map(({ done }) => done))
  }
  return {
    closing: closing.signal,
    has: (id) => active.has(id),
    busy: () => active.size > 0,
    launch(id, work) {
      if (active.has(id) || closing.signal.aborted) return
      const controller = new AbortController()
      const done = Promise.resolve()
        .then(() => work(controller.signal))
        .catch((error: unknown) => log.error(`failed to finish ${what}`, { error }))
        .finally(() => active.delete(id))
      active.set(id, { controller, done })
    },
    async stop(id) {
      const running = active.get(id)
      running?.controller.abort()
      await Promise.race([
        running?.done,
        new Promise((resolve) => setTimeout(resolve, stopMs).unref()),
      ])
    },
    stopAll,
    shutdown() {
      closing.abort()
      return stopAll()
    },
  }
}
