import type { Failure } from '../../../shared/bridge/reply.ts'
import type {
  Block,
  DocumentMime,
  DocumentVersion,
  PageSize,
  PageState,
} from '../../../shared/model/document.ts'
import type { ExportLanguage } from '../labels.ts'

/** One page as it is exported: what a version has of it. */
export interface ExportPage {
  /** Of the document, from 1. */
  readonly page: number
  readonly state: PageState
  /** Of the document's own page, where known. */
  readonly size: PageSize | null
  /** Size of the reply's own picture of the page, which raw boxes may count in. */
  readonly raster: PageSize | null
  readonly error: Failure | null
  /** Number of the version the blocks come from; null when no version has the page. */
  readonly version: number | null
  /** In reading order. */
  readonly blocks: readonly Block[]
}

/** What an export tells of a version: how it was asked, by what it was read, and how many pages came back. */
export type ExportVersion = Pick<
  DocumentVersion,
  | 'number'
  | 'options'
  | 'accountName'
  | 'engine'
  | 'state'
  | 'counts'
  | 'calls'
  | 'createdAt'
  | 'endedAt'
>

/** Everything of a document that an export may need, besides pictures. */
export interface ExportSource {
  readonly title: string
  /** The name the file had. */
  readonly name: string
  readonly mime: DocumentMime | null
  /** SHA-256 of the file; null when it is gone. */
  readonly sha256: string | null
  /** Pages of the whole document, exported or not. */
  readonly pageCount: number
  /** Those whose pages are in `pages`, newest first. */
  readonly versions: readonly ExportVersion[]
  /** Ascending. A store may hand them over one by one. */
  readonly pages: Iterable<ExportPage> | AsyncIterable<ExportPage>
  readonly appVersion: string
  readonly language: ExportLanguage
}

/** A crop: PNG or JPEG, as a file or in memory. */
export type ImageContent = { readonly path: string } | { readonly bytes: Uint8Array }

/** The crop of a figure block, or of a placeholder inside another block (its key is in {@link placeholderKey}); null where there is none. */
export type ImageLoader = (key: string) => Promise<ImageContent | null>

/** Names the crop of a picture that stands inside another block: the n-th of the block, from 0. */
export const placeholderKey = (blockId: string, index: number): string => `${blockId}/${index}`

/** What a document can be written as. `md` and `csv` are folders of files. */
export type DocumentFormat = 'md' | 'html' | 'json' | 'docx' | 'xlsx' | 'csv' | 'txt'

/** How the user wants it; each format reads what concerns it. */
export interface DocumentOptions {
  /** md: pictures in files of a folder `images`, inside the one file as data URIs, or left out; html and docx: left out by `none`. */
  readonly images: 'files' | 'inside' | 'none'
  /** md: a comment where a page begins; html and docx: a line. */
  readonly pageMarks: boolean
  /** csv: the text of a spanned cell stands in every place it covers, or in the first only. */
  readonly spans: 'repeat' | 'first'
}

/** What somebody gets who asks for nothing in particular. */
export const plainOptions: DocumentOptions = {
  images: 'files',
  pageMarks: false,
  spans: 'first',
}

/** What an export wrote. */
export interface WrittenExport {
  /** Absolute paths, the main file first. */
  readonly files: readonly string[]
  readonly bytes: number
  readonly tables: number
  readonly images: number
  /** Formulas that are words in their LaTeX, because they could not be made into equations. */
  readonly plainFormulas: number
  /** Cells that were cut at what the format holds. */
  readonly cutCells: number
}
