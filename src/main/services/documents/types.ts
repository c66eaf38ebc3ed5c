import type {
  Block,
  Box,
  DocumentItem,
  DocumentNews,
  DocumentVersion,
  ParsedPage,
  ParseOptions,
  ParsePlan,
  QueuedVersion,
} from '../../../shared/model/document.ts'
import type { Media } from '../../../shared/model/library.ts'
import type { PageImage, CurrentPage } from '../../../shared/bridge/documents.ts'
import type { Api } from '../../api/types.ts'
import type { Clock, Ids, Log } from '../../deps.ts'
import type { DocumentTexts } from '../../documents/text-work.ts'
import type { DocumentWorker } from '../../documents/work.ts'
import type { MediaFiles } from '../../media/files.ts'
import type { RemoteDeps } from '../../security/remote-fetch.ts'
import type { Store } from '../../store/types.ts'
import type { Accounts } from '../accounts/accounts.ts'

/** What documents are built from. */
export interface DocumentsDeps {
  /** The app's folder; parts that are on their way lie in `parts` below it. */
  readonly home: string
  readonly store: Store
  readonly files: MediaFiles
  readonly api: Pick<Api, 'layout'>
  readonly accounts: Pick<Accounts, 'active' | 'target'>
  /** The worker that looks at files, splits them and draws their pages: `createDocumentWork(workerUrl)`. */
  readonly work: DocumentWorker
  /** What looks at long texts: `createDocumentTexts(workerUrl)`. */
  readonly texts: Pick<DocumentTexts, 'readReply'>
  /** How pictures that a reply names are fetched: `createRemoteGet(network)`. */
  readonly remote: RemoteDeps
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  random(): number
  /** Runs work later; the function it gives takes it back. */
  after(ms: number, work: () => void): () => void
  /** A document, without what never changes of it. */
  onDocument(document: DocumentNews): void
  /** Pages of a version whose state changed. */
  onPages(id: string, versionId: string, pages: readonly ParsedPage[]): void
  onLibrary(ids: readonly string[]): void
  /** Parts that wait for the network. */
  onWaiting(count: number): void
}

/** How a document is to be parsed, and by whom. */
export interface ParseRequest {
  readonly id: string
  readonly options: ParseOptions
  /** The active one when absent. */
  readonly accountId?: string | undefined
  /** Lower goes first; 0 when absent. */
  readonly priority?: number | undefined
  /** Sends pages again that stand already with the same options, from the same account. */
  readonly fresh?: boolean | undefined
}

/** A plan, and how many of its pages need not be sent because they were parsed the same way before. */
export interface PlannedParse {
  readonly plan: ParsePlan
  /** Pages that are taken over; they are not part of `plan`. */
  readonly reusedPages: number
}

/** Documents, whole: taken in, parsed in parts, merged, retried, corrected. Errors are thrown as AppError. */
export interface DocumentsService {
  /**
   * Makes a document of a kept file (PDF, PNG, JPEG; other pictures are converted). The one there is outside the bin is given back.
   * A locked one is made as well: `facts.locked` is `user` and `unlocked` false until {@link unlock}. Throws UNSUPPORTED_FORMAT,
   * DAMAGED_FILE, EMPTY_FILE, NOT_FOUND, FILE_MISSING.
   */
  create(request: {
    readonly mediaId: string
    readonly title?: string | undefined
    readonly password?: string | undefined
  }): Promise<{ readonly document: DocumentItem; readonly known: boolean }>
  /** Throws NOT_FOUND. */
  get(id: string): DocumentItem
  /** Keeps the password in memory until the app ends, and goes on with what waited for it. Throws REFUSED when it is wrong. */
  unlock(id: string, password: string): Promise<DocumentItem>
  /** What parsing would send; sends nothing. Throws BAD_REQUEST with `params.piece` for page ranges that are none. */
  plan(request: ParseRequest): PlannedParse
  /** Begins a version; it goes on by itself. Throws BAD_REQUEST as {@link plan}, NOT_FOUND, REFUSED while locked. */
  parse(request: ParseRequest): DocumentVersion
  /** Sends the failed and cancelled pages of a version again, or some of them. */
  retry(request: {
    readonly versionId: string
    readonly pages?: readonly number[] | undefined
    readonly accountId?: string | undefined
  }): DocumentVersion
  /** Ends a version: what is on its way is broken off. Resolves when nothing of it is under way any more. */
  cancel(versionId: string): Promise<DocumentVersion>
  /** Lower goes first; the same number goes by age. */
  prioritise(versionId: string, priority: number): DocumentVersion
  /** Versions that are not over, in the order they are sent. */
  queue(): readonly QueuedVersion[]
  /** Pages `first` to `last`, at most 50: what stands for each of them, or what one version has. Throws LIMIT_EXCEEDED, NOT_FOUND. */
  pages(request: {
    readonly id: string
    readonly first: number
    readonly last: number
    readonly versionId?: string | undefined
  }): {
    readonly pages: readonly CurrentPage[]
    readonly blocks: readonly Block[]
    /** Media ids by the addresses of pictures that these blocks and pages name, as far as they are fetched. */
    readonly images: Readonly<Record<string, string>>
  }
  /** Which version stands for these pages; null gives the choice back to the newest. */
  choose(request: {
    readonly id: string
    readonly pages: readonly number[]
    readonly versionId: string | null
  }): void
  /** The reader's own text of a block; null takes it back. */
  edit(request: {
    readonly id: string
    readonly blockId: string
    readonly text: string | null
  }): Block
  /** A page as a JPEG kept in the library; drawn when it was not yet. Throws FILE_MISSING when the original is gone and nothing is stored. */
  image(request: {
    readonly id: string
    readonly page: number
    readonly width: ImageWidth
  }): Promise<Media>
  /** Fetches a picture that a reply of the document names, because the user asked for it. Throws NOT_FOUND, and why it does not come. */
  loadImage(request: { readonly id: string; readonly address: string }): Promise<string>
  /** Pictures of pages `first` to `last` that are kept, by page. Throws NOT_FOUND. */
  images(
    id: string,
    which: { readonly first: number; readonly last: number; readonly width: ImageWidth },
  ): readonly PageImage[]
  /** A stretch of a page as PNG bytes at `dpi`, for copying and exports: the block, or another `box` of its page. `margin` is a share of the page. */
  crop(request: {
    readonly id: string
    readonly blockId: string
    readonly box?: Box | undefined
    readonly dpi?: number | undefined
    readonly margin?: number | undefined
  }): Promise<Uint8Array>
  /** Goes on with what an earlier run left. */
  resume(): Promise<void>
  accountReady(accountId: string): void
  /** Stops the work on documents that go to the bin or for good. */
  forget(ids: readonly string[]): Promise<void>
  /** They came back out of the bin: what was left undone goes on. */
  restored(ids: readonly string[]): void
  busy(): boolean
  /** Stops everything and empties the work folder, before all is erased. */
  erase(): Promise<void>
  shutdown(): Promise<void>
}

/** Widths that pages are kept in, in pixels: in the strip, and in the place of an original that is gone. */
export type ImageWidth = 160 | 1240
