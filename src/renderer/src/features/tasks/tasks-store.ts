import { defineStore } from 'pinia'
import { ref, shallowRef } from 'vue'
import type { Failure, Reply } from '../../../../shared/bridge/reply.ts'
import type { RequestOf } from '../../../../shared/bridge/routes.ts'
import type { KeptFile } from '../../../../shared/model/kept-file.ts'
import type { RawBody } from '../../../../shared/model/raw-body.ts'
import type { Task, TaskResult } from '../../../../shared/model/task.ts'
import { useClient } from '../../api/use-client.ts'
import { useToasts } from '../../ui/toasts.ts'

/** Watched tasks of the service, newest first, and the opened one with its result. */
export const useTasks = defineStore('tasks', () => {
  const client = useClient()
  const toasts = useToasts()
  const tasks = shallowRef<readonly Task[]>([])
  const state = ref<'idle' | 'loading' | 'ready' | 'failed'>('idle')
  const failure = shallowRef<Failure | null>(null)
  const id = ref<string | null>(null)
  const task = shallowRef<Task | null>(null)
  const result = shallowRef<TaskResult | null>(null)
  /** The files that its result names. */
  const files = shallowRef<readonly KeptFile[]>([])
  const taskFailure = shallowRef<Failure | null>(null)
  const actionFailure = shallowRef<Failure | null>(null)
  const asking = ref(false)
  const raw = shallowRef<RawBody | null>(null)
  const rawState = ref<'unasked' | 'asking' | 'there'>('unasked')

  const load = async (): Promise<void> => {
    if (state.value === 'idle') state.value = 'loading'
    const reply = await client.request('tasks.list', { limit: 1000 })
    failure.value = reply.ok ? null : reply.error
    state.value = reply.ok ? 'ready' : 'failed'
    if (reply.ok) tasks.value = reply.data
  }
  const put = (next: Task): void => {
    const index = tasks.value.findIndex((one) => one.id === next.id)
    const known = tasks.value[index]
    if (known && known.updatedAt > next.updatedAt) return
    tasks.value = known ? tasks.value.with(index, next) : [next, ...tasks.value]
    if (task.value?.id === next.id) task.value = next
  }
  const open = async (taskId: string): Promise<void> => {
    if (id.value !== taskId) {
      close()
      id.value = taskId
    }
    await refreshOpened()
  }
  const close = (): void => {
    id.value = null
    task.value = null
    result.value = null
    files.value = []
    taskFailure.value = null
    actionFailure.value = null
    raw.value = null
    rawState.value = 'unasked'
  }
  const refreshOpened = async (): Promise<void> => {
    const asked = id.value
    if (asked === null) return
    const reply = await client.request('tasks.get', { id: asked })
    if (id.value !== asked) return
    taskFailure.value = reply.ok ? null : reply.error
    if (!reply.ok) {
      if (reply.error.code === 'NOT_FOUND') task.value = null
      return
    }
    task.value = reply.data.task
    result.value = reply.data.result
    files.value = reply.data.files
    put(reply.data.task)
  }
  const loadRaw = async (): Promise<void> => {
    const asked = id.value
    if (asked === null || rawState.value === 'asking') return
    rawState.value = 'asking'
    const reply = await client.request('tasks.raw', { id: asked })
    if (id.value !== asked) return
    rawState.value = reply.ok ? 'there' : 'unasked'
    if (reply.ok) raw.value = reply.data.reply
    else actionFailure.value = reply.error
  }

  const begun = (reply: Reply<Task>): { task: Task } | { failure: Failure } => {
    if (!reply.ok) return { failure: reply.error }
    put(reply.data)
    return { task: reply.data }
  }
  const watchTask = async (request: RequestOf<'tasks.watch'>) =>
    begun(await client.request('tasks.watch', request))
  const create = async (request: RequestOf<'tasks.create'>) =>
    begun(await client.request('tasks.create', request))
  /** Asks the service now. */
  const refresh = async (taskId: string): Promise<void> => {
    asking.value = true
    const reply = await client.request('tasks.refresh', { id: taskId })
    asking.value = false
    if (reply.ok) put(reply.data)
    if (id.value !== taskId) return
    actionFailure.value = reply.ok ? null : reply.error
    if (reply.ok) await refreshOpened()
  }
  /** Tries again to fetch what is missing of the opened one. */
  const retryFiles = async (): Promise<void> => {
    const asked = id.value
    if (asked === null) return
    const reply = await client.request('tasks.retry', { id: asked })
    if (id.value !== asked) return
    if (!reply.ok) actionFailure.value = reply.error
    await refreshOpened()
  }
  /** No longer watched; the task itself goes on, and can be watched again by its id. */
  const forget = async (gone: Task): Promise<boolean> => {
    const reply = await client.request('tasks.forget', { id: gone.id })
    if (!reply.ok) {
      actionFailure.value = reply.error
      return false
    }
    drop(gone.id)
    const { taskId, accountId, kind } = gone
    const again = { taskId, accountId, ...(kind !== null && { kind }) }
    toasts.show('bench.taskForgotten', {
      action: { key: 'app.undo', run: () => void watchTask(again) },
    })
    return true
  }
  const drop = (gone: string): void => {
    tasks.value = tasks.value.filter((one) => one.id !== gone)
    if (id.value === gone) close()
  }

  client.onEvent((event) => {
    if (event.type === 'task.forgotten') drop(event.id)
    if (event.type === 'files.changed' && event.ownerId === id.value) void refreshOpened()
    if (event.type !== 'task.changed' || state.value === 'idle') return
    const before = task.value
    put(event.task)
    if (before?.id === event.task.id && before.attempts !== event.task.attempts)
      void refreshOpened()
  })
  let bridge = ''
  client.onBridge((now) => {
    if (bridge !== '' && bridge !== 'connecting' && now === 'open' && state.value !== 'idle') {
      void load()
      void refreshOpened()
    }
    bridge = now
  })
  return {
    tasks,
    state,
    failure,
    id,
    task,
    result,
    files,
    taskFailure,
    actionFailure,
    asking,
    raw,
    rawState,
    load,
    open,
    close,
    refreshOpened,
    loadRaw,
    watchTask,
    create,
    refresh,
    retryFiles,
    forget,
  }
})
