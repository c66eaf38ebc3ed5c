import type { Failure } from '../../shared/bridge/reply.ts'
import type { RawBody } from '../../shared/model/raw-body.ts'
import type { SliceLookup, SliceLookupWhole } from '../../shared/model/slices.ts'

/** Whose look it is, and what for. */
export interface NewSliceLookup {
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
export interface CameSlices {
  readonly data: unknown
  readonly documents: readonly string[]
  readonly slices: number
  /** Addresses of its pictures. */
  readonly pictures: readonly string[]
  /** Null where only the data was kept. */
  readonly raw: RawBody | null
}

/** A picture that waits. */
export interface WaitingPicture {
  /** What names it: the look, or the document. */
  readonly owner: string
  readonly accountId: string
  readonly url: string
  readonly attempts: number
  readonly nextTryAt: number | null
}

/** Looks for citation positions (spec 4.12), with the pictures they name. */
export interface SliceStore {
  /** A look is known by its ids: one that is there begins again, also one that was removed. */
  begin(lookup: NewSliceLookup): SliceLookup
  byIds(accountId: string, requestId: string, nodeId: string): SliceLookup | undefined
  get(id: string): SliceLookupWhole | undefined
  /** Newest first, without those that were removed; those that hold all words of `query`. */
  list(query: {
    readonly query?: string
    readonly before?: string | undefined
    readonly limit: number
  }): {
    readonly lookups: readonly SliceLookup[]
    readonly next: string | null
  }
  /** Those that were asked for when the app ended. */
  asking(): readonly SliceLookup[]
  raw(id: string): RawBody | null
  keep(id: string, came: CameSlices, at: number): SliceLookupWhole
  fail(id: string, error: Failure): void
  /** Takes looks out of the list; null puts them back. */
  remove(ids: readonly string[], at: number | null): void
  /** Deletes those that were removed before this moment (Unix ms); returns the media that nothing uses any more. */
  purge(before: number): readonly string[]
  /** Its pictures, as rows that are fetched. */
  readonly pictures: {
    waiting(now: number, limit: number): readonly WaitingPicture[]
    came(picture: WaitingPicture, mediaId: string): void
    failed(picture: WaitingPicture, error: Failure, retryAt: number | null): void
  }
  /** Those that failed wait again. */
  retryPictures(id: string): void
}
