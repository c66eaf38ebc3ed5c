import type { Api } from '../../api/types.ts'
import type { Clock, Ids, Log } from '../../deps.ts'
import { AppError, toFailure } from '../../errors.ts'
import type { Store, TaskPatch, TaskRecord } from '../../store/types.ts'
import type { Accounts } from '../accounts/accounts.ts'
import { isStoreTrouble, persist } from '../transcribe/persist.ts'
import { afterFailure, intervalMs } from './plan.ts'
import { answered } from './results.ts'

/** What asking for tasks is built from. */
export interface PollerDeps {
  readonly store: Store
  readonly api: Pick<Api, 'tasks'>
  readonly accounts: Pick<Accounts, 'target'>
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  /** A text without the keys there are, for what is kept of an answer. */
  mask(text: string): string
  readonly random: () => number
  /** Runs `work` after `ms`; the returned function calls it off. */
  after(ms: number, work: () => void): () => void
  /** Told after each change was stored. */
  onTask(task: TaskRecord): void
}

/** Asks for tasks, one timer and at most one question each; everything else about them is rows. */
export interface Poller {
  /** Asks now; joins a question that is on its way. Resolves when its answer is stored, throws nothing. */
  poll(id: string): Promise<PollEnd>
  /** Asks by itself after `ms`. */
  schedule(id: string, ms: number): void
  /** Calls off what is planned and on its way. */
  drop(id: string): Promise<void>
  /** The same for every task. */
  dropAll(): Promise<void>
  isAsking(id: string): boolean
  /** Does a write until the store takes it, the poller is closed or `signal` fires. */
  write<T>(work: () => T, signal?: AbortSignal): Promise<T>
  /** Fires when the poller is closed. */
  readonly closing: AbortSignal
  close(): Promise<void>
}

/** How a question ended: `error` is what it failed with, also when the task itself stays as it was. */
export interface PollEnd {
  readonly error: AppError | null
}

/** Longest wait for what is called off, in milliseconds. */
const dropMs = 2_000

/** Waits for what was called off, not for long: a store that takes nothing now must not hold up whoever ends it. */
export async function atMost(work: Promise<unknown> | undefined): Promise<void> {
  if (!work) return
  let timer: NodeJS.Timeout | undefined
  const late = new Promise((resolve) => (timer = setTimeout(resolve, dropMs)))
  await Promise.race([work, late]).finally(() => clearTimeout(timer))
}

const isFinal = (task: TaskRecord): boolean => task.state === 'succeeded' || task.state === 'failed'

/** Builds the poller. */
export function createPoller(deps: PollerDeps): Poller {
  const { store, clock } = deps
  const timers = new Map<string, () => void>()
  const asking = new Map<
    string,
    { readonly stop: AbortController; readonly done: Promise<PollEnd> }
  >()
  const closing = new AbortController()

  const write = <T>(work: () => T, signal = closing.signal): Promise<T> =>
    persist(work, signal, (error) =>
      deps.log.warn('the store does not take a task now', { code: error.code }),
    )

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
    const already = asking.get(id)
    if (already) return already.done
    unschedule(id)
    const stop = new AbortController()
    const done = ask(id, stop.signal)
      .catch((error: unknown): PollEnd => {
        if (!stop.signal.aborted) deps.log.error('asking for a task', { error })
        const known = error instanceof AppError
        return { error: known ? error : new AppError('INTERNAL', 'Internal error') }
      })
      .finally(() => asking.delete(id))
    asking.set(id, { stop, done })
    return done
  }

  const ask = async (id: string, signal: AbortSignal): Promise<PollEnd> => {
    // Registered before the first step runs, so that a task is never asked for twice at a time.
    await Promise.resolve()
    const task = store.tasks.get(id)
    if (!task || signal.aborted) return { error: null }
    try {
      const target = await deps.accounts.target(task.accountId)
      const answer = await deps.api.tasks.get(target, { id: task.taskId }, { signal, once: true })
      await settle(id, () => {
        const now = store.tasks.get(id)
        if (!now) return undefined
        const { state } = answer.value
        // What was done stays done, whatever a service says that has forgotten it.
        if (isFinal(now) && state === 'processing') return undefined
        if (now.replyId !== null) store.replies.remove(now.replyId)
        const replyId = deps.ids()
        const operation = 'tasks.get'
        store.replies.add({ id: replyId, itemId: null, operation, ...answer.raw, at: clock() })
        const pause = intervalMs(now.attempts + 1, clock() - now.createdAt, deps.random)
        const next = state === 'processing' ? planned(pause) : { nextPollAt: null }
        return { ...answered(now, answer, clock(), deps.mask), state, replyId, ...next }
      })
      return { error: null }
    } catch (error) {
      if (isStoreTrouble(error) || signal.aborted || closing.signal.aborted) throw error
      if (!(error instanceof AppError)) deps.log.error('asking for a task', { error })
      const known = error instanceof AppError ? error : new AppError('INTERNAL', 'Internal error')
      await settle(id, () => failed(id, known))
      return { error: known }
    }
  }

  const planned = (pause: number): TaskPatch => ({ nextPollAt: clock() + pause, intervalMs: pause })

  /** What a question without an answer changes; a task that is done keeps all it has. */
  const failed = (id: string, error: AppError): TaskPatch | undefined => {
    const task = store.tasks.get(id)
    if (!task || isFinal(task) || error.code === 'CANCELLED') return undefined
    const [attempts, failures] = [task.attempts + 1, task.failures + 1]
    const ageMs = clock() - task.createdAt
    const next = afterFailure(error, { polls: attempts, failures, ageMs }, deps.random)
    const plan = next.delayMs === null ? { nextPollAt: null } : planned(next.delayMs)
    const told = toFailure(error, clock())
    return { state: next.state, attempts, failures, error: told, ...plan }
  }

  /** Stores what a question brought, whole; plans the next one, and tells. */
  const settle = async (id: string, patchOf: () => TaskPatch | undefined): Promise<void> => {
    const task = await write(() =>
      store.transaction(() => {
        const patch = patchOf()
        return patch && store.tasks.update(id, patch, clock())
      }),
    )
    if (!task) return
    if (task.nextPollAt !== null) schedule(id, Math.max(0, task.nextPollAt - clock()))
    deps.onTask(task)
  }

  const drop = async (id: string): Promise<void> => {
    unschedule(id)
    const running = asking.get(id)
    running?.stop.abort()
    // What is written later finds no row.
    await atMost(running?.done)
    unschedule(id)
  }

  return {
    poll,
    schedule,
    drop,
    async dropAll() {
      await Promise.all([...timers.keys(), ...asking.keys()].map(drop))
    },
    isAsking: (id) => asking.has(id),
    write,
    closing: closing.signal,
    async close() {
      closing.abort()
      for (const cancel of timers.values()) cancel()
      timers.clear()
      for (const { stop } of asking.values()) stop.abort()
      await Promise.all([...asking.values()].map(({ done }) => done))
    },
  }
}
