import type { BlockHit, PageImage, ReadingPosition } from '../../shared/bridge/documents.ts'
import type { Failure } from '../../shared/bridge/reply.ts'
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
} from '../../shared/model/document.ts'
import type { RawBody } from '../../shared/model/raw-body.ts'
import type { BlocksOfPage, PartOutcome, PartReply } from './documents-reply-types.ts'

export type {
  BlocksOfPage,
  NewBlock,
  PartOutcome,
  PartReply,
  ReturnedPage,
} from './documents-reply-types.ts'

/** A document as it begins; its item is made with it. Its password is nothing the store ever sees. */
export interface NewDocument {
  readonly id: string
  readonly title: string
  readonly mediaId: string
  /** The name the file has. */
  readonly name: string
  readonly facts: DocumentFacts | null
  /** Unix ms. */
  readonly at: number
}

/** A document without what only the running app knows. */
export type DocumentRecord = Omit<DocumentItem, 'unlocked'>

/** {@link DocumentRecord} without what never changes of it and is long to read. */
export type DocumentHead = Omit<DocumentNews, 'unlocked'>

/** One of the pieces a version is sent in, before it is. */
export interface NewPart extends PartPlan {
  readonly id: string
  /** Of its file, as far as they are known. */
  readonly bytes: number | null
}

/** A version as it begins. */
export interface NewVersion {
  readonly id: string
  readonly documentId: string
  readonly options: ParseOptions
  readonly accountId: string
  readonly accountName: string
  /**
   * Everything beside the file and the page numbers that decides what the service answers: options, address and model of the account.
   * Pages of the same file with the same fingerprint need not be sent again ({@link DocumentsStore.known}).
   */
  readonly fingerprint: string
  /** Lower comes first. */
  readonly priority: number
  /** The pages asked for, in order, without overlaps. */
  readonly pages: readonly PartPlan[]
  /** Each lies inside `pages`. What no part holds is planned later ({@link DocumentsStore.plan}). */
  readonly parts: readonly NewPart[]
  /** Unix ms. */
  readonly at: number
}

/** `split`: other parts took its pages over. */
export type PartState = 'queued' | 'sent' | 'done' | 'failed' | 'split' | 'cancelled'

/** A part with all that sending it needs. */
export interface PartRecord extends NewPart {
  readonly versionId: string
  readonly documentId: string
  /** The file; null when it is gone. */
  readonly mediaId: string | null
  readonly accountId: string
  readonly options: ParseOptions
  readonly priority: number
  readonly state: PartState
  /** Tries since it was planned; `calls` are those that were really sent. */
  readonly attempts: number
  /** Of these, those that failed by themselves: what met a closed account, no network or a refusal of load is none. */
  readonly failures: number
  readonly calls: number
  /** Unix ms; null is at once. */
  readonly nextTryAt: number | null
  readonly error: Failure | null
  /** Pages its reply held beside those that were asked for. */
  readonly surplus: readonly number[]
}

/** A page as it stands or as one version has it. */
export interface PageRecord extends ParsedPage {
  /** Null for a page that was never asked for. */
  readonly versionId: string | null
  /** Somebody chose this version for the page. */
  readonly chosen: boolean
  /** Blocks that hold an edit of the reader. */
  readonly edits: number
  readonly regime: BoxRegime | null
  readonly layoutPicture: string | null
  /** The part that brought it, or holds it now. */
  readonly partId: string | null
}

/** Pages of a document; all of them, of what stands, when nothing is said. Both ends included. */
export interface PageQuery {
  readonly first?: number | undefined
  readonly last?: number | undefined
  readonly versionId?: string | undefined
}

/** A block that holds the words of a query. */
export interface FoundBlock extends BlockHit {
  /** The matches in the snippet, as `ranges` are those in the block's text (`blockText`). */
  readonly marks: readonly (readonly [start: number, end: number])[]
}

/** A picture that a reply names. */
export interface RemoteImage {
  readonly documentId: string
  readonly address: string
  /** Null while it is not fetched: it waits for its turn, or until somebody asks for it (again, where there is an `error`). */
  readonly mediaId: string | null
  readonly attempts: number
  readonly nextTryAt: number | null
  readonly error: Failure | null
}

/**
 * Documents, whole: every method is one transaction, after which whatever is killed finds the pages it asked for where it left them.
 * Ids that do not exist throw NOT_FOUND, changes that cannot be (a reply for a part that is not under way, a part over pages that
 * were returned) REFUSED. What many pages change at once becomes searchable in steps right afterwards, also after a restart.
 */
export interface DocumentsStore {
  create(document: NewDocument): void
  get(id: string): DocumentRecord | undefined
  head(id: string): DocumentHead | undefined
  /** Of its file: read alone, as every part asks for them. Null when they are not known. */
  facts(id: string): DocumentFacts | null
  /** The newest document outside the bin that is of this file, whether the file is still kept or not. */
  byMedia(mediaId: string): string | undefined
  setFacts(id: string, facts: DocumentFacts): void
  /** The file is gone (null), or there again. */
  setOriginal(id: string, mediaId: string | null): void

  /** Begins a version: it is numbered, its pages wait. Throws REFUSED without pages. */
  begin(version: NewVersion): DocumentVersion
  version(versionId: string): DocumentVersion | undefined
  /** Newest first. */
  versions(id: string): readonly DocumentVersion[]
  /** Versions that are not over, outside the bin, in the order in which they are sent. */
  unfinished(): readonly DocumentVersion[]
  /** Pages of a file that were returned under this fingerprint, in any document: these need not be sent again. In order. */
  known(mediaId: string, fingerprint: string): readonly PartPlan[]
  /**
   * Takes known pages over into a version whose pages wait without a part: at most `limit` of them, so that a long document is done
   * in steps. Returns how many; 0 when none is left to take.
   */
  reuse(versionId: string, limit?: number): number
  /** Pages of a version that wait and that no part holds: a kill came before they were planned. In order. */
  unplanned(versionId: string): readonly PartPlan[]
  /**
   * Adds parts for pages that wait without one, failed or were cancelled; these wait again. Another account may be named: the whole
   * version goes on with it. Throws REFUSED for pages that were returned or that another part holds.
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
  /** Everything of it that waits or is under way is cancelled. */
  cancel(versionId: string): DocumentVersion

  /**
   * The part to send next: by priority, then by age of its version, then by page, among those whose time has come. Parts and accounts
   * that are named are passed over, as are documents in the bin.
   */
  next(query: {
    readonly at: number
    readonly exceptParts?: readonly string[] | undefined
    readonly exceptAccounts?: readonly string[] | undefined
  }): PartRecord | undefined
  /** When the next part's time comes, of those that wait for theirs (Unix ms). */
  nextTime(after: number): number | null
  part(partId: string): PartRecord | undefined
  /** By page, those that were split or failed too. */
  parts(versionId: string): readonly PartRecord[]
  /** Counts a call. Throws REFUSED when the part is not queued. */
  sent(partId: string, details?: { readonly bytes?: number | undefined }): PartRecord
  /**
   * Writes blocks of a reply ahead of {@link reply}, so that a long one holds up nobody. They belong to no page until then; what was
   * written of these pages from the first place on is replaced. Throws REFUSED unless the part is sent.
   */
  stage(partId: string, pages: readonly BlocksOfPage[]): void
  /** Takes back what was staged for a reply that will not be kept. */
  unstage(partId: string): void
  /** Keeps a reply whole: the part is done, its pages are returned with their blocks, or have failed where the reply lacks them. */
  reply(partId: string, reply: PartReply): PartOutcome
  /** Tries again at `retryAt`; null is for good, and its pages fail. `counts` adds a failure. Throws REFUSED unless queued or sent. */
  fail(partId: string, error: Failure, retryAt: number | null, counts?: boolean): PartRecord
  /** It was not sent after all: the part waits as before, and no call or try is counted. */
  putBack(partId: string): PartRecord
  /** Puts parts that hold the same pages in the place of one. */
  split(partId: string, parts: readonly NewPart[]): readonly PartRecord[]
  /** What was under way when the app ended waits again. Returns how many parts. */
  restart(): number

  /** One for each page, in order; pages of the document that were never asked for wait. */
  pages(id: string, query?: PageQuery): readonly PageRecord[]
  /** Which pages each version has, newest first. */
  coverage(id: string): readonly VersionCoverage[]
  /** In reading order. */
  blocks(id: string, query?: PageQuery): readonly Block[]
  block(blockId: string): (Block & { readonly versionId: string }) | undefined
  /** The version that stands for these pages: it must have returned them. Null gives the choice back to the newest. */
  choose(id: string, pages: readonly number[], versionId: string | null): void
  /** The reader's own text of a block; null takes it back. */
  edit(id: string, blockId: string, text: string | null): Block
  /**
   * Blocks of what stands that hold all words of a query, in order; of a page that holds them only together, those that hold one.
   * `limit` pages that match are looked at (30 when absent), from page `from` on; `next` is where to go on.
   */
  find(
    id: string,
    query: string,
    span?: { readonly from?: number; readonly limit?: number },
  ): { readonly hits: readonly FoundBlock[]; readonly next: number | null }
  /** The reply that held a page: of what stands, or of one version. Undefined when none did. */
  returned(
    id: string,
    page: number,
    versionId?: string,
  ): ({ readonly partId: string; readonly markdown: string } & PartPlan) | undefined
  /** The reply of a part as it was received, null when none was kept. */
  rawReply(partId: string): RawBody | null

  place(id: string): ReadingPosition | null
  setPlace(id: string, place: ReadingPosition): void

  /** Stored pictures of pages `first` to `last`, in order. */
  pageImages(
    id: string,
    query: Pick<PageQuery, 'first' | 'last'> & { readonly width: number },
  ): readonly PageImage[]
  /** Forgets the pictures of pages, which are drawn again when they are looked at. Returns the media ids that nothing uses any more. */
  dropImages(): readonly string[]
  /** Keeps a picture in the place of the one of this page and width. */
  putPageImage(id: string, image: PageImage): void

  remoteImages(id: string): readonly RemoteImage[]
  /** Pictures that are to be fetched and whose time has come, oldest first. */
  remoteWaiting(at: number, limit: number): readonly RemoteImage[]
  putRemote(id: string, address: string, mediaId: string): void
  /** Tries again at `retryAt`; null gives it up. */
  failRemote(id: string, address: string, error: Failure, retryAt: number | null): void
  /** It waits until somebody asks for it. */
  restRemote(id: string, address: string): void

  /** Does one step of what is left to do after large changes; false when nothing is. The open library does it by itself. */
  settle(): boolean
}
