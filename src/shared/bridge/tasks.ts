import { z } from 'zod'
import type { SavedFile } from '../model/saved-file.ts'
import type { RawBody } from '../model/raw-body.ts'
import type { ResponseUsage } from '../model/response.ts'
import { taskStandings, type Task, type TaskPage, type TaskResult } from '../model/task.ts'
import { route } from './contract.ts'
import { remoteItemQuery, remoteItemTitle } from './remote-items.ts'

const id = z.string().min(1).max(64)
const kind = z.enum(['chat', 'video', 'image'])

/** Routes of asynchronous tasks (service-notes 9): created or watched, asked for until they are done, over restarts. */
export const tasks = {
  /** Creates a task at the service and watches it; `body` holds what its kind takes beside the model. */
  create: route<Task>()(
    z.strictObject({
      kind,
      model: z.string().min(1).max(200),
      body: z.record(z.string().max(200), z.json()),
      /** The active account when absent. */
      accountId: id.optional(),
    }),
  ),
  /** Watches a task that was created elsewhere, by its id at the service; one that is watched already is asked for now. */
  watch: route<Task>()(
    z.strictObject({
      taskId: z.string().trim().min(1).max(200),
      kind: kind.optional(),
      accountId: id.optional(),
    }),
  ),
  /** Newest first. */
  list: route<TaskPage>()(remoteItemQuery.extend({ status: z.enum(taskStandings).optional() })),
  /** With the newest result and its files; null as long as no answer came. */
  get: route<{
    readonly task: Task
    readonly result: TaskResult | null
    /** Null where the reply does not say. */
    readonly usage: ResponseUsage | null
    readonly files: readonly SavedFile[]
  }>()(z.strictObject({ id })),
  /** The newest reply as it was received; null when none was. */
  raw: route<{ readonly reply: RawBody | null }>()(z.strictObject({ id })),
  rename: route<Task>()(remoteItemTitle),
  /** Stops watching, and takes it out of the list; the task itself goes on at the service. Comes back by `restore` for thirty days. */
  forget: route<Record<string, never>>()(z.strictObject({ id })),
  restore: route<Task>()(z.strictObject({ id })),
  /** Fetches files that are missing: asks for the task first, since their addresses expire. */
  retry: route<Record<string, never>>()(z.strictObject({ id })),
  /** Asks now, and answers when the answer is stored. */
  refresh: route<Task>()(z.strictObject({ id })),
  /** What is kept of its files as one archive, to be saved. */
  pack: route<{ readonly mediaId: string; readonly name: string }>()(z.strictObject({ id })),
}
