import type { BlockHit, PageImage, ReadingPosition } from '../../../../shared/contract/documents.ts'
import type { Failure } from '../../../../shared/contract/reply.ts'
import type {
  Block,
  BoxRegime,
  DocumentFacts,
  DocumentItem,
  DocumentNews,
  DocumentVersion,
  ParsedPage,
  ParseOptions,
  PartPlan,
  VersionCoverage,
  PageSize,
} from '../../../../shared/model/document.ts'
import type { RawBody } from '../../../../shared/model/raw-body.ts'
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

/** A new document; its item is created with it. The store never receives its password. */
export interface NewDocument {
  readonly id: string
  readonly title: string
  readonly mediaId: string
  /** Name of the file. */
  readonly name: string
  readonly facts: DocumentFacts | null
  /** Unix ms. */
  readonly at: number
}

/** A document without the state that only the running app has. */
export type DocumentRecord = Omit<DocumentItem, 'unlocked'>

/** {@link DocumentRecord} without the fields that never change and are large. */
export type DocumentHead = Omit<DocumentNews, 'unlocked'>

/** One of the parts of a version, before it is sent. */
export interface NewPart extends PartPlan {
  readonly id: string
  /** Properties of its file, if known. */
  readonly bytes: number | null
}

/** A new version. */
export interface NewVersion {
  readonly id: string
  readonly documentId: string
  readonly options: ParseOptions
  readonly accountId: string
  readonly accountName: string
  /**
   * Everything other than the file and the page numbers that determines the response: options, URL and model of the account.
   * Pages of the same file with the same fingerprint need not be sent again ({@link DocumentsStore.known}).
   */
  readonly fingerprint: string
  /** Lower values are sent first. */
  readonly priority: number
  /** The requested pages, in order, without overlaps. */
  readonly pages: readonly PartPlan[]
  /** Each lies inside `pages`. Pages in no part are planned later ({@link DocumentsStore.plan}). */
  readonly parts: readonly NewPart[]
  /** Unix ms. */
  readonly at: number
}

/** `split`: replaced by other parts that cover its pages. */
export type PartState = 'queued' | 'sent' | 'done' | 'failed' | 'split' | 'cancelled'

/** A part with everything needed to send it. */
export interface PartRecord extends NewPart {
  readonly versionId: string
  readonly documentId: string
  /** The file; null when it no longer exists. */
  readonly mediaId: string | null
  readonly accountId: string
  readonly options: ParseOptions
  readonly priority: number
  readonly state: PartState
  /** Attempts since it was planned; `calls` counts those that were actually sent. */
  readonly attempts: number
  /**
   * Attempts that failed on their own account: an unavailable account, no network or a rate limit does not count.
   */
  readonly failures: number
  readonly calls: number
  /** Unix ms; null means at once. */
  readonly nextTryAt: number | null
  readonly error: Failure | null
  /** Pages in its response that were not requested. */
  readonly surplus: readonly number[]
}

/** The current version of a page, or that of a specific version. */
export interface PageRecord extends ParsedPage {
  /** Null for a page that was never requested. */
  readonly versionId: string | null
  /** Whether the user chose this version for the page. */
  readonly chosen: boolean
  /** Number of blocks edited by the user. */
  readonly edits: number
  readonly regime: BoxRegime | null
  readonly layoutPicture: string | null
  /** The part that returned the page, or contains it now. */
  readonly partId: string | null
}

/** Page range of a document, both ends included; by default all current pages. */
interface PageQuery {
  readonly first?: number | undefined
  readonly last?: number | undefined
  readonly versionId?: string | undefined
}

/** A block that contains the words of a query. */
export interface FoundBlock extends BlockHit {
  /** Matches in the snippet; `ranges` are those in the block's text (`blockText`). */
  readonly marks: readonly (readonly [start: number, end: number])[]
}

/** An image referenced by a response. */
export interface RemoteImage {
  readonly documentId: string
  readonly address: string
  /** Null until fetched: it is queued, or waits until it is requested (again, if there is an `error`). */
  readonly mediaId: string | null
  readonly attempts: number
  readonly nextTryAt: number | null
  readonly error: Failure | null
}

/**
 * Store of documents. Every method is one transaction, so that after a crash all requested pages are as they were. Unknown
 * IDs throw NOT_FOUND; invalid changes (a response for a part that is not running, a part over returned pages) throw REFUSED.
 * Changes of many pages become searchable in steps right afterwards, also after a restart.
 */
export interface DocumentsStore {
  create(document: NewDocument): void
  get(id: string): DocumentRecord | undefined
  head(id: string): DocumentHead | undefined
  /** Facts about its file, read separately because every part needs them. Null when unknown. */
  facts(id: string): DocumentFacts | null
  /** Returns the newest document of this file that is not in Trash, whether the file still exists or not. */
  byMedia(mediaId: string): string | undefined
  setFacts(id: string, facts: DocumentFacts): void
  /** Records that the file was deleted (null) or exists again. */
  setOriginal(id: string, mediaId: string | null): void

  /** Creates a version: assigns its number and marks its pages as waiting. Throws REFUSED without pages. */
  begin(version: NewVersion): DocumentVersion
  version(versionId: string): DocumentVersion | undefined
  /** Newest first. */
  versions(id: string): readonly DocumentVersion[]
  /** Unfinished versions that are not in Trash, in sending order. */
  unfinished(): readonly DocumentVersion[]
  /**
   * Returns the pages of a file that were returned under this fingerprint, in any document, in order: these need not be sent
   * again.
   */
  known(mediaId: string, fingerprint: string): readonly PartPlan[]
  /**
   * Copies known pages into a version whose pages wait without a part: at most `limit` of them, so that a long document is
   * processed in steps. Returns how many; 0 when none is left.
   */
  reuse(versionId: string, limit?: number): number
  /** Returns waiting pages of a version that are in no part, in order: the app ended before they were planned. */
  unplanned(versionId: string): readonly PartPlan[]
  /**
   * Adds parts for pages that wait without one, failed or were canceled; these wait again. With another account, the whole
   * version continues with it. Throws REFUSED for pages that were returned or are in another part.
   */
  plan(
    versionId: string,
    parts: readonly NewPart[],
    account?: {
      readonly accountId: string
      readonly accountName: string
      readonly fingerprint: string
    },
  ): DocumentVersion
  setPriority(versionId: string, priority: number): DocumentVersion
  /** Cancels all waiting and running parts of a version. */
  cancel(versionId: string): DocumentVersion

  /**
   * Returns the part to send to an account next: by priority, then by age of its version, then by page, among those that are
   * due. Excluded parts and documents are skipped, as are documents in Trash.
   */
  next(query: {
    readonly accountId: string
    readonly at: number
    readonly exceptParts?: readonly string[] | undefined
    readonly exceptDocuments?: readonly string[] | undefined
  }): PartRecord | undefined
  /** Returns the accounts of unfinished versions. */
  accounts(): readonly string[]
  /** Returns when the next delayed part is due (Unix ms). */
  nextTime(after: number): number | null
  part(partId: string): PartRecord | undefined
  /** By page, including those that were split or failed. */
  parts(versionId: string): readonly PartRecord[]
  /** Records that the part was sent and counts the call. Throws REFUSED when the part is not queued. */
  sent(partId: string, details?: { readonly bytes?: number | undefined }): PartRecord
  /**
   * Writes blocks of a response ahead of {@link reply}, so that a long one blocks nothing. They belong to no page until then;
   * blocks staged earlier for these pages are replaced from the first index on. Throws REFUSED unless the part is sent.
   */
  stage(partId: string, pages: readonly BlocksOfPage[]): void
  /** Removes the staged blocks of a response that will not be saved. */
  unstage(partId: string): void
  /**
   * Saves a complete response: the part is done, and its pages are returned with their blocks, or failed if the response
   * lacks them.
   */
  reply(partId: string, reply: PartReply): PartOutcome
  /**
   * Schedules another attempt at `retryAt`; null fails the part and its pages permanently. `counts` adds a failure. Throws
   * REFUSED unless queued or sent.
   */
  fail(partId: string, error: Failure, retryAt: number | null, counts?: boolean): PartRecord
  /** Returns an unsent part to the queue without counting a call or an attempt. */
  putBack(partId: string): PartRecord
  /** Replaces a part with others that cover the same pages. */
  split(partId: string, parts: readonly NewPart[]): readonly PartRecord[]
  /** Queues the parts that were running when the app ended. Returns how many. */
  restart(): number

  /** Returns one record per page, in order; pages that were never requested are waiting. */
  pages(id: string, query?: PageQuery): readonly PageRecord[]
  /** Returns the pages of each version, newest first. */
  coverage(id: string): readonly VersionCoverage[]
  /** In reading order. */
  blocks(id: string, query?: PageQuery): readonly Block[]
  block(blockId: string): (Block & { readonly versionId: string }) | undefined
  /** Selects the current version of these pages, which must have returned them. Null selects the newest again. */
  choose(id: string, pages: readonly number[], versionId: string | null): void
  /** Saves the user's own text of a block; null reverts it. */
  edit(id: string, blockId: string, text: string | null): Block
  /**
   * Returns current blocks that contain all words of a query, in order; on a page that only contains them together, the
   * blocks with one of them. At most `limit` matching pages are searched (default 30), from page `from` on; `next` is where
   * to continue.
   */
  find(
    id: string,
    query: string,
    span?: { readonly from?: number; readonly limit?: number },
  ): { readonly hits: readonly FoundBlock[]; readonly next: number | null }
  /**
   * Returns the response that contained a page: its current version, or a given one. Undefined when there is none.
   */
  returned(
    id: string,
    page: number,
    versionId?: string,
  ): ({ readonly partId: string; readonly markdown: string } & PartPlan) | undefined
  /** Returns the raw response of a part, or null when none was saved. */
  rawReply(partId: string): RawBody | null

  place(id: string): ReadingPosition | null
  setPlace(id: string, place: ReadingPosition): void

  /** Saved images of pages `first` to `last`, in order. */
  pageImages(
    id: string,
    query: Pick<PageQuery, 'first' | 'last'> & { readonly width: number },
  ): readonly PageImage[]
  /** Deletes page images, which are rendered again when needed. Returns the media IDs that are no longer used. */
  dropImages(): readonly string[]
  /** Saves an image in place of the existing one for this page and width. */
  putPageImage(id: string, image: PageImage): void

  remoteImages(id: string): readonly RemoteImage[]
  /** Images that are due to be fetched, oldest first. */
  remoteWaiting(at: number, limit: number): readonly RemoteImage[]
  /** When the next image is due after `after`; null if none waits (both Unix ms). */
  nextRemoteTime(after: number): number | null
  putRemote(id: string, address: string, mediaId: string): void
  /** Schedules another attempt at `retryAt`; null gives up. Ignores an image whose document was deleted meanwhile. */
  failRemote(id: string, address: string, error: Failure, retryAt: number | null): void
  /** Defers the image until it is requested. */
  restRemote(id: string, address: string): void

  /**
   * Performs one step of the work left by large changes; returns false when there is none. The open library does this
   * automatically.
   */
  settle(): boolean
}
