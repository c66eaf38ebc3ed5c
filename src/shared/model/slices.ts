import type { Failure } from '../bridge/reply.ts'

/** `asking` goes on after a restart; `failed`: nothing came so far, or the last try brought nothing new. */
export type ChunkRequestState = 'asking' | 'done' | 'failed'

/** A look for citation positions by two ids (service-notes 11), as lists show it. Times are Unix milliseconds. */
export interface ChunkRequest {
  readonly id: string
  readonly accountId: string
  readonly accountName: string
  readonly requestId: string
  readonly nodeId: string
  /** The message of a conversation that it was made for; null when somebody entered the ids. */
  readonly messageId: string | null
  readonly state: ChunkRequestState
  /** Why the last try brought nothing; what came earlier stays. */
  readonly error: Failure | null
  /** Names of the documents in it, the first few. */
  readonly documents: readonly string[]
  /** Null until something came. */
  readonly slices: number | null
  readonly createdAt: number
  /** When the reply came; null until one did. */
  readonly receivedAt: number | null
}

/** A picture of a slice: its address is short-lived, so main fetches it once. */
export interface SliceImage {
  readonly url: string
  readonly state: 'waiting' | 'kept' | 'failed'
  readonly mediaId: string | null
  readonly error: Failure | null
}

/** A look with all that came. */
export interface ChunkRequestWhole extends ChunkRequest {
  /** The `data` of the reply, as it came; null until one did. */
  readonly data: unknown
  /** A document changed since the answer was given (service-notes 11). */
  readonly hasOldDocument: boolean
  readonly images: readonly SliceImage[]
}
