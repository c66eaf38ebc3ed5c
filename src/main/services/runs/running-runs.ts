import type { Log } from '../../deps.ts'

/** What is under way, by the id of its row: begun, stopped, and waited for at the end. */
export interface RunningRuns {
  /** Fires when Lectern closes. */
  readonly closing: AbortSignal
  has(id: string): boolean
  busy(): boolean
  /** Begins work in a turn of its own, unless the same is under way or Lectern closes. `signal` fires when it is stopped. */
  launch(id: string, work: (signal: AbortSignal) => Promise<void>): void
  /** Stops it; resolves when it is over, or after two seconds: what cannot be written now is not waited for. */
  stop(id: string): Promise<void>
  /** Stops all of it for good, before all is erased. */
  stopAll(): Promise<void>
  /** Stops all of it as Lectern closes, and waits for its end. */
  shutdown(): Promise<void>
}

/** Longest a stop is waited for, in milliseconds. */
const stopMs = 2000

/** Builds it; `what` names the work in the log. */
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
        .catch((error: unknown) => log.error(`${what} did not settle`, { error }))
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
