/** Where a passage stands on its page: distances from the left and top edge in the page's own units (service-notes 11). */
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

/** A block of a document as its reader gives it, in reading order. */
export interface Passage {
  readonly text: string
  /** Level of a heading from 1; null for anything else. */
  readonly level: number | null
  /** Empty where the document has no pages. */
  readonly places: readonly Place[]
  /** From 1, where a text marks its pages. */
  readonly page?: number
  /** From 1, in the file; null for pages. */
  readonly line: number | null
  /** Name of the sheet for a row; null otherwise. */
  readonly sheet: string | null
  /** Cells of a row by the names of their columns. */
  readonly cells?: readonly (readonly [column: string, value: string])[]
}

/** Where lines of a slice are from; it holds until the next part begins. */
export interface SlicePart {
  /** Line of the slice's text, from 0. */
  readonly at: number
  /** From 1, in the file; null for pages. */
  readonly line: number | null
  /** From 1; null where the document has no pages. */
  readonly page: number | null
}

/** A piece of a document that is found as one. */
export interface Slice {
  readonly text: string
  /** The headings above it, outermost first. */
  readonly headings: readonly string[]
  readonly places: readonly Place[]
  readonly line: number | null
  /** In order of the text. */
  readonly parts: readonly SlicePart[]
  readonly sheet: string | null
}

/** How a document is cut (service-notes 7); null: by what it is. */
export type KnowledgeType = 1 | 2 | 3 | 5 | 6 | 7

/** Rules of cutting. */
export interface SlicingRules {
  readonly type: KnowledgeType | null
  /** For type 5. */
  readonly separators: readonly string[]
  /** Characters, 20 to 2000, for type 5. */
  readonly sentenceSize: number
}

/** What a file is, by its content. */
export type DocumentKind = 'markdown' | 'text' | 'sheet' | 'pdf' | 'png' | 'jpeg'

/** A document that cannot become slices; the code and words go into `failInfo` (service-notes 7). */
export class DocumentFailure extends Error {
  /** 10001: cannot be read; 10002: more words than allowed. */
  readonly code: 10001 | 10002

  constructor(code: 10001 | 10002, message: string) {
    super(message)
    this.name = 'DocumentFailure'
    this.code = code
  }
}
