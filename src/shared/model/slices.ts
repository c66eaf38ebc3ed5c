import type { Failure } from '../contract/reply.ts'

/**
 * `asking` continues after a restart; `failed`: nothing received so far, or the last attempt returned nothing new.
 */
export type ChunkRequestState = 'asking' | 'done' | 'failed'

/**
 * A request for citation positions by two IDs (service-notes 11), as shown in lists. Times are Unix milliseconds.
 */
export interface ChunkRequest {
  readonly id: string
  readonly accountId: string
  readonly accountName: string
  readonly requestId: string
  readonly nodeId: string
  /** The chat message it was made for; null when the user entered the IDs. */
  readonly messageId: string | null
  readonly state: ChunkRequestState
  /** Why the last attempt failed; earlier results are kept. */
  readonly error: Failure | null
  /** Names of its first few documents. */
  readonly documents: readonly string[]
  /** Null until something was received. */
  readonly slices: number | null
  readonly createdAt: number
  /** When the response was received; null before. */
  readonly receivedAt: number | null
}

/** An image of a slice: its URL is short-lived, so the main process downloads it once. */
export interface SliceImage {
  readonly url: string
  readonly state: 'waiting' | 'kept' | 'failed'
  readonly mediaId: string | null
  readonly error: Failure | null
}

export interface ChunkRequestWhole extends ChunkRequest {
  /** The `data` of the response as received; null before. */
  readonly data: unknown
  /** Whether a document changed since the answer was given (service-notes 11). */
  readonly hasOldDocument: boolean
  readonly images: readonly SliceImage[]
}
