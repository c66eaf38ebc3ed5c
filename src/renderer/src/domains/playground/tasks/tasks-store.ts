import { defineStore } from 'pinia'
import { ref } from 'vue'
import type { Failure, Reply } from '../../../../../shared/contract/reply.ts'
import type { RequestOf } from '../../../../../shared/contract/routes.ts'
import type { Task, TaskStatus } from '../../../../../shared/model/task.ts'
import { useClient } from '../../../lib/bridge/use-client.ts'
import { mapped } from '../../../kit/use-paged-list.ts'
import { useRemoteItemsStore } from '../remote-items/remote-items-store.ts'

/** Tracked tasks of the provider (service-notes 9), newest first, and the open one with its result. */
export const useTasks = defineStore('tasks', () => {
  const client = useClient()
  const status = ref<'' | TaskStatus>('')
  const store = useRemoteItemsStore({
    removedKey: (task: Task | null) =>
      task?.state === 'succeeded' || task?.state === 'failed'
        ? 'playground.taskDeleted'
        : 'playground.trackingStopped',
    async list(query) {
      const wanted = status.value === '' ? {} : { status: status.value }
      const reply = await client.request('tasks.list', { ...query, ...wanted })
      return mapped(reply, ({ tasks, next }) => ({ rows: tasks, next }))
    },
    get: ({ id }) => client.request('tasks.get', { id }),
    raw: ({ id }) => client.request('tasks.raw', { id }),
    refresh: (request) => client.request('tasks.refresh', request),
    rename: (request) => client.request('tasks.rename', request),
    remove: (request) => client.request('tasks.forget', request),
    restore: (request) => client.request('tasks.restore', request),
    retry: ({ id }) => client.request('tasks.retry', { id }),
    rowOf: ({ task }) => task,
    versionOf: () => null,
    filesOf: ({ task, files }) => ({ owner: task.id, files }),
    changed: (event) => (event.type === 'task.changed' ? event.task : null),
    removed: (event) => (event.type === 'task.forgotten' ? event.id : null),
    narrowed: () => status.value !== '',
  })

  const begun = (reply: Reply<Task>): { task: Task } | { failure: Failure } => {
    if (!reply.ok) return { failure: reply.error }
    store.put(reply.data)
    return { task: reply.data }
  }
  const watchTask = async (request: RequestOf<'tasks.watch'>) =>
    begun(await client.request('tasks.watch', request))
  const create = async (request: RequestOf<'tasks.create'>) =>
    begun(await client.request('tasks.create', request))
  /** Filters tasks by status; an empty string shows all. */
  const narrow = (wanted: '' | TaskStatus): Promise<void> => {
    status.value = wanted
    return store.load()
  }
  return { ...store, status, narrow, watchTask, create }
})
