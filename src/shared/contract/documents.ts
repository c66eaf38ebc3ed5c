import { z } from 'zod'
import type {
  Block,
  DocumentItem,
  DocumentVersion,
  ParsePlan,
  ParsedPage,
  QueuedVersion,
  VersionCoverage,
} from '../model/document.ts'
import type { Media } from '../model/library.ts'
import { callerIdPattern, route } from './contract.ts'

const id = z.string().min(1).max(64)
const page = z.number().int().min(1).max(100_000)

const options = z.strictObject({
  /** Page selection as text ("1-3, 7, 20-"); empty means all. */
  pages: z.string().trim().max(1000).default(''),
  crops: z.boolean().default(false),
  layoutPictures: z.boolean().default(false),
})

/** Current state of a page, with its version; null if none was requested yet. */
export interface CurrentPage extends ParsedPage {
  readonly versionId: string | null
  /**
   * URL of the provider's layout visualization of the page, if one was requested and received; its image is among those of
   * the response.
   */
  readonly layoutPicture?: string | null
}

export interface PageImage {
  readonly page: number
  readonly mediaId: string
  /** Size of the image in pixels. */
  readonly width: number
  readonly height: number
}

/** Match in a document. Offsets are UTF-16 units of the block's text. */
export interface BlockHit {
  readonly blockId: string
  readonly page: number
  readonly snippet: string
  readonly ranges: readonly (readonly [start: number, end: number])[]
  /** Matches in `snippet`; `ranges` are the matches in the block's text. */
  readonly marks?: readonly (readonly [start: number, end: number])[]
}

/** Change of one block between two versions of a page. */
export interface BlockChange {
  readonly kind: 'same' | 'changed' | 'moved' | 'left-only' | 'right-only'
  readonly left: Block | null
  readonly right: Block | null
  /**
   * Words of both sides in order; empty if nothing changed, null if the texts are too long for a comparison by word.
   */
  readonly words:
    | readonly { readonly text: string; readonly side: 'both' | 'left' | 'right' }[]
    | null
}

export interface ReadingPosition {
  readonly page: number
  /** Fraction of the page above the top edge of the window. */
  readonly offset: number
  /** 1 is 100%; null fits the width. */
  readonly zoom: number | null
}

export const documentFormats = ['md', 'html', 'pdf', 'json', 'docx', 'xlsx', 'csv', 'txt'] as const

/** Document routes: importing, parsing, reading, comparing, editing, exporting. */
export const documents = {
  /** Creates a document from a stored file (PDF or image), or returns the existing one. Nothing is sent. */
  create: route<{ readonly document: DocumentItem; readonly known: boolean }>()(
    z.strictObject({ mediaId: id, title: z.string().trim().max(300).optional() }),
  ),
  get: route<{
    readonly document: DocumentItem
    readonly place: ReadingPosition | null
    /** ID of the stored image of the page read last, which is shown until the page is drawn. */
    readonly preview: string | null
  }>()(z.strictObject({ id })),
  /**
   * Tries a password; it stays in memory until the app ends and is never stored. Throws REFUSED if it is wrong.
   */
  unlock: route<{ readonly document: DocumentItem }>()(
    z.strictObject({ id, password: z.string().min(1).max(1000) }),
  ),
  /**
   * Returns what a parse would send, and how many pages were already parsed with the same options (none if `fresh`);
   * nothing is sent.
   */
  plan: route<{ readonly plan: ParsePlan; readonly reusedPages: number }>()(
    z.strictObject({
      id,
      options,
      accountId: id.optional(),
      fresh: z.boolean().default(false),
    }),
  ),
  /** Starts a version; pages already parsed with the same options are reused, or sent again if `fresh`. */
  parse: route<{ readonly version: DocumentVersion }>()(
    z.strictObject({
      id,
      options,
      accountId: id.optional(),
      fresh: z.boolean().default(false),
    }),
  ),
  cancel: route<{ readonly version: DocumentVersion }>()(z.strictObject({ versionId: id })),
  /** Sends failed pages again: all of them, or the given ones. */
  retry: route<{ readonly version: DocumentVersion }>()(
    z.strictObject({ versionId: id, pages: z.array(page).min(1).max(100_000).optional() }),
  ),
  /** Lower values are first. */
  prioritise: route<{ readonly version: DocumentVersion }>()(
    z.strictObject({ versionId: id, priority: z.number().int().min(-1000).max(1000) }),
  ),
  /** Unfinished versions, in the order in which they are sent. */
  queue: route<{ readonly versions: readonly QueuedVersion[] }>()(z.strictObject({})),
  /**
   * Returns a range of pages with their blocks in reading order, of the current versions or of a given one. At most 50
   * pages.
   */
  pages: route<{
    readonly pages: readonly CurrentPage[]
    readonly blocks: readonly Block[]
    /**
     * Stored images by the URLs that these blocks and pages refer to; others were not fetched yet, or are fetched on
     * request.
     */
    readonly images?: Readonly<Record<string, string>>
  }>()(z.strictObject({ id, first: page, last: page, versionId: id.optional() })),
  /** Chooses the current version of some pages; null resets it to the newest. */
  choose: route<Record<string, never>>()(
    z.strictObject({
      id,
      pages: z.array(page).min(1).max(100_000),
      versionId: id.nullable(),
    }),
  ),
  /** Returns the pages of each version, newest first, and for which of them it is the current one. */
  coverage: route<{ readonly versions: readonly VersionCoverage[] }>()(z.strictObject({ id })),
  compare: route<{ readonly changes: readonly BlockChange[] }>()(
    z.strictObject({ id, page, leftId: id, rightId: id }),
  ),
  /** Returns a block of any version. */
  block: route<{ readonly block: Block }>()(z.strictObject({ id, blockId: id })),
  /** Sets the user's own text of a block; null reverts it. */
  edit: route<{ readonly block: Block }>()(
    z.strictObject({ id, blockId: id, text: z.string().max(1_000_000).nullable() }),
  ),
  /**
   * Finds blocks that contain all words, page by page from `from`; `next` is the page to continue from, null at the end.
   */
  find: route<{ readonly hits: readonly BlockHit[]; readonly next: number | null }>()(
    z.strictObject({ id, query: z.string().trim().min(1).max(200), from: page.default(1) }),
  ),
  /** Returns the original Markdown of the response that contained a page. */
  returned: route<{
    readonly markdown: string
    readonly first: number
    readonly last: number
    /** Whether it differs from the blocks received with it, in text or order; null if unknown. */
    readonly differs: boolean | null
  }>()(z.strictObject({ id, page, versionId: id.optional() })),
  place: route<Record<string, never>>()(
    z.strictObject({
      id,
      place: z.strictObject({
        page,
        offset: z.number().min(0).max(1),
        zoom: z.number().min(0.05).max(20).nullable(),
      }),
    }),
  ),
  /**
   * Returns a page as a stored image, rendered if needed: for the page strip (160 pixels wide), or as a replacement for a
   * missing original (1240).
   */
  image: route<{ readonly media: Media }>()(
    z.strictObject({ id, page, width: z.union([z.literal(160), z.literal(1240)]) }),
  ),
  /**
   * Fetches and stores an image that a response refers to, after the user saw its URL and clicked. Only URLs in responses
   * of the document: NOT_FOUND for others. REFUSED if it leads into a private network or is not an image.
   */
  loadImage: route<{ readonly mediaId: string }>()(
    z.strictObject({ id, address: z.string().min(1).max(4096) }),
  ),
  /** Returns the stored page images by page; nothing is rendered. */
  images: route<{ readonly images: readonly PageImage[] }>()(
    z.strictObject({
      id,
      first: page,
      last: page,
      width: z.union([z.literal(160), z.literal(1240)]),
    }),
  ),
  /** Returns a block cropped from its page as a PNG. */
  crop: route<{ readonly media: Media }>()(z.strictObject({ id, blockId: id })),
  /**
   * Writes a file and stores it for a day; the page saves it from its URL. REFUSED with `params.problem: notParsed` when no
   * page was parsed.
   */
  export: route<{ readonly media: Media }>()(
    z.strictObject({
      id,
      format: z.enum(documentFormats),
      language: z.enum(['en', 'zh']),
      /** Images as separate files (`files`), embedded (`inside`), or omitted (`none`). */
      images: z.enum(['files', 'inside', 'none']).default('files'),
      /** Content of the other positions of a spanning cell: its text, or nothing. */
      spans: z.enum(['repeat', 'first']).default('first'),
      /** Page selection as text ("1-3, 7, 20-"); empty means all. */
      pages: z.string().trim().max(1000).default(''),
      /** Whether the text marks the start of each page. */
      pageMarks: z.boolean().default(false),
      /** Whether each page ends with its highlights and notes; only for formats with images. */
      highlights: z.boolean().default(false),
      /** Whether the text begins with the origin of the document and its versions; only for formats with images. */
      details: z.boolean().default(false),
      /** Resolution of crops in dots per inch. */
      dpi: z.union([z.literal(150), z.literal(200)]).default(200),
      /** Margin added around a cropped image, as a fraction of the page. */
      margin: z.number().min(0).max(0.05).default(0.005),
      callId: z.string().regex(callerIdPattern).optional(),
    }),
  ),
}
