import type { Failure } from '../contract/reply.ts'

/** Types of persistent work. */
export type JobKind = 'transcription'

/**
 * `queued`: starts automatically; `running`; `waiting`: stopped by the network, continues automatically; `done`; `failed`:
 * needs the user (Retry); `cancelled`: the user stopped it. Results received before a stop are kept.
 */
export type JobState = 'queued' | 'running' | 'waiting' | 'done' | 'failed' | 'cancelled'

/** A persistent job in the form for the page. */
export interface Job {
  readonly id: string
  readonly kind: JobKind
  readonly itemId: string
  readonly title: string
  readonly state: JobState
  /** 0 to 1 if known. */
  readonly progress: number | null
  /** The stream that carries the text while it runs. */
  readonly streamId: string | null
  readonly attempts: number
  readonly accountId: string
  readonly error: Failure | null
  /** Unix milliseconds. */
  readonly createdAt: number
  readonly updatedAt: number
  /** Unix milliseconds of the next automatic attempt; null when none is planned. */
  readonly nextTryAt: number | null
}
