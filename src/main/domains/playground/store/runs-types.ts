import type { Failure } from '../../../../shared/contract/reply.ts'
import type { RawBody } from '../../../../shared/model/raw-body.ts'
import type {
  EventBatch,
  Run,
  RunFile,
  RunState,
  RunSummary,
} from '../../../../shared/model/run.ts'
import type { Task, TaskPage, TaskStatus } from '../../../../shared/model/task.ts'

/** A tracked task with the fields only the main process needs. */
export interface TaskRecord extends Task {
  /** Number of consecutive status checks without a response. */
  readonly failures: number
  /** The newest response, in {@link ReplyStore}. */
  readonly replyId: string | null
  /** Whether the user set the title. */
  readonly named: boolean
}

/** Fields of a task that change while it is tracked. */
export type TaskPatch = Partial<
  Pick<
    TaskRecord,
    | 'kind'
    | 'model'
    | 'state'
    | 'attempts'
    | 'failures'
    | 'intervalMs'
    | 'nextPollAt'
    | 'error'
    | 'engine'
    | 'notice'
    | 'replyId'
    | 'title'
    | 'named'
  > & {
    /** Searchable text of its result. */
    readonly words: string
  }
>

/** Store of tracked tasks, as rows that survive a crash (rule 8). */
export interface TaskStore {
  create(task: TaskRecord): void
  get(id: string): TaskRecord | undefined
  /** Finds a task by its ID at the provider. */
  find(accountId: string, taskId: string): TaskRecord | undefined
  /** Returns the changed task; undefined when it is no longer tracked. */
  update(id: string, patch: TaskPatch, at: number): TaskRecord | undefined
  /** Newest first. */
  list(query: {
    readonly query: string
    readonly status?: TaskStatus | undefined
    readonly before: string | null
    readonly limit: number
  }): { readonly tasks: readonly TaskRecord[]; readonly next: TaskPage['next'] }
  /** Processing and waiting tasks, oldest first. */
  unfinished(): readonly TaskRecord[]
  /** Stops tracking a task; its results can be restored for a while. */
  forget(id: string, at: number): void
  /** Restores a removed task by its own ID or the one at the provider; undefined when there is none. */
  restore(which: string | Pick<TaskRecord, 'accountId' | 'taskId'>): TaskRecord | undefined
  /** Permanently deletes a task with its response and file rows. Returns media that are no longer used. */
  remove(id: string): readonly string[]
  /** The same for tasks removed before a time (Unix ms). */
  purge(before: number): readonly string[]
}

/** A new run; `mediaIds` are the files referenced by its input. */
export interface NewRun {
  readonly id: string
  readonly accountId: string
  readonly accountName: string
  readonly operation: string
  readonly title: string
  readonly streamId: string
  readonly input: Readonly<Record<string, unknown>>
  readonly mediaIds: readonly string[]
  /** Unix milliseconds. */
  readonly at: number
}

/** A raw response; a long body is passed deflated (raw), since deflating takes time. */
export interface RunReply {
  readonly status: number
  readonly contentType: string
  readonly body: string | Uint8Array
}

/** End of a run. */
export interface RunEnd {
  readonly state: Exclude<RunState, 'running'>
  readonly at: number
  readonly requestId?: string | null
  readonly engine?: string | null
  readonly notice?: string | null
  readonly usage?: Run['usage']
  readonly error?: Failure
  readonly files?: readonly RunFile[]
}

/** Runs of operations with their events, results, responses and files. */
export interface RunStore {
  create(run: NewRun): void
  summary(id: string): RunSummary | undefined
  get(id: string): Run | undefined
  /** Newest first. */
  list(query: {
    family?: string | undefined
    operation?: string | undefined
    accountId?: string | undefined
    state?: RunState | undefined
    before?: string | undefined
    limit: number
  }): { readonly runs: readonly RunSummary[]; readonly next: string | null }
  /** IDs of all matching runs, newest first. */
  ids(query: { family?: string | undefined; state?: RunState | undefined }): readonly string[]
  /** IDs of runs still marked as running, oldest first. */
  unfinished(): readonly string[]
  /** Appends the next events; an existing index is an error. */
  append(id: string, batch: EventBatch): void
  /** Returns whole batches from the one that contains index `from`, until `limit` events are reached. */
  events(
    id: string,
    from: number,
    limit: number,
  ): { readonly batches: readonly EventBatch[]; readonly next: number | null }
  /** Response and value are saved before the end, separately: both may be long. */
  keepReply(id: string, reply: RunReply): void
  keepValue(id: string, json: string): void
  finish(id: string, end: RunEnd): RunSummary
  /** Adds files written by a run that could not be saved when it ended. */
  keepFiles(id: string, files: readonly RunFile[]): RunSummary
  reply(id: string): RawBody | null
  rename(id: string, title: string, at: number): RunSummary
  /** Deletes runs with all their data; returns the media IDs that are no longer used. */
  remove(ids: readonly string[]): readonly string[]
}
