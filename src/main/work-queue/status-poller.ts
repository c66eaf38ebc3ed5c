import type { Log } from '../deps.ts'
import { AppError } from '../errors.ts'
import { persist } from '../platform/database/persist.ts'
import { waitBriefly } from './wait-briefly.ts'

/** Result of a poll: `error` is the failure, even if the polled item stays unchanged. */
export interface PollEnd {
  readonly error: AppError | null
}

export interface PollerDeps {
  /** Subject of the polling, one word for the log. */
  readonly about: string
  readonly log: Log
  /** Runs `work` after `ms`; the returned function cancels it. */
  after(ms: number, work: () => void): () => void
  /** Polls once and stores the response. Errors are reported as Lectern errors, unless `signal` fired. */
  ask(id: string, signal: AbortSignal): Promise<PollEnd>
}

/**
 * Polls the provider for tracked items, with one timer and at most one request each; all other state is stored in rows.
 */
export interface StatusPoller {
  /** Polls now, or joins a request in progress. Resolves when the response is stored; never throws. */
  poll(id: string): Promise<PollEnd>
  /** Polls automatically after `ms`. */
  schedule(id: string, ms: number): void
  /** Cancels the scheduled poll and the request in progress. */
  drop(id: string): Promise<void>
  /** The same for all items. */
  dropAll(): Promise<void>
  isPolling(id: string): boolean
  /** Retries a write until the store accepts it, the poller is closed or `signal` fires. */
  write<T>(work: () => T, signal?: AbortSignal): Promise<T>
  /** Fires when the poller is closed. */
  readonly closing: AbortSignal
  close(): Promise<void>
}

/** Creates the poller. */
export function createStatusPoller(deps: PollerDeps): StatusPoller {
  const timers = new Map<string, () => void>()
  const pending = new Map<
    string,
    { readonly stop: AbortController; readonly done: Promise<PollEnd> }
  >()
  const closing = new AbortController()

  const unschedule = (id: string): void => {
    timers.get(id)?.()
    timers.delete(id)
  }
  const schedule = (id: string, ms: number): void => {
    unschedule(id)
    if (closing.signal.aborted) return
    timers.set(
      id,
      deps.after(ms, () => {
        timers.delete(id)
        void poll(id)
      }),
    )
  }
  const poll = (id: string): Promise<PollEnd> => {
    const already = pending.get(id)
    if (already) return already.done
    unschedule(id)
    const stop = new AbortController()
    // Registered before the first step runs, so that nothing is polled twice at the same time.
    const done = Promise.resolve()
      .then(() => deps.ask(id, stop.signal))
      .catch((error: unknown): PollEnd => {
        if (!stop.signal.aborted)
          deps.log.error(`failed to check the status of a ${deps.about}`, { error })
        const known = error instanceof AppError
        return { error: known ? error : new AppError('INTERNAL', 'Internal error') }
      })
      .finally(() => pending.delete(id))
    pending.set(id, { stop, done })
    return done
  }
  const drop = async (id: string): Promise<void> => {
    unschedule(id)
    const running = pending.get(id)
    running?.stop.abort()
    // Later writes find no row.
    await waitBriefly(running?.done)
    unschedule(id)
  }

  return {
    poll,
    schedule,
    drop,
    async dropAll() {
      await Promise.all([...timers.keys(), ...pending.keys()].map(drop))
    },
    isPolling: (id) => pending.has(id),
    write: (work, signal = closing.signal) =>
      persist(work, signal, (error) =>
        deps.log.warn(`failed to save a ${deps.about}, will retry`, { code: error.code }),
      ),
    closing: closing.signal,
    async close() {
      closing.abort()
      for (const cancel of timers.values()) cancel()
      timers.clear()
      for (const { stop } of pending.values()) stop.abort()
      await Promise.all([...pending.values()].map(({ done }) => done))
    },
  }
}
