import type { Failure } from '../../../../shared/contract/reply.ts'
import type { RawBody } from '../../../../shared/model/raw-body.ts'
import type { ChunkRequest, ChunkRequestWhole } from '../../../../shared/model/slices.ts'

/** Account and purpose of a citation request. */
interface NewChunkRequest {
  readonly id: string
  readonly accountId: string
  readonly accountName: string
  readonly requestId: string
  readonly nodeId: string
  readonly messageId: string | null
  /** Unix milliseconds. */
  readonly at: number
}

/** Response to a request. */
export interface FetchedChunks {
  readonly data: unknown
  readonly documents: readonly string[]
  readonly slices: number
  /** URLs of its images. */
  readonly images: readonly string[]
  /** Null if only the data was saved. */
  readonly raw: RawBody | null
}

/** Image that is queued for download. */
export interface WaitingImage {
  /** ID of its owner: the request, or the document. */
  readonly owner: string
  readonly accountId: string
  readonly url: string
  readonly attempts: number
  readonly nextTryAt: number | null
}

/** Requests for citation positions (service-notes 11), with the images they reference. */
export interface SliceStore {
  /** Begins a request, identified by its IDs: an existing one, even a removed one, starts again. */
  begin(chunkRequest: NewChunkRequest): ChunkRequest
  byIds(accountId: string, requestId: string, nodeId: string): ChunkRequest | undefined
  get(id: string): ChunkRequestWhole | undefined
  /** Newest first, without removed ones; only those that contain all words of `query`. */
  list(query: {
    readonly query?: string
    readonly before?: string | undefined
    readonly limit: number
  }): {
    readonly positionRequests: readonly ChunkRequest[]
    readonly next: string | null
  }
  /** Returns the requests that were running when the app ended. */
  unfinished(): readonly ChunkRequest[]
  raw(id: string): RawBody | null
  keep(id: string, fetched: FetchedChunks, at: number): ChunkRequestWhole
  fail(id: string, error: Failure): void
  /** Removes requests from the list; null restores them. */
  remove(ids: readonly string[], at: number | null): void
  /** Deletes those removed before this time (Unix ms); returns the media that are no longer used. */
  purge(before: number): readonly string[]
  /** Its images, as rows to be downloaded. */
  readonly images: {
    waiting(now: number, limit: number): readonly WaitingImage[]
    nextTime(after: number): number | null
    fetched(image: WaitingImage, mediaId: string): void
    failed(image: WaitingImage, error: Failure, retryAt: number | null): void
  }
  /** Queues failed images again. */
  retryImages(id: string): void
}
