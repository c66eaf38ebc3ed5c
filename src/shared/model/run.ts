import type { Failure } from '../contract/reply.ts'

/**
 * `running`; `done`; `failed`: rejected or not understood; `cancelled`: stopped by the user; `broken`: the connection or
 * Lectern ended after the response had started. Received results are kept in every state.
 */
export type RunState = 'running' | 'done' | 'failed' | 'cancelled' | 'broken'

export interface RunFile {
  readonly name: string
  readonly mediaId: string
}

/** One run of a provider operation as shown in lists. Times are Unix milliseconds. */
export interface RunSummary {
  readonly id: string
  readonly accountId: string
  readonly accountName: string
  /** Name in the table of operations, for example `rerank.create`. */
  readonly operation: string
  readonly title: string
  readonly state: RunState
  readonly createdAt: number
  readonly updatedAt: number
  /** Null while it is running. */
  readonly endedAt: number | null
  /** Stream of the events while it is running; its last event is the end of the run. */
  readonly streamId: string
  /** Number of events saved so far. */
  readonly events: number
  /**
   * Number of files or URLs the provider rejected, and in total; null when it accepted all of them, or there were none.
   */
  readonly refused: { readonly count: number; readonly of: number } | null
  readonly error: Failure | null
}

export interface Run extends RunSummary {
  /** Input as requested; files are media IDs. */
  readonly input: Readonly<Record<string, unknown>>
  /** Files in the input with their names. */
  readonly inputFiles: readonly RunFile[]
  readonly requestId: string | null
  readonly engine: string | null
  readonly notice: string | null
  readonly usage: {
    readonly promptTokens: number | null
    readonly completionTokens: number | null
    readonly totalTokens: number | null
  } | null
  /** Result of the operation; for an interrupted run, the part received. Null when nothing was received. */
  readonly value: unknown
  readonly files: readonly RunFile[]
}

/** Some events of a run in order. */
export interface EventBatch {
  /** Index of the first one among all events of the run, from 0. */
  readonly first: number
  readonly count: number
  /** A JSON list, as text: a batch is stored, compressed and read as a unit. */
  readonly json: string
}
