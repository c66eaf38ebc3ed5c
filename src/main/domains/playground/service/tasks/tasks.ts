import type { Failure } from '../../../../../shared/contract/reply.ts'
import type { RawBody } from '../../../../../shared/model/raw-body.ts'
import type { Task, TaskKind, TaskPage, TaskResult } from '../../../../../shared/model/task.ts'
import { wireModel } from '../../../../../shared/provider/profiles.ts'
import type { Answered } from '../../../../provider-client/types.ts'
import { serviceError } from '../../../../provider-client/errors.ts'
import { isRecord, parseJson } from '../../../../provider-client/json.ts'
import { readTask } from '../../../../provider-client/task-replies.ts'
import type { Api } from '../../../../provider-client/api.ts'
import type { Context } from '../../../../context.ts'
import { AppError, toFailure } from '../../../../errors.ts'
import type { TaskRecord, TaskPatch } from '../../../../library-database/types.ts'
import type { Store } from '../../../../library-database/store.ts'
import type { Accounts } from '../../../settings/index.ts'
import { titleFrom, textFrom } from '../remote-items/remote-item-title.ts'
import type { SavedFiles } from '../saved-files/saved-files.ts'
import { createStatusPoller, type StatusPoller } from '../../../../work-queue/status-poller.ts'
import { waitBriefly } from '../../../../work-queue/wait-briefly.ts'
import { filesOf } from './task-files.ts'
import { intervalMs } from '../../../../work-queue/poll-plan.ts'

/**
 * Asynchronous tasks of the provider (service-notes 9), tracked until they are done, across restarts, outages and
 * missing API keys.
 */
export interface Tasks {
  create(request: {
    readonly kind: TaskKind
    readonly model: string
    readonly body: Readonly<Record<string, unknown>>
    readonly accountId?: string | undefined
  }): Promise<Task>
  /** Tracks any task ID of the provider; one that is already tracked is polled now. */
  watch(request: {
    readonly taskId: string
    readonly kind?: TaskKind | undefined
    readonly accountId?: string | undefined
  }): Task
  /** Newest first. */
  list(query: Parameters<Store['tasks']['list']>[0]): TaskPage
  get(id: string): { readonly task: Task; readonly result: TaskResult | null }
  raw(id: string): RawBody | null
  rename(id: string, title: string): Task
  /** Removes a task from the list and stops polling it; `restore` brings it back within 30 days. */
  forget(id: string): Promise<void>
  /** Throws NOT_FOUND. */
  restore(id: string): Task
  /** Polls now; a failure is reported in the task, or thrown if the task is already done. */
  refresh(id: string): Promise<Task>
  /** Resumes unfinished tasks: at startup, after the computer slept, and after the database was repaired. */
  resume(): void
  /** The account is available again: its waiting tasks continue now. */
  accountReady(accountId: string): void
  /** Cancels all polls and creations before everything is erased; nothing of them is stored afterwards. */
  forgetAll(): Promise<void>
  shutdown(): Promise<void>
}

interface TaskDeps extends PollerDeps {
  activeAccountId(): string
}

/** Creates the task service. */
export function createTaskWatch(deps: TaskDeps): Tasks {
  const { store, clock } = deps
  const poller = createPoller(deps)
  /** Creations that are not stored yet, with the controller that cancels them. */
  const creating = new Set<Promise<unknown>>()
  let forgetting = new AbortController()

  const need = (id: string): TaskRecord => {
    const task = store.tasks.get(id)
    if (!task) throw new AppError('NOT_FOUND', 'Task not found')
    return task
  }

  /** Starts tracking an ID; the first poll follows after `pauseMs`. */
  const begin = (
    about: Pick<TaskRecord, 'accountId' | 'taskId' | 'kind' | 'model' | 'title'>,
    pauseMs: number,
  ): TaskRecord => {
    const at = clock()
    const task: TaskRecord = {
      ...about,
      id: deps.ids(),
      accountName: store.accounts.get(about.accountId)?.name ?? '',
      state: 'processing',
      attempts: 0,
      failures: 0,
      intervalMs: pauseMs,
      nextPollAt: at + pauseMs,
      error: null,
      engine: null,
      notice: null,
      replyId: null,
      named: false,
      createdAt: at,
      updatedAt: at,
    }
    store.tasks.create(task)
    return task
  }
  const started = (task: TaskRecord): Task => {
    poller.schedule(task.id, task.intervalMs)
    report(deps, task)
    return viewOf(task)
  }

  /** Resumes a task left by an earlier run. */
  const takeUp = (task: TaskRecord): void => {
    const { state } = task
    if (state === 'processing' || state === 'waiting') poller.resume(task, state === 'waiting')
  }

  const create = async (
    { kind, model, body, accountId = deps.activeAccountId() }: Parameters<Tasks['create']>[0],
    forgotten: AbortSignal,
  ): Promise<Task> => {
    const signal = AbortSignal.any([poller.closing, forgotten])
    const target = await deps.accounts.target(accountId)
    const answer = await deps.api.tasks.create(target, { kind, model, body }, { signal })
    const { id: taskId, state } = answer.value
    const wired = wireModel(target.profile, model)
    // A task that is already over is polled immediately: only that response contains its result.
    const pause = state === 'processing' ? intervalMs(1, 0, deps.random) : 0
    const task = await poller.write(
      () =>
        store.transaction(() => {
          // Everything may have been erased while the provider was responding.
          forgotten.throwIfAborted()
          if (!store.accounts.get(accountId)) throw new AppError('NOT_FOUND', 'Account not found')
          // If the provider returns an ID again, it refers to the new task.
          store.tasks.restore({ accountId, taskId })
          const old = store.tasks.find(accountId, taskId)
          if (old) store.tasks.remove(old.id)
          const title = titleOfBody(body) || taskId
          return begin({ accountId, taskId, kind, model: wired, title }, pause)
        }),
      signal,
    )
    return started(task)
  }

  return {
    create(request) {
      const made = create(request, forgetting.signal)
      const known: Promise<unknown> = made
        .catch(() => undefined)
        .finally(() => creating.delete(known))
      creating.add(known)
      return made
    },
    watch({ taskId, kind = null, accountId = deps.activeAccountId() }) {
      if (!store.accounts.get(accountId)) throw new AppError('NOT_FOUND', 'Account not found')
      // A task that was tracked before is restored with all its results.
      const known = store.tasks.restore({ accountId, taskId })
      if (!known) return started(begin({ accountId, taskId, kind, model: null, title: taskId }, 0))
      void poller.poll(known.id)
      return viewOf(known)
    },
    list(query) {
      const { tasks, next } = store.tasks.list(query)
      return { tasks: tasks.map(viewOf), next }
    },
    get(id) {
      const task = need(id)
      const reply = task.replyId === null ? undefined : store.replies.get(task.replyId)
      return { task: viewOf(task), result: reply ? resultOf(reply.body, task.taskId) : null }
    },
    raw(id) {
      const { replyId } = need(id)
      const reply = replyId === null ? undefined : store.replies.get(replyId)
      if (!reply) return null
      return { status: reply.status, contentType: reply.contentType, body: reply.body }
    },
    rename(id, title) {
      need(id)
      const renamed = store.tasks.update(id, { title, named: true }, clock()) ?? need(id)
      report(deps, renamed)
      return viewOf(renamed)
    },
    async forget(id) {
      need(id)
      await poller.drop(id)
      store.tasks.forget(id, clock())
    },
    restore(id) {
      const task = store.tasks.restore(id)
      if (!task) throw new AppError('NOT_FOUND', 'Task not found')
      takeUp(task)
      report(deps, task)
      return viewOf(task)
    },
    async refresh(id) {
      need(id)
      const { error } = await poller.poll(id)
      const task = need(id)
      // Otherwise the task contains it.
      if (error && (isFinal(task) || task.error === null)) throw error
      return viewOf(task)
    },
    resume() {
      for (const task of store.tasks.unfinished()) takeUp(task)
    },
    accountReady(accountId) {
      for (const task of store.tasks.unfinished())
        if (task.accountId === accountId && task.state === 'waiting') void poller.poll(task.id)
    },
    async forgetAll() {
      forgetting.abort(new AppError('CANCELLED', 'All data is being erased'))
      forgetting = new AbortController()
      await Promise.all([poller.dropAll(), waitBriefly(Promise.all(creating))])
      // Tasks created just before the signal have already scheduled their first poll.
      await poller.dropAll()
    },
    shutdown: () => poller.close(),
  }
}

/** Converts a task for the renderer, without internal fields. */
export const viewOf = ({ failures: _, replyId: __, named: ___, ...task }: TaskRecord): Task => task

const report = ({ emit }: Pick<Context, 'emit'>, task: TaskRecord): void =>
  emit({ type: 'task.changed', task: viewOf(task) })

interface PollerDeps extends Pick<
  Context,
  'store' | 'clock' | 'ids' | 'log' | 'mask' | 'random' | 'workQueue' | 'emit'
> {
  readonly api: Pick<Api, 'tasks'>
  readonly accounts: Pick<Accounts, 'target'>
  /** Downloads the files of results. */
  readonly savedFiles: Pick<SavedFiles, 'want' | 'kick'>
}

const isFinal = (task: TaskRecord): boolean => task.state === 'succeeded' || task.state === 'failed'

function createPoller(deps: PollerDeps): StatusPoller<TaskRecord, TaskPatch> {
  const { store, clock } = deps
  const poller = createStatusPoller<TaskRecord, TaskPatch>({
    ...deps,
    about: 'task',
    rows: store.tasks,
    transaction: (work) => store.transaction(work),
    async ask({ id, accountId, taskId }, signal) {
      const target = await deps.accounts.target(accountId)
      const answer = await deps.api.tasks.get(target, { id: taskId }, { signal, once: true })
      await poller.settle(id, (now) => {
        const { state } = answer.value
        // A finished task stays finished, even if the provider no longer knows it.
        if (isFinal(now) && state === 'processing') return undefined
        if (now.replyId !== null) store.replies.remove(now.replyId)
        const replyId = deps.ids()
        const operation = 'tasks.get'
        store.replies.add({ id: replyId, itemId: null, operation, ...answer.raw, at: clock() })
        // Their URLs expire, so they are requested as soon as the result is known.
        deps.savedFiles.want(id, now.accountId, filesOf(answer.value))
        const next = state === 'processing' ? poller.planned(now) : { nextPollAt: null }
        return { ...answered(now, answer, clock(), deps.mask), state, replyId, ...next }
      })
      deps.savedFiles.kick()
    },
    failed: (task, failed) => (isFinal(task) ? undefined : failed),
    onChange: (task) => report(deps, task),
  })
  return poller
}

/** Parses the result from the saved response; null for a response without a task. */
function resultOf(body: string, taskId: string): TaskResult | null {
  const json = parseJson(body)
  return typeof json === 'object' && json !== null ? readTask(json, taskId) : null
}

/** Returns the changes that a response makes to a task, except the schedule of the next poll. */
function answered(
  task: TaskRecord,
  answer: Answered<TaskResult>,
  at: number,
  mask: (text: string) => string,
): TaskPatch {
  const { value } = answer
  const texts = value.choices.flatMap(({ content }) => (content === null ? [] : [content]))
  const title = task.title === task.taskId ? titleFrom(texts) : ''
  const masked = (text: string | null): string | null => (text === null ? null : mask(text))
  return {
    kind: task.kind ?? kindOf(value),
    model: masked(value.model) ?? task.model,
    attempts: task.attempts + 1,
    failures: 0,
    error: value.state === 'failed' ? failureOf(value, mask(answer.requestId), at, mask) : null,
    ...(title !== '' && { title: mask(title) }),
    words: mask(textFrom([...texts, ...value.webSearch.map((found) => found.title)])),
    engine: masked(answer.engine) ?? task.engine,
    notice: masked(answer.notice) ?? task.notice,
  }
}

function kindOf(value: TaskResult): TaskKind | null {
  if (value.videos.length > 0) return 'video'
  if (value.images.length > 0) return 'image'
  return value.choices.length > 0 ? 'chat' : null
}

/** Returns why a task failed, as a regular failure. It is final: polling again returns the same. */
function failureOf(
  value: TaskResult,
  requestId: string,
  at: number,
  mask: (text: string) => string,
): Failure {
  const facts = { status: 200, requestId, logId: null, retryAfterMs: null }
  const error = serviceError(facts, value.failure, mask)
  return { ...toFailure(error, at), retriable: false }
}

/**
 * Returns the title of a task from its request body: the prompt, or the last user message. Empty if there is neither.
 */
function titleOfBody(body: Readonly<Record<string, unknown>>): string {
  const messages = Array.isArray(body['messages']) ? body['messages'].filter(isRecord) : []
  const content = messages.findLast(({ role }) => role === 'user')?.['content']
  const parts = Array.isArray(content)
    ? content.filter(isRecord).map(({ text }) => text)
    : [content]
  return titleFrom([body['prompt'], ...parts].filter((text) => typeof text === 'string'))
}
