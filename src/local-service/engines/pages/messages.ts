import type { OfficeKind } from '../../../shared/knowledge/slicing/types.ts'

/** Request to the page worker. `bytes` is the whole file. */
export type PageRequest =
  | { readonly work: 'count'; readonly bytes: Uint8Array<ArrayBuffer>; readonly kind: PageKind }
  | {
      readonly work: 'read'
      readonly bytes: Uint8Array<ArrayBuffer>
      readonly kind: PageKind
      readonly from?: number
      readonly to?: number
      readonly crops: boolean
      readonly visualise: boolean
    }

/** Finished page, or a sign of progress. */
export type PageProgress = { readonly page: ReadPage } | 'working'

/** Result of a job, except its pages. */
export interface PageOutcome {
  readonly pageCount: number
}

/** Problems specific to this engine. */
export type PageProblem = 'damaged' | 'encrypted' | 'no-such-page'

/** Document type as detected from its content; sections of office files are pages without boxes. */
export type PageKind = 'pdf' | 'png' | 'jpeg' | OfficeKind

export interface ReadPage {
  /** Starts at 1. */
  readonly number: number
  /** Size in pixels of the raster that the boxes refer to. */
  readonly width: number
  readonly height: number
  /** Source of the text. */
  readonly source: 'text layer' | 'ocr' | 'nothing'
  /** Name of a sheet or heading of a section, of an office file. */
  readonly title?: string
  /** Whether the page is damaged: nothing could be read, and its size may be unknown (0). */
  readonly damaged?: true
  readonly blocks: readonly PageBlock[]
  /** JPEG of the page with its blocks outlined, if requested. */
  readonly visualisation?: Uint8Array
}

/** Block of a page, in reading order. */
export interface PageBlock {
  /** One of the four labels of service-notes 12. */
  readonly label: 'text' | 'table' | 'formula' | 'image'
  /**
   * More specific label: `doc_title`, `paragraph_title`, `text`, `list`, `table`, `image`, `header`, `footer`, `number`.
   */
  readonly nativeLabel: string
  /** Left, top, right and bottom in pixels of the page raster. */
  readonly box: readonly [number, number, number, number]
  /**
   * Markdown for text (`## ` before headings, `- ` before list items), HTML for a table, empty for an image.
   */
  readonly content: string
  /** Whether a table continues the one before it, whose first row names the columns of both. */
  readonly continued?: true
  /** PNG of the block, if crops were requested. */
  readonly crop?: Uint8Array
}
