import type { Failure } from '../../shared/bridge/reply.ts'
import type { RawBody } from '../../shared/model/raw-body.ts'
import type { EventBatch, Run, RunFile, RunState, RunSummary } from '../../shared/model/run.ts'
import type { Task, TaskPage, TaskStatus } from '../../shared/model/task.ts'

/** A watched task with what only main needs. */
export interface TaskRecord extends Task {
  /** Questions in a row that brought no answer. */
  readonly failures: number
  /** The newest reply, among {@link ReplyStore}. */
  readonly replyId: string | null
  /** Its title is the user's. */
  readonly named: boolean
}

/** Fields a task changes while it is watched. */
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
    /** What is searched of its result. */
    readonly words: string
  }
>

/** The watched tasks, as rows that outlive a crash (rule 8). */
export interface TaskStore {
  create(task: TaskRecord): void
  get(id: string): TaskRecord | undefined
  /** By its id at the service. */
  find(accountId: string, taskId: string): TaskRecord | undefined
  /** Returns the task after the change; undefined when it is not watched any more. */
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
  /** Not watched any more; what came of it can be brought back for a while. */
  forget(id: string, at: number): void
  /** Brings a forgotten one back, by its own id or by the one at the service; undefined when there is none. */
  restore(which: string | Pick<TaskRecord, 'accountId' | 'taskId'>): TaskRecord | undefined
  /** Deletes for good, with its reply and the rows of its files. Returns media that nothing uses any more. */
  remove(id: string): readonly string[]
  /** The same for those that were forgotten before a moment (Unix ms). */
  purge(before: number): readonly string[]
}

/** A new run; `mediaIds` are the files its input refers to. */
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

/** A reply as received; a long body is given deflated (raw), as deflating takes its time. */
export interface RunReply {
  readonly status: number
  readonly contentType: string
  readonly body: string | Uint8Array
}

/** How a run ended. */
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

/** Runs of operations with their events, results, replies and files. */
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
  /** Ids of all that fit, newest first. */
  ids(query: { family?: string | undefined; state?: RunState | undefined }): readonly string[]
  /** Ids of what is still said to run, oldest first. */
  unfinished(): readonly string[]
  /** Adds the next events; a place that is taken is an error. */
  append(id: string, batch: EventBatch): void
  /** Whole batches from the one that holds the place `from`, until `limit` events are reached. */
  events(
    id: string,
    from: number,
    limit: number,
  ): { readonly batches: readonly EventBatch[]; readonly next: number | null }
  /** Reply and value are kept before the end, each by itself: both may be long. */
  keepReply(id: string, reply: RunReply): void
  keepValue(id: string, json: string): void
  finish(id: string, end: RunEnd): RunSummary
  /** Adds files that a run wrote and that could not be kept when it ended. */
  keepFiles(id: string, files: readonly RunFile[]): RunSummary
  reply(id: string): RawBody | null
  rename(id: string, title: string, at: number): RunSummary
  /** Removes runs with all that belongs to them; returns the media ids that nothing uses any more. */
  remove(ids: readonly string[]): readonly string[]
}
