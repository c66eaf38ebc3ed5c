import type { Failure } from '../../../../shared/contract/reply.ts'
import type {
  Block,
  DocumentMime,
  DocumentVersion,
  PageSize,
  PageState,
} from '../../../../shared/model/document.ts'
import type { ExportLanguage } from '../../../platform/export-files/export-labels.ts'

/** A page to export, as one version contains it. */
export interface ExportPage {
  /** Page number of the document, from 1. */
  readonly page: number
  readonly state: PageState
  /** Size of the original page, if known. */
  readonly size: PageSize | null
  /** Size of the response's own page image, the possible unit of raw boxes. */
  readonly raster: PageSize | null
  readonly error: Failure | null
  /** Number of the version of the blocks; null if no version has the page. */
  readonly version: number | null
  /** Blocks in reading order. */
  readonly blocks: readonly Block[]
}

/** The exported fields of a version: options, engine, and the number of returned pages. */
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

/** All data of a document for an export, except images. */
export interface ExportSource {
  readonly title: string
  /** Original file name. */
  readonly name: string
  readonly mime: DocumentMime | null
  /** SHA-256 of the file; null if the file is missing. */
  readonly sha256: string | null
  /** Number of pages of the whole document, exported or not. */
  readonly pageCount: number
  /** The versions of the pages in `pages`, newest first. */
  readonly versions: readonly ExportVersion[]
  /** Pages in ascending order. A store may yield them one by one. */
  readonly pages: Iterable<ExportPage> | AsyncIterable<ExportPage>
  readonly appVersion: string
  readonly language: ExportLanguage
}

/** A crop: PNG or JPEG, as a file or in memory. */
export type ImageContent = { readonly path: string } | { readonly bytes: Uint8Array }

/**
 * Returns the crop of a figure block, or of a placeholder inside another block by its {@link placeholderKey}; null if there
 * is none.
 */
export type ImageLoader = (key: string) => Promise<ImageContent | null>

/** Returns the key of the crop of the n-th image inside another block, from 0. */
export const placeholderKey = (blockId: string, index: number): string => `${blockId}/${index}`

/** Export formats of a document. `md` and `csv` are folders of files. */
export type DocumentFormat = 'md' | 'html' | 'json' | 'docx' | 'xlsx' | 'csv' | 'txt'

/** Options chosen by the user; each format uses those that apply to it. */
export interface DocumentOptions {
  /**
   * md: images as files in a folder `images`, embedded as data URIs, or left out; html and docx: left out with `none`.
   */
  readonly images: 'files' | 'inside' | 'none'
  /** Page separators. md: a comment where a page begins; html and docx: a line. */
  readonly pageMarks: boolean
  /** md, html and docx: whether the facts about the document come first. */
  readonly details: boolean
  /** csv: whether the text of a spanned cell is repeated in every cell it covers or written to the first only. */
  readonly spans: 'repeat' | 'first'
}

/** Default options. */
export const plainOptions: DocumentOptions = {
  images: 'files',
  pageMarks: false,
  details: true,
  spans: 'first',
}

/** Result of an export. */
export interface WrittenExport {
  /** Absolute paths, the main file first. */
  readonly files: readonly string[]
  readonly bytes: number
  readonly tables: number
  readonly images: number
  /** Number of formulas written as LaTeX text because they could not become equations. */
  readonly plainFormulas: number
  /** Number of cells truncated to the limits of the format. */
  readonly cutCells: number
}
