import type {
  Block,
  Box,
  DocumentItem,
  DocumentVersion,
  ParseOptions,
  ParsePlan,
  QueuedVersion,
} from '../../../../shared/model/document.ts'
import type { Media } from '../../../../shared/model/library.ts'
import type { PageImage, CurrentPage } from '../../../../shared/contract/documents.ts'
import type { Api } from '../../../provider-client/api.ts'
import type { Context } from '../../../context.ts'
import type { DocumentTexts, DocumentWorker } from '../worker/work.ts'
import type { RemoteDeps } from '../../../platform/security/remote-fetch.ts'
import type { Accounts } from '../../settings/index.ts'

/** Parts in flight are files in `parts` below the data folder. */
export interface DocumentsDeps extends Pick<
  Context,
  'home' | 'store' | 'files' | 'clock' | 'ids' | 'log' | 'emit' | 'workQueue' | 'after'
> {
  readonly api: Pick<Api, 'layout'>
  readonly accounts: Pick<Accounts, 'active' | 'target'>
  /** Worker that inspects files, splits them and draws their pages: `createDocumentWork(workerUrl)`. */
  readonly work: DocumentWorker
  /** Worker that processes long texts: `createDocumentTexts(workerUrl)`. */
  readonly texts: Pick<DocumentTexts, 'readReply'>
  /** Fetches images that a response references: `createRemoteGet(network)`. */
  readonly remote: RemoteDeps
  /** Called with the number of parts that wait for the network. */
  onWaiting(count: number): void
}

/** Options and account for parsing a document. */
export interface ParseRequest {
  readonly id: string
  readonly options: ParseOptions
  /** The active account when absent. */
  readonly accountId?: string | undefined
  /** Lower values are sent first; 0 when absent. */
  readonly priority?: number | undefined
  /** Whether to send pages again that are already parsed with the same options by the same account. */
  readonly fresh?: boolean | undefined
}

/** A plan, and the number of its pages that need not be sent because they were parsed with the same options before. */
export interface PlannedParse {
  readonly plan: ParsePlan
  /** Number of reused pages; they are not part of `plan`. */
  readonly reusedPages: number
}

/** The documents service: import, parsing in parts, merging, retries, edits. Errors are thrown as AppError. */
export interface DocumentsService {
  /**
   * Creates a document from a saved file (PDF, PNG, JPEG; other images are converted). Returns an existing one outside Trash.
   * A locked one is created as well: `facts.locked` is `user` and `unlocked` false until {@link unlock}. Throws UNSUPPORTED_FORMAT,
   * DAMAGED_FILE, EMPTY_FILE, NOT_FOUND, FILE_MISSING.
   */
  create(request: {
    readonly mediaId: string
    readonly title?: string | undefined
    readonly password?: string | undefined
  }): Promise<{ readonly document: DocumentItem; readonly known: boolean }>
  /** Throws NOT_FOUND. */
  get(id: string): DocumentItem
  /** Keeps the password in memory until the app ends, and continues what waited for it. Throws REFUSED when it is wrong. */
  unlock(id: string, password: string): Promise<DocumentItem>
  /** Returns what parsing would send; sends nothing. Throws BAD_REQUEST with `params.piece` for invalid page ranges. */
  plan(request: ParseRequest): PlannedParse
  /** Starts a version, which continues in the background. Throws BAD_REQUEST as {@link plan}, NOT_FOUND, REFUSED while locked. */
  parse(request: ParseRequest): DocumentVersion
  /** Sends all or some of the failed and canceled pages of a version again. */
  retry(request: {
    readonly versionId: string
    readonly pages?: readonly number[] | undefined
    readonly accountId?: string | undefined
  }): DocumentVersion
  /** Ends a version and aborts what is in flight. Resolves when nothing of it is in flight any more. */
  cancel(versionId: string): Promise<DocumentVersion>
  /** Lower values are sent first; equal ones by age. */
  prioritise(versionId: string, priority: number): DocumentVersion
  /** Unfinished versions, in the order they are sent. */
  queue(): readonly QueuedVersion[]
  /** Pages `first` to `last`, at most 50: their current content, or that of one version. Throws LIMIT_EXCEEDED, NOT_FOUND. */
  pages(request: {
    readonly id: string
    readonly first: number
    readonly last: number
    readonly versionId?: string | undefined
  }): {
    readonly pages: readonly CurrentPage[]
    readonly blocks: readonly Block[]
    /** Media IDs by the URLs of images that these blocks and pages reference, as far as they are fetched. */
    readonly images: Readonly<Record<string, string>>
  }
  /** Selects the current version of these pages; null selects the newest one automatically. */
  choose(request: {
    readonly id: string
    readonly pages: readonly number[]
    readonly versionId: string | null
  }): void
  /** Sets the user's own text of a block; null removes it. */
  edit(request: {
    readonly id: string
    readonly blockId: string
    readonly text: string | null
  }): Block
  /**
   * Returns a page as a JPEG saved in the library; draws it if needed. Throws FILE_MISSING if the original is gone and
   * nothing is saved.
   */
  image(request: {
    readonly id: string
    readonly page: number
    readonly width: ImageWidth
  }): Promise<Media>
  /**
   * Fetches an image that a response of the document references, at the user's request. Throws NOT_FOUND and the errors of
   * the fetch.
   */
  loadImage(request: { readonly id: string; readonly address: string }): Promise<string>
  /** Returns the saved images of pages `first` to `last`, by page. Throws NOT_FOUND. */
  images(
    id: string,
    which: { readonly first: number; readonly last: number; readonly width: ImageWidth },
  ): readonly PageImage[]
  /**
   * Crops a page to PNG bytes at `dpi`, for copying and exports: the block or another `box`. `margin` is a fraction of the
   * page.
   */
  crop(request: {
    readonly id: string
    readonly blockId: string
    readonly box?: Box | undefined
    readonly dpi?: number | undefined
    readonly margin?: number | undefined
  }): Promise<Uint8Array>
  /** Continues what an earlier run left. */
  resume(): Promise<void>
  accountReady(accountId: string): void
  /** Stops the work on documents that are moved to Trash or deleted permanently. */
  forget(ids: readonly string[]): Promise<void>
  /** Called when documents were restored from Trash: continues unfinished work. */
  restored(ids: readonly string[]): void
  busy(): boolean
  /** Stops running downloads of images. */
  stopAll(): Promise<void>
  /** Stops everything and empties the work folder, before all data is erased. */
  erase(): Promise<void>
  shutdown(): Promise<void>
}

/** Widths in which page images are saved, in pixels: thumbnails, and replacements for an original that is gone. */
export type ImageWidth = 160 | 1240
