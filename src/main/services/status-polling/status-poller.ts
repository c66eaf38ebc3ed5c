import type { Log } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { persist } from '../transcribe/persist.ts'

/** How a question ended: `error` is what it failed with, also when what is watched stays as it was. */
export interface PollEnd {
  readonly error: AppError | null
}

/** What asking again and again is built from. */
export interface PollerDeps {
  /** What is asked for, in one word of the log. */
  readonly about: string
  readonly log: Log
  /** Runs `work` after `ms`; the returned function calls it off. */
  after(ms: number, work: () => void): () => void
  /** Asks once and stores the answer. What it throws is told as an error of Lectern, unless `signal` fired. */
  ask(id: string, signal: AbortSignal): Promise<PollEnd>
}

/** Asks the service for what is watched, one timer and at most one question each; everything else about it is rows. */
export interface StatusPoller {
  /** Asks now; joins a question that is on its way. Resolves when its answer is stored, throws nothing. */
  poll(id: string): Promise<PollEnd>
  /** Asks by itself after `ms`. */
  schedule(id: string, ms: number): void
  /** Calls off what is planned and on its way. */
  drop(id: string): Promise<void>
  /** The same for everything. */
  dropAll(): Promise<void>
  isPolling(id: string): boolean
  /** Does a write until the store takes it, the asker is closed or `signal` fires. */
  write<T>(work: () => T, signal?: AbortSignal): Promise<T>
  /** Fires when the asker is closed. */
  readonly closing: AbortSignal
  close(): Promise<void>
}

/** Longest wait for what is called off, in milliseconds. */
const dropMs = 2_000

/** Waits for what was called off, not for long: a store that takes nothing now must not hold up whoever ends it. */
export async function waitBriefly(work: Promise<unknown> | undefined): Promise<void> {
  if (!work) return
  let timer: NodeJS.Timeout | undefined
  const late = new Promise((resolve) => (timer = setTimeout(resolve, dropMs)))
  await Promise.race([work, late]).finally(() => clearTimeout(timer))
}

/** Builds the asker. */
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
    // Registered before the first step runs, so that nothing is asked for twice at a time.
    const done = Promise.resolve()
      .then(() => deps.ask(id, stop.signal))
      .catch((error: unknown): PollEnd => {
        if (!stop.signal.aborted) deps.log.error(`asking for a ${deps.about}`, { error })
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
    // What is written later finds no row.
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
        deps.log.warn(`the store does not take a ${deps.about} now`, { code: error.code }),
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
