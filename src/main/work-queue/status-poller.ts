import type { Failure } from '../../shared/contract/reply.ts'
import type { Clock, Log } from '../deps.ts'
import { AppError, toFailure } from '../errors.ts'
import { isDue } from '../platform/database/due.ts'
import { persist } from '../platform/database/persist.ts'
import { afterFailure, intervalMs, type After } from './poll-plan.ts'
import type { Wait, WorkQueue } from './work-queue.ts'

/** Result of a poll: `error` is the failure, even if the polled item stays unchanged. */
interface PollEnd {
  readonly error: AppError | null
}

/** Row of something of the provider that is polled until it is over. Times are Unix milliseconds. */
interface Polled {
  readonly id: string
  readonly accountId: string
  readonly attempts: number
  /** Number of consecutive failed polls. */
  readonly failures: number
  readonly intervalMs: number
  readonly nextPollAt: number | null
  readonly createdAt: number
}

/** When the next poll follows; `nextPollAt` null: not before its account accepts requests, or not automatically. */
type Planned = { readonly nextPollAt: number | null; readonly intervalMs?: number }

/** Changes after a failed poll. */
type FailedPoll = Pick<Polled, 'attempts' | 'failures'> &
  Planned & { readonly state: After['state']; readonly error: Failure }

interface PollerDeps<Row extends Polled, Patch> {
  /** Subject of the polling, one word for the log. */
  readonly about: string
  readonly log: Log
  readonly clock: Clock
  readonly workQueue: WorkQueue
  random(): number
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
 * Polls the provider for tracked items, at most one request each. A poll is an item of the work queue whose success may be
 * followed by another one: the queue decides when it is sent, and whether its account accepts requests.
 */
export interface StatusPoller<Row extends Polled, Patch> {
  /**
   * Polls now, or joins a request in progress. Resolves when the response is stored, or with the reason if nothing can be sent
   * now; never throws.
   */
  poll(id: string): Promise<PollEnd>
  /** Polls automatically after `ms`. */
  schedule(id: string, ms: number): void
  /** Schedules the next poll of a row from an earlier run as planned, or now. */
  resume(row: Row, isNow: boolean): void
  /** Returns the plan of the poll that follows a response. */
  planned(row: Row): Planned
  /** Stores the result of a poll in one transaction, schedules the next one, and reports the change. */
  settle(id: string, patchOf: (row: Row) => Patch | undefined): Promise<void>
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

/** Maximum number of polls in flight for an account. */
const atOnce = 8

export function createStatusPoller<Row extends Polled, Patch>(
  deps: PollerDeps<Row, Patch>,
): StatusPoller<Row, Patch> {
  const { clock, rows } = deps
  /** When each row is polled next (Unix ms): at the earliest, if its account accepts requests. */
  const plans = new Map<string, { readonly accountId: string; readonly at: number }>()
  /** Polls that the user waits for. */
  const asked = new Map<string, PromiseWithResolvers<PollEnd>>()
  /** Rows that say that they wait for their account. */
  const waiting = new Set<string>()
  /** Rows whose request is in flight: who asks for one of them waits for its end. */
  const executing = new Set<string>()
  /** What the requests in flight threw, until the queue has decided what follows. */
  const thrown = new Map<string, AppError>()
  const closing = new AbortController()

  const finish = (id: string, error: AppError | null): void => {
    executing.delete(id)
    asked.get(id)?.resolve({ error })
    asked.delete(id)
  }
  const plan = (ms: number) => ({ nextPollAt: clock() + ms, intervalMs: ms })
  const schedule = (id: string, ms: number): void => {
    const row = closing.signal.aborted ? undefined : rows.get(id)
    if (!row) return
    plans.set(id, { accountId: row.accountId, at: clock() + ms })
    work.kick()
  }
  const write: StatusPoller<Row, Patch>['write'] = (save, signal = closing.signal) =>
    persist(save, signal, (error) =>
      deps.log.warn(`failed to save a ${deps.about}, will retry`, { code: error.code }),
    )
  /** Returns whether the row was changed. */
  const change = async (id: string, patchOf: (row: Row) => Patch | undefined): Promise<boolean> => {
    const row = await write(() =>
      deps.transaction(() => {
        const now = rows.get(id)
        const patch = now && patchOf(now)
        return patch && rows.update(id, patch, clock())
      }),
    )
    if (!row) return false
    if (row.nextPollAt !== null) schedule(id, Math.max(0, row.nextPollAt - clock()))
    deps.onChange(row)
    return true
  }
  /** Says in a row, and once, that it waits for its account; one that is over is not polled again. */
  const waitForAccount = async (id: string, patchOf: (row: Row) => Patch | undefined) => {
    waiting.add(id)
    if (await change(id, patchOf)) schedule(id, 0)
    else plans.delete(id)
  }
  /** Stores a failed poll; the next one follows after its own pause, and not before the queue wants it. */
  const failed = async (id: string, error: AppError, wait?: Wait): Promise<void> => {
    const isAccount = wait?.why === 'offline' || wait?.why === 'account'
    const patchOf = (row: Row): Patch | undefined => {
      const [attempts, failures] = [row.attempts + 1, row.failures + 1]
      const ageMs = clock() - row.createdAt
      const next = afterFailure(error, { polls: attempts, failures, ageMs }, deps.random)
      const delayMs = Math.max(next.delayMs ?? 0, (wait?.at ?? 0) - clock())
      return deps.failed(row, {
        state: isAccount ? 'waiting' : next.state,
        attempts,
        failures,
        error: toFailure(error, clock()),
        // The queue probes the account, or waits until the user has repaired it.
        ...(isAccount || next.delayMs === null ? { nextPollAt: null } : plan(delayMs)),
      })
    }
    if (wait?.why === 'store') schedule(id, 0)
    else if (isAccount) await waitForAccount(id, patchOf)
    else await change(id, patchOf)
    finish(id, error)
  }

  const work = deps.workQueue.add<Row>({
    about: `check of a ${deps.about}`,
    isOneOperation: false,
    id: ({ id }) => id,
    group: ({ id }) => id,
    takesTurns: false,
    priority: ({ id }) => (asked.has(id) ? 0 : 1),
    accounts: () => [...new Set([...plans.values()].map(({ accountId }) => accountId))],
    size: () => atOnce,
    next({ accountId, at, except, exceptGroups }) {
      const due = [...plans]
        .filter(
          ([id, one]) =>
            one.accountId === accountId &&
            (asked.has(id) || isDue(one.at, at)) &&
            !except.includes(id) &&
            !exceptGroups.includes(id),
        )
        .toSorted(
          ([a, one], [b, other]) =>
            Number(asked.has(b)) - Number(asked.has(a)) || one.at - other.at,
        )
      for (const [id] of due) {
        const row = rows.get(id)
        if (row) return row
        // It was deleted since.
        plans.delete(id)
        finish(id, null)
      }
      return undefined
    },
    nextTime: (after) =>
      [...plans.values()].reduce<number | null>(
        (soonest, { at }) => (at > after && (soonest === null || at < soonest) ? at : soonest),
        null,
      ),
    async execute(row, signal) {
      plans.delete(row.id)
      waiting.delete(row.id)
      executing.add(row.id)
      try {
        await deps.ask(row, signal)
      } catch (error) {
        const known = error instanceof AppError
        thrown.set(row.id, known ? error : new AppError('INTERNAL', 'Internal error'))
        throw error
      }
      finish(row.id, null)
      return 'done'
    },
    attempts: () => 1,
    wait: ({ id }, failure, wait) => failed(id, errorOf(id, failure), wait),
    fail: ({ id }, failure) => failed(id, errorOf(id, failure)),
    stopped: ({ id }) => finish(id, null),
    onSearched,
  })
  const errorOf = (id: string, failure: Failure): AppError => {
    const error = thrown.get(id) ?? asError(failure)
    thrown.delete(id)
    return error
  }
  const isInFlight = (id: string): boolean => work.inFlight().some((row) => row.id === id)

  /** Reports rows that are due and not sent: another row, or other work, may have found out about their account. */
  function onSearched(): void {
    const now = clock()
    for (const [id, { accountId, at }] of plans) {
      if (isInFlight(id) || !(asked.has(id) || isDue(at, now))) continue
      const { closed, nextAt, reason } = work.status(accountId)
      if (closed !== null && reason !== null) {
        if (!waiting.has(id))
          void waitForAccount(id, (row) =>
            deps.failed(row, {
              state: 'waiting',
              attempts: row.attempts,
              failures: row.failures,
              error: reason,
              nextPollAt: null,
            }),
          ).catch(() => undefined)
        finish(id, asError(reason))
      } else if (nextAt !== null && nextAt > now)
        finish(
          id,
          new AppError('RATE_LIMITED', 'The provider limits requests', { retriable: true }),
        )
    }
  }

  const drop = async (which: (id: string) => boolean): Promise<void> => {
    const unplan = (): void => {
      for (const id of plans.keys()) if (which(id)) plans.delete(id)
    }
    unplan()
    // Later writes find no row.
    await work.stop(({ id }) => which(id))
    unplan()
    for (const id of asked.keys()) if (which(id)) finish(id, null)
  }

  return {
    poll(id) {
      const row = closing.signal.aborted ? undefined : rows.get(id)
      if (!row) return Promise.resolve({ error: null })
      const known = asked.get(id)
      if (known) return known.promise
      const request = Promise.withResolvers<PollEnd>()
      asked.set(id, request)
      if (!executing.has(id)) {
        plans.set(id, { accountId: row.accountId, at: clock() })
        work.wake(row.accountId)
        work.kick()
      }
      return request.promise
    },
    schedule,
    drop: (id) => drop((one) => one === id),
    dropAll: () => drop(() => true),
    write,
    settle: async (id, patchOf) => void (await change(id, patchOf)),
    planned: ({ attempts, createdAt }) =>
      plan(intervalMs(attempts + 1, clock() - createdAt, deps.random)),
    resume({ id, accountId, nextPollAt, intervalMs: planned }, isNow) {
      if (executing.has(id)) return
      if (isNow) work.wake(accountId)
      // The clock may have been set back: no delay is longer than planned.
      const left = Math.min((nextPollAt ?? 0) - clock(), planned)
      schedule(id, isNow ? 0 : Math.max(0, left))
    },
    closing: closing.signal,
    async close() {
      closing.abort()
      plans.clear()
      await work.shutdown()
      for (const id of asked.keys()) finish(id, new AppError('CANCELLED', 'Lectern is closing'))
    },
  }
}

const asError = ({ code, message, retriable, params }: Failure): AppError =>
  new AppError(code, message, { retriable, ...(params && { params }) })
