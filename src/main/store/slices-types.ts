import type { Failure } from '../../shared/bridge/reply.ts'
import type { RawBody } from '../../shared/model/raw-body.ts'
import type { ChunkRequest, ChunkRequestWhole } from '../../shared/model/slices.ts'

/** Whose look it is, and what for. */
export interface NewChunkRequest {
  readonly id: string
  readonly accountId: string
  readonly accountName: string
  readonly requestId: string
  readonly nodeId: string
  readonly messageId: string | null
  /** Unix milliseconds. */
  readonly at: number
}

/** What came for a look. */
export interface FetchedChunks {
  readonly data: unknown
  readonly documents: readonly string[]
  readonly slices: number
  /** Addresses of its pictures. */
  readonly images: readonly string[]
  /** Null where only the data was kept. */
  readonly raw: RawBody | null
}

/** A picture that waits. */
export interface WaitingImage {
  /** What names it: the look, or the document. */
  readonly owner: string
  readonly accountId: string
  readonly url: string
  readonly attempts: number
  readonly nextTryAt: number | null
}

/** Looks for citation positions (service-notes 11), with the pictures they name. */
export interface SliceStore {
  /** A look is known by its ids: one that is there begins again, also one that was removed. */
  begin(chunkRequest: NewChunkRequest): ChunkRequest
  byIds(accountId: string, requestId: string, nodeId: string): ChunkRequest | undefined
  get(id: string): ChunkRequestWhole | undefined
  /** Newest first, without those that were removed; those that hold all words of `query`. */
  list(query: {
    readonly query?: string
    readonly before?: string | undefined
    readonly limit: number
  }): {
    readonly positionRequests: readonly ChunkRequest[]
    readonly next: string | null
  }
  /** Those that were asked for when the app ended. */
  unfinished(): readonly ChunkRequest[]
  raw(id: string): RawBody | null
  keep(id: string, fetched: FetchedChunks, at: number): ChunkRequestWhole
  fail(id: string, error: Failure): void
  /** Takes looks out of the list; null puts them back. */
  remove(ids: readonly string[], at: number | null): void
  /** Deletes those that were removed before this moment (Unix ms); returns the media that nothing uses any more. */
  purge(before: number): readonly string[]
  /** Its pictures, as rows that are fetched. */
  readonly images: {
    waiting(now: number, limit: number): readonly WaitingImage[]
    fetched(image: WaitingImage, mediaId: string): void
    failed(image: WaitingImage, error: Failure, retryAt: number | null): void
  }
  /** Those that failed wait again. */
  retryImages(id: string): void
}
