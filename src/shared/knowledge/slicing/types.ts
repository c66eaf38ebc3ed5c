import type { TextFormat } from '../../documents/text-formats.ts'

/**
 * Position of a passage on its page: distances from the left and top edge in the page's own units (service-notes 11).
 */
export interface Place {
  /** From 1. */
  readonly page: number
  readonly x0: number
  readonly x1: number
  readonly top: number
  readonly bottom: number
  readonly width: number
  readonly height: number
}

/** A block of a document from its parser, in reading order. */
export interface Passage {
  readonly text: string
  /** Level of a heading from 1; null for anything else. */
  readonly level: number | null
  /** Empty if the document has no pages. */
  readonly places: readonly Place[]
  /** From 1, if a text marks its pages. */
  readonly page?: number
  /** From 1, in the file; null for pages. */
  readonly line: number | null
  /** Name of the sheet for a row; null otherwise. */
  readonly sheet: string | null
  /** Cells of a row with their column names. */
  readonly cells?: readonly (readonly [column: string, value: string])[]
}

/** Source of lines in a chunk, up to the next part. */
export interface SlicePart {
  /** Line of the slice's text, from 0. */
  readonly at: number
  /** From 1, in the file; null for pages. */
  readonly line: number | null
  /** From 1; null if the document has no pages. */
  readonly page: number | null
}

/** A retrievable part of a document. */
export interface Slice {
  readonly text: string
  /** The headings above it, outermost first. */
  readonly headings: readonly string[]
  readonly places: readonly Place[]
  readonly line: number | null
  /** In text order. */
  readonly parts: readonly SlicePart[]
  readonly sheet: string | null
}

/** Chunking method of a document (service-notes 7); null means by its type. */
export type KnowledgeType = 1 | 2 | 3 | 5 | 6 | 7

export interface SlicingRules {
  readonly type: KnowledgeType | null
  /** For type 5. */
  readonly separators: readonly string[]
  /** Characters, 20 to 2000, for type 5. */
  readonly sentenceSize: number
}

/** Type of a file by its content. */
export type DocumentKind = 'markdown' | 'text' | 'sheet' | 'pdf' | 'png' | 'jpeg' | OfficeKind

/** Files of sections with headings, tables and lists. */
export type OfficeKind = Exclude<TextFormat, 'md' | 'txt'>

/** A document that cannot be chunked; code and message are returned in `failInfo` (service-notes 7). */
export class DocumentFailure extends Error {
  /** 10001: cannot be read; 10002: more words than allowed. */
  readonly code: 10001 | 10002

  constructor(code: 10001 | 10002, message: string) {
    super(message)
    this.name = 'DocumentFailure'
    this.code = code
  }
}
