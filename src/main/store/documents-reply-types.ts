import type { Failure } from '../../shared/bridge/reply.ts'
import type { Block, BoxRegime, PageSize } from '../../shared/model/document.ts'
import type { RunReply } from './types.ts'

/** A block as a reply gives it: the store gives it its id, and its page is the one it lies in. */
export type NewBlock = Omit<Block, 'id' | 'page' | 'edited'>

/** Blocks of a page of a reply in reading order, or those from some place on. */
export interface BlocksOfPage {
  readonly page: number
  readonly blocks: readonly NewBlock[]
}

/** A page of a reply, by its number in the document. */
export interface ReturnedPage {
  readonly page: number
  /** In reading order; or how many `DocumentsStore.stage` has written. */
  readonly blocks: readonly NewBlock[] | number
  readonly raster: PageSize | null
  readonly regime: BoxRegime
  /** Address of the picture of its layout, where one was asked for. */
  readonly layoutPicture?: string | null
}

/** A whole reply of a part. */
export interface PartReply {
  /** As received; a long body is given deflated (raw). */
  readonly raw: RunReply
  /** As returned, joined by nobody. */
  readonly markdown: string
  readonly engine: string | null
  /** In any order; those outside the part, and a page that comes twice, are noted as surplus and not kept. */
  readonly pages: readonly ReturnedPage[]
  /** What is said of pages that the reply does not hold. */
  readonly missing: Failure
  /** Pictures the reply names; they are fetched when somebody asks for them. */
  readonly addresses?: readonly string[]
  /** Those of them that the service put there itself: fetched one by one afterwards (`DocumentsStore.remoteWaiting`). */
  readonly filled?: readonly string[]
  /** Unix ms. */
  readonly at: number
}

/** What a reply brought. */
export interface PartOutcome {
  readonly returned: readonly number[]
  readonly missing: readonly number[]
  readonly surplus: readonly number[]
}
