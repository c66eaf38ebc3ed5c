import { z } from 'zod'
import type { SavedFile } from '../model/saved-file.ts'
import type { RawBody } from '../model/raw-body.ts'
import type { ResponseUsage } from '../model/response.ts'
import { taskStatuses, type Task, type TaskPage, type TaskResult } from '../model/task.ts'
import { route } from './contract.ts'
import { remoteItemQuery, remoteItemTitle } from './remote-items.ts'

const id = z.string().min(1).max(64)
const kind = z.enum(['chat', 'video', 'image'])

/**
 * Routes of asynchronous tasks (service-notes 9): created or tracked, and polled until they are done, across restarts.
 */
export const tasks = {
  /** Creates a task at the provider and tracks it; `body` contains the fields of its kind except the model. */
  create: route<Task>()(
    z.strictObject({
      kind,
      model: z.string().min(1).max(200),
      body: z.record(z.string().max(200), z.json()),
      /** Defaults to the active account. */
      accountId: id.optional(),
    }),
  ),
  /** Tracks a task created elsewhere, by its ID at the provider; one that is already tracked is polled now. */
  watch: route<Task>()(
    z.strictObject({
      taskId: z.string().trim().min(1).max(200),
      kind: kind.optional(),
      accountId: id.optional(),
    }),
  ),
  /** Newest first. */
  list: route<TaskPage>()(remoteItemQuery.extend({ status: z.enum(taskStatuses).optional() })),
  /** Includes the newest result and its files; null until a response was received. */
  get: route<{
    readonly task: Task
    readonly result: TaskResult | null
    /** Null if the response does not contain it. */
    readonly usage: ResponseUsage | null
    readonly files: readonly SavedFile[]
  }>()(z.strictObject({ id })),
  /** Returns the newest raw response; null if there is none. */
  raw: route<{ readonly reply: RawBody | null }>()(z.strictObject({ id })),
  rename: route<Task>()(remoteItemTitle),
  /**
   * Stops tracking a task and removes it from the list; the task itself continues at the provider. `restore` brings it
   * back for 30 days.
   */
  forget: route<Record<string, never>>()(z.strictObject({ id })),
  restore: route<Task>()(z.strictObject({ id })),
  /** Fetches missing files: polls the task first, because their URLs expire. */
  retry: route<Record<string, never>>()(z.strictObject({ id })),
  /** Polls now; resolves when the response is stored. */
  refresh: route<Task>()(z.strictObject({ id })),
  /** Returns the stored files as one archive, to be saved. */
  pack: route<{ readonly mediaId: string; readonly name: string }>()(z.strictObject({ id })),
}
