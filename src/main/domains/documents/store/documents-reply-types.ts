import type { Failure } from '../../../../shared/contract/reply.ts'
import type { Block, BoxRegime, PageSize } from '../../../../shared/model/document.ts'
import type { RunReply } from '../../../library-database/types.ts'

/** A block of a response: the store assigns its ID, and its page is the one that contains it. */
export type NewBlock = Omit<Block, 'id' | 'page' | 'edited'>

/** Blocks of a page of a response in reading order, or only those from some index on. */
export interface BlocksOfPage {
  readonly page: number
  readonly blocks: readonly NewBlock[]
}

/** A page of a response, with its number in the document. */
export interface ReturnedPage {
  readonly page: number
  /** In reading order; or the number of blocks written by `DocumentsStore.stage`. */
  readonly blocks: readonly NewBlock[] | number
  readonly raster: PageSize | null
  readonly regime: BoxRegime
  /** URL of the image of the page layout, if requested. */
  readonly layoutPicture?: string | null
}

/** A complete response for a part. */
export interface PartReply {
  /** Raw response; a long body is passed deflated (raw). */
  readonly raw: RunReply
  /** As returned, not joined from blocks. */
  readonly markdown: string
  readonly engine: string | null
  /** In any order; pages outside the part and duplicates are recorded as surplus and not saved. */
  readonly pages: readonly ReturnedPage[]
  /** Error for pages that the response does not contain. */
  readonly missing: Failure
  /** Images referenced by the response; fetched on demand. */
  readonly addresses?: readonly string[]
  /**
   * Those of them that the provider inserted itself: fetched one by one afterwards (`DocumentsStore.remoteWaiting`).
   */
  readonly filled?: readonly string[]
  /** Unix ms. */
  readonly at: number
}

/** Outcome of a response. */
export interface PartOutcome {
  readonly returned: readonly number[]
  readonly missing: readonly number[]
  readonly surplus: readonly number[]
}
