import type { Api } from '../../api/types.ts'
import type { Clock, Ids, Log } from '../../deps.ts'
import { AppError, toFailure } from '../../errors.ts'
import type { Store, TaskPatch, TaskRecord } from '../../store/types.ts'
import type { Accounts } from '../accounts/accounts.ts'
import type { SavedFiles } from '../saved-files/saved-files.ts'
import { isStoreProblem } from '../transcribe/persist.ts'
import {
  createStatusPoller,
  type StatusPoller,
  type PollEnd,
} from '../status-polling/status-poller.ts'
import { afterFailure, intervalMs } from './plan.ts'
import { filesOf } from './files.ts'
import { answered } from './results.ts'

export interface PollerDeps {
  readonly store: Store
  readonly api: Pick<Api, 'tasks'>
  readonly accounts: Pick<Accounts, 'target'>
  /** Downloads the files of results. */
  readonly savedFiles: Pick<SavedFiles, 'want' | 'kick'>
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  /** Removes the known API keys from text of a response before it is saved. */
  mask(text: string): string
  readonly random: () => number
  /** Runs `work` after `ms`; the returned function cancels it. */
  after(ms: number, work: () => void): () => void
  /** Called after each change was stored. */
  onTask(task: TaskRecord): void
}

const isFinal = (task: TaskRecord): boolean => task.state === 'succeeded' || task.state === 'failed'

export function createPoller(deps: PollerDeps): StatusPoller {
  const { store, clock } = deps

  const ask = async (id: string, signal: AbortSignal): Promise<PollEnd> => {
    const task = store.tasks.get(id)
    if (!task || signal.aborted) return { error: null }
    try {
      const target = await deps.accounts.target(task.accountId)
      const answer = await deps.api.tasks.get(target, { id: task.taskId }, { signal, once: true })
      await settle(id, () => {
        const now = store.tasks.get(id)
        if (!now) return undefined
        const { state } = answer.value
        // A finished task stays finished, even if the provider no longer knows it.
        if (isFinal(now) && state === 'processing') return undefined
        if (now.replyId !== null) store.replies.remove(now.replyId)
        const replyId = deps.ids()
        const operation = 'tasks.get'
        store.replies.add({ id: replyId, itemId: null, operation, ...answer.raw, at: clock() })
        // Their URLs expire, so they are requested as soon as the result is known.
        deps.savedFiles.want(id, now.accountId, filesOf(answer.value))
        const pause = intervalMs(now.attempts + 1, clock() - now.createdAt, deps.random)
        const next = state === 'processing' ? planned(pause) : { nextPollAt: null }
        return { ...answered(now, answer, clock(), deps.mask), state, replyId, ...next }
      })
      deps.savedFiles.kick()
      return { error: null }
    } catch (error) {
      if (isStoreProblem(error) || signal.aborted || poller.closing.aborted) throw error
      if (!(error instanceof AppError))
        deps.log.error('failed to check the status of a task', { error })
      const known = error instanceof AppError ? error : new AppError('INTERNAL', 'Internal error')
      await settle(id, () => failed(id, known))
      return { error: known }
    }
  }

  const planned = (pause: number): TaskPatch => ({ nextPollAt: clock() + pause, intervalMs: pause })

  /** Returns the changes after a failed poll; a finished task keeps everything. */
  const failed = (id: string, error: AppError): TaskPatch | undefined => {
    const task = store.tasks.get(id)
    if (!task || isFinal(task) || error.code === 'CANCELLED') return undefined
    const [attempts, failures] = [task.attempts + 1, task.failures + 1]
    const ageMs = clock() - task.createdAt
    const next = afterFailure(error, { polls: attempts, failures, ageMs }, deps.random)
    const plan = next.delayMs === null ? { nextPollAt: null } : planned(next.delayMs)
    const failure = toFailure(error, clock())
    return { state: next.state, attempts, failures, error: failure, ...plan }
  }

  /** Stores the result of a poll in one transaction, schedules the next one, and emits the change. */
  const settle = async (id: string, patchOf: () => TaskPatch | undefined): Promise<void> => {
    const task = await poller.write(() =>
      store.transaction(() => {
        const patch = patchOf()
        return patch && store.tasks.update(id, patch, clock())
      }),
    )
    if (!task) return
    if (task.nextPollAt !== null) poller.schedule(id, Math.max(0, task.nextPollAt - clock()))
    deps.onTask(task)
  }

  const poller = createStatusPoller({ about: 'task', log: deps.log, after: deps.after, ask })
  return poller
}
