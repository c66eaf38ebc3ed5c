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

/** How a document is to be parsed. */
const options = z.strictObject({
  /** Pages as people write them ("1-3, 7, 20-"); empty means all. */
  pages: z.string().trim().max(1000).default(''),
  crops: z.boolean().default(false),
  layoutPictures: z.boolean().default(false),
})

/** A page as it stands, and in which version; null where nothing was asked yet. */
export interface CurrentPage extends ParsedPage {
  readonly versionId: string | null
  /** Address of the service's own drawing of the page's layout, where one was asked for and came; its picture is among those of the reply. */
  readonly layoutPicture?: string | null
}

/** A stored picture of a page. */
export interface PageImage {
  readonly page: number
  readonly mediaId: string
  /** Of the picture, in pixels. */
  readonly width: number
  readonly height: number
}

/** Where words of a document stand. Offsets are UTF-16 units of the block's text. */
export interface BlockHit {
  readonly blockId: string
  readonly page: number
  readonly snippet: string
  readonly ranges: readonly (readonly [start: number, end: number])[]
  /** The matches in `snippet`, as `ranges` are those in the block's text. */
  readonly marks?: readonly (readonly [start: number, end: number])[]
}

/** What became of one block between two versions of a page. */
export interface BlockChange {
  readonly kind: 'same' | 'changed' | 'moved' | 'left-only' | 'right-only'
  readonly left: Block | null
  readonly right: Block | null
  /** Words of both, in order; empty when nothing changed, null when the texts are too long to be told apart word by word. */
  readonly words:
    | readonly { readonly text: string; readonly side: 'both' | 'left' | 'right' }[]
    | null
}

/** Where somebody was reading. */
export interface ReadingPosition {
  readonly page: number
  /** Fraction of the page above the window's upper edge. */
  readonly offset: number
  /** 1 is 100 %; null fits the width. */
  readonly zoom: number | null
}

/** Formats a document can be written in. */
export const documentFormats = ['md', 'html', 'json', 'docx', 'xlsx', 'csv', 'txt'] as const

/** Routes of documents: taking in, parsing, reading, comparing, changing, giving out. */
export const documents = {
  /** A kept file (PDF or picture) becomes a document; a known one is given back. Nothing is sent. */
  create: route<{ readonly document: DocumentItem; readonly known: boolean }>()(
    z.strictObject({ mediaId: id, title: z.string().trim().max(300).optional() }),
  ),
  get: route<{ readonly document: DocumentItem; readonly place: ReadingPosition | null }>()(
    z.strictObject({ id }),
  ),
  /** Tries a password; it is kept in memory until the app ends, never stored. REFUSED when it does not fit. */
  unlock: route<{ readonly document: DocumentItem }>()(
    z.strictObject({ id, password: z.string().min(1).max(1000) }),
  ),
  /** What a parse would send, and how many pages stand already, parsed the same way (none are, when it is to be `fresh`); nothing is sent. */
  plan: route<{ readonly plan: ParsePlan; readonly reusedPages: number }>()(
    z.strictObject({
      id,
      options,
      accountId: id.optional(),
      fresh: z.boolean().default(false),
    }),
  ),
  /** Begins a version; pages that stand already, parsed the same way, are taken over, or sent again when it is to be `fresh`. */
  parse: route<{ readonly version: DocumentVersion }>()(
    z.strictObject({
      id,
      options,
      accountId: id.optional(),
      fresh: z.boolean().default(false),
    }),
  ),
  cancel: route<{ readonly version: DocumentVersion }>()(z.strictObject({ versionId: id })),
  /** Sends failed pages again: all of them, or those named. */
  retry: route<{ readonly version: DocumentVersion }>()(
    z.strictObject({ versionId: id, pages: z.array(page).min(1).max(100_000).optional() }),
  ),
  /** Lower goes first. */
  prioritise: route<{ readonly version: DocumentVersion }>()(
    z.strictObject({ versionId: id, priority: z.number().int().min(-1000).max(1000) }),
  ),
  /** Versions that are not over, in the order they are sent. */
  queue: route<{ readonly versions: readonly QueuedVersion[] }>()(z.strictObject({})),
  /** A stretch of pages with their blocks in reading order; of what stands, or of one version. At most 50 pages. */
  pages: route<{
    readonly pages: readonly CurrentPage[]
    readonly blocks: readonly Block[]
    /** Kept pictures by the addresses that these blocks and pages name; others are not fetched yet, or wait until they are asked for. */
    readonly images?: Readonly<Record<string, string>>
  }>()(z.strictObject({ id, first: page, last: page, versionId: id.optional() })),
  /** Chooses the version that stands for some pages; null gives the choice back to the newest. */
  choose: route<Record<string, never>>()(
    z.strictObject({
      id,
      pages: z.array(page).min(1).max(100_000),
      versionId: id.nullable(),
    }),
  ),
  /** Which pages each version has, newest first, and which of them it stands for. */
  coverage: route<{ readonly versions: readonly VersionCoverage[] }>()(z.strictObject({ id })),
  compare: route<{ readonly changes: readonly BlockChange[] }>()(
    z.strictObject({ id, page, leftId: id, rightId: id }),
  ),
  /** One block, wherever it stands. */
  block: route<{ readonly block: Block }>()(z.strictObject({ id, blockId: id })),
  /** The reader's own text of a block; null takes it back. */
  edit: route<{ readonly block: Block }>()(
    z.strictObject({ id, blockId: id, text: z.string().max(1_000_000).nullable() }),
  ),
  /** Blocks that hold all words, page by page from `from` on; `next` is the page to go on from, null at the end. */
  find: route<{ readonly hits: readonly BlockHit[]; readonly next: number | null }>()(
    z.strictObject({ id, query: z.string().trim().min(1).max(200), from: page.default(1) }),
  ),
  /** The Markdown of the reply that held a page, as it came. */
  returned: route<{
    readonly markdown: string
    readonly first: number
    readonly last: number
    /** It says something else than the blocks that came with it, or in another order; null where that cannot be told. */
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
  /** A page as a kept picture, drawn when it was not yet: for the strip (160 pixels wide), or in the place of an original that is gone (1240). */
  image: route<{ readonly media: Media }>()(
    z.strictObject({ id, page, width: z.union([z.literal(160), z.literal(1240)]) }),
  ),
  /**
   * Fetches a picture that a reply names, for one click of the user who saw its address; it is kept. Only addresses that replies of the
   * document name: NOT_FOUND for another one. REFUSED where it leads into a private network or is no picture.
   */
  loadImage: route<{ readonly mediaId: string }>()(
    z.strictObject({ id, address: z.string().min(1).max(4096) }),
  ),
  /** The pictures of pages that are kept, by page; nothing is drawn. */
  images: route<{ readonly images: readonly PageImage[] }>()(
    z.strictObject({
      id,
      first: page,
      last: page,
      width: z.union([z.literal(160), z.literal(1240)]),
    }),
  ),
  /** A block cut out of its page as a PNG. */
  crop: route<{ readonly media: Media }>()(z.strictObject({ id, blockId: id })),
  /** Writes a file and keeps it for a day; the page saves it from its address. */
  export: route<{ readonly media: Media }>()(
    z.strictObject({
      id,
      format: z.enum(documentFormats),
      language: z.enum(['en', 'zh']),
      /** Pictures beside the text (`files`), in it (`inside`), or none. */
      images: z.enum(['files', 'inside', 'none']).default('files'),
      /** What a cell that spans others gives to those: its words, or nothing. */
      spans: z.enum(['repeat', 'first']).default('first'),
      /** Pages as people write them ("1-3, 7, 20-"); empty means all. */
      pages: z.string().trim().max(1000).default(''),
      /** The text says where a page begins. */
      pageMarks: z.boolean().default(false),
      /** Dots per inch of what is cut out of the pages. */
      dpi: z.union([z.literal(150), z.literal(200)]).default(200),
      /** What is cut out beyond a picture's edges, as a share of the page. */
      margin: z.number().min(0).max(0.05).default(0.005),
      callId: z.string().regex(callerIdPattern).optional(),
    }),
  ),
}
