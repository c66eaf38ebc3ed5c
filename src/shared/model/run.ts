import type { Failure } from '../bridge/reply.ts'

/**
 * `running`; `done`; `failed`: refused or not understood; `cancelled`: stopped by the user; `broken`: it had begun to answer and
 * the connection, or Lectern itself, ended. What came is kept in every state.
 */
export type RunState = 'running' | 'done' | 'failed' | 'cancelled' | 'broken'

/** A file a run wrote. */
export interface RunFile {
  readonly name: string
  readonly mediaId: string
}

/** One run of an operation of the service, as lists show it. Times are Unix milliseconds. */
export interface RunSummary {
  readonly id: string
  readonly accountId: string
  readonly accountName: string
  /** As the table of operations names it, for example `rerank.create`. */
  readonly operation: string
  readonly title: string
  readonly state: RunState
  readonly createdAt: number
  readonly updatedAt: number
  /** Null while it runs. */
  readonly endedAt: number | null
  /** Carries the events while it runs; its last event says that the run is over. */
  readonly streamId: string
  /** Events kept so far. */
  readonly events: number
  /** Files or addresses the service did not take, of how many; null when it took all of them, or none were to take. */
  readonly refused: { readonly count: number; readonly of: number } | null
  readonly error: Failure | null
}

/** A run with what went in and what came out. */
export interface Run extends RunSummary {
  /** As it was asked for; files are media ids. */
  readonly input: Readonly<Record<string, unknown>>
  /** The files among the input, with their names. */
  readonly inputFiles: readonly RunFile[]
  readonly requestId: string | null
  readonly engine: string | null
  readonly notice: string | null
  readonly usage: {
    readonly promptTokens: number | null
    readonly completionTokens: number | null
    readonly totalTokens: number | null
  } | null
  /** What the operation answers with; of a run that broke off, what had come. Null when nothing came. */
  readonly value: unknown
  readonly files: readonly RunFile[]
}

/** Some events of a run in their order. */
export interface EventBatch {
  /** Place of the first one among all events of the run, from 0. */
  readonly first: number
  readonly count: number
  /** A JSON list. As text: a batch is stored, packed and read as one piece. */
  readonly json: string
}
