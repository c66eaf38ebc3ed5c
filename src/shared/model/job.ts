import type { Failure } from '../bridge/reply.ts'

/** Kinds of durable work. */
export type JobKind = 'transcription'

/**
 * `queued`: will start by itself; `running`; `waiting`: stopped by the network, goes on by itself;
 * `done`; `failed`: needs the user (Retry); `cancelled`: the user stopped it. What came before a stop is kept.
 */
export type JobState = 'queued' | 'running' | 'waiting' | 'done' | 'failed' | 'cancelled'

/** A durable job as the page sees it. */
export interface Job {
  readonly id: string
  readonly kind: JobKind
  readonly itemId: string
  readonly title: string
  readonly state: JobState
  /** 0 to 1 where it can be told. */
  readonly progress: number | null
  /** The stream that carries the text while it runs. */
  readonly streamId: string | null
  readonly attempts: number
  readonly accountId: string
  readonly error: Failure | null
  /** Unix milliseconds. */
  readonly createdAt: number
  readonly updatedAt: number
  /** Unix milliseconds of the next try by itself; null when none is planned. */
  readonly nextTryAt: number | null
}
