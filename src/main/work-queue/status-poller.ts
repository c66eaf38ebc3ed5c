import type { Failure } from '../../shared/contract/reply.ts'
import type { Clock, Log } from '../deps.ts'
import { AppError, toFailure } from '../errors.ts'
import { isStoreProblem, persist } from '../platform/database/persist.ts'
import { afterFailure, intervalMs, type After } from './poll-plan.ts'
import { waitBriefly } from './wait-briefly.ts'

/** Result of a poll: `error` is the failure, even if the polled item stays unchanged. */
interface PollEnd {
  readonly error: AppError | null
}

/** Row of something of the provider that is polled until it is over. Times are Unix milliseconds. */
interface Polled {
  readonly id: string
  readonly attempts: number
  /** Number of consecutive failed polls. */
  readonly failures: number
  readonly intervalMs: number
  readonly nextPollAt: number | null
  readonly createdAt: number
}

/** When the next poll follows; `nextPollAt` null: not automatically. */
type Planned = { readonly nextPollAt: number | null; readonly intervalMs?: number }

/** Changes after a failed poll. */
type FailedPoll = Pick<Polled, 'attempts' | 'failures'> &
  Planned & { readonly state: After['state']; readonly error: Failure }

interface PollerDeps<Row extends Polled, Patch> {
  /** Subject of the polling, one word for the log. */
  readonly about: string
  readonly log: Log
  readonly clock: Clock
  random(): number
  /** Runs `work` after `ms`; the returned function cancels it. */
  after(ms: number, work: () => void): () => void
  readonly rows: {
    get(id: string): Row | undefined
    update(id: string, patch: Patch, at: number): Row | undefined
  }
  transaction<T>(work: () => T): T
  /** Polls once and stores the response with `settle`. */
  ask(row: Row, signal: AbortSignal): Promise<void>
  /** Returns the changes after a failed poll; undefined if the row is over and stays as it is. */
  failed(row: Row, failed: FailedPoll): Patch | undefined
  /** Called after each change was stored. */
  onChange(row: Row): void
}

/**
 * Polls the provider for tracked items, with one timer and at most one request each; all other state is stored in rows.
 */
export interface StatusPoller<Row extends Polled, Patch> {
  /** Polls now, or joins a request in progress. Resolves when the response is stored; never throws. */
  poll(id: string): Promise<PollEnd>
  /** Polls automatically after `ms`. */
  schedule(id: string, ms: number): void
  /** Schedules the next poll of a row from an earlier run as planned, or now. */
  resume(row: Row, isNow: boolean): void
  /** Returns the plan of the poll that follows a response. */
  planned(row: Row): Planned
  /** Stores the result of a poll in one transaction, schedules the next one, and reports the change. */
  settle(id: string, change: (row: Row) => Patch | undefined): Promise<void>
  /** Cancels the scheduled poll and the request in progress. */
  drop(id: string): Promise<void>
  /** The same for all items. */
  dropAll(): Promise<void>
  /** Retries a write until the store accepts it, the poller is closed or `signal` fires. */
  write<T>(work: () => T, signal?: AbortSignal): Promise<T>
  /** Fires when the poller is closed. */
  readonly closing: AbortSignal
  close(): Promise<void>
}

export function createStatusPoller<Row extends Polled, Patch>(
  deps: PollerDeps<Row, Patch>,
): StatusPoller<Row, Patch> {
  const { clock, rows } = deps
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
      .then(() => ask(id, stop.signal))
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
  const write: StatusPoller<Row, Patch>['write'] = (work, signal = closing.signal) =>
    persist(work, signal, (error) =>
      deps.log.warn(`failed to save a ${deps.about}, will retry`, { code: error.code }),
    )
  const plan = (ms: number) => ({ nextPollAt: clock() + ms, intervalMs: ms })
  const settle: StatusPoller<Row, Patch>['settle'] = async (id, change) => {
    const row = await write(() =>
      deps.transaction(() => {
        const now = rows.get(id)
        const patch = now && change(now)
        return patch && rows.update(id, patch, clock())
      }),
    )
    if (!row) return
    if (row.nextPollAt !== null) schedule(id, Math.max(0, row.nextPollAt - clock()))
    deps.onChange(row)
  }
  const failed = (row: Row, error: AppError): Patch | undefined => {
    if (error.code === 'CANCELLED') return undefined
    const [attempts, failures] = [row.attempts + 1, row.failures + 1]
    const ageMs = clock() - row.createdAt
    const next = afterFailure(error, { polls: attempts, failures, ageMs }, deps.random)
    const planned = next.delayMs === null ? { nextPollAt: null } : plan(next.delayMs)
    const failure = toFailure(error, clock())
    return deps.failed(row, { state: next.state, attempts, failures, error: failure, ...planned })
  }
  const ask = async (id: string, signal: AbortSignal): Promise<PollEnd> => {
    const row = rows.get(id)
    if (!row || signal.aborted) return { error: null }
    try {
      await deps.ask(row, signal)
      return { error: null }
    } catch (error) {
      if (isStoreProblem(error) || signal.aborted || closing.signal.aborted) throw error
      if (!(error instanceof AppError))
        deps.log.error(`failed to check the status of a ${deps.about}`, { error })
      const known = error instanceof AppError ? error : new AppError('INTERNAL', 'Internal error')
      await settle(id, (now) => failed(now, known))
      return { error: known }
    }
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
    write,
    settle,
    planned: ({ attempts, createdAt }) =>
      plan(intervalMs(attempts + 1, clock() - createdAt, deps.random)),
    resume({ id, nextPollAt, intervalMs: planned }, isNow) {
      if (pending.has(id)) return
      // The clock may have been set back: no delay is longer than planned.
      const left = Math.min((nextPollAt ?? 0) - clock(), planned)
      schedule(id, isNow ? 0 : Math.max(0, left))
    },
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
