import type { Failure } from '../bridge/reply.ts'

/** What the service takes as a document (service-notes 12); told from the content, never from the name. */
export type DocumentMime = 'application/pdf' | 'image/png' | 'image/jpeg'

/** How a page is looked at: /Rotate and the crop box applied, in points (1/72 inch); of a picture, in its pixels. */
export interface PageSize {
  readonly width: number
  readonly height: number
}

/** What this computer found out about a file before anything is sent. */
export interface DocumentFacts {
  readonly mime: DocumentMime
  readonly bytes: number
  readonly pages: number
  /** One for each page. */
  readonly sizes: readonly PageSize[]
  /** `user`: nothing can be read without the password; `owner`: it opens, with fewer rights. */
  readonly locked: 'no' | 'owner' | 'user'
  /** Characters of each page's own text without its spaces; 0 is a picture of a page, -1 was not looked at. */
  readonly textChars: readonly number[]
}

/** Left, top, right and bottom as fractions (0 to 1) of the page as it is looked at. */
export type Box = readonly [left: number, top: number, right: number, bottom: number]

/**
 * How a reply counts its boxes: `fractions` 0 to 1, `pixels` of its own picture of the page, `thousandths` 0 to 1000.
 * `none`: no box at all.
 */
export type BoxRegime = 'fractions' | 'pixels' | 'thousandths' | 'none'

/** What a block is, for its colour, its tag and what can be copied from it. */
export type BlockKind = 'title' | 'text' | 'table' | 'formula' | 'figure' | 'other'

/** One piece of a parsed page. */
export interface Block {
  readonly id: string
  /** Page of the document, from 1. */
  readonly page: number
  /** Place in the reading order of its page, from 0. */
  readonly order: number
  readonly kind: BlockKind
  /** As the reply calls it. */
  readonly label: string
  readonly nativeLabel: string | null
  /** As returned: Markdown, HTML of a table, LaTeX of a formula, address of a picture. */
  readonly content: string
  /** The reader's own text in its place; the returned one stays. */
  readonly edited: string | null
  readonly box: Box | null
  /** The four numbers of the reply, as sent. */
  readonly raw: readonly [number, number, number, number] | null
  /** The box's unit could not be told for certain. */
  readonly guessed: boolean
}

/** `sent` is on its way; `returned` means the reply held the page, with or without blocks. */
export type PageState = 'waiting' | 'sent' | 'returned' | 'failed' | 'cancelled'

/** What a version has of one page. */
export interface ParsedPage {
  readonly page: number
  readonly state: PageState
  readonly blocks: number
  /** Size of the reply's own picture of the page, where told. */
  readonly raster: PageSize | null
  readonly error: Failure | null
}

/** How a document is parsed. */
export interface ParseOptions {
  /** Pages as the user wrote them ("1-3, 7, 20-"); empty means all. */
  readonly pages: string
  readonly crops: boolean
  readonly layoutPictures: boolean
}

/** `partial`: over, and some pages failed. */
export type VersionState = 'waiting' | 'running' | 'done' | 'partial' | 'failed' | 'cancelled'

/** Pages by where they stand; they add up to `asked`. */
export interface PageCounts {
  readonly asked: number
  readonly returned: number
  readonly failed: number
  readonly waiting: number
  readonly cancelled: number
}

/** One parse of a document, of all its pages or of some. */
export interface DocumentVersion {
  readonly id: string
  readonly documentId: string
  /** From 1, in the order they were begun. */
  readonly number: number
  readonly options: ParseOptions
  readonly accountId: string
  readonly accountName: string
  /** The model or engine of the replies, in their own words; null until one came. */
  readonly engine: string | null
  readonly state: VersionState
  readonly counts: PageCounts
  /** Requests that were sent, repeated ones too. */
  readonly calls: number
  /** Lower comes first; the same number goes by age. */
  readonly priority: number
  readonly error: Failure | null
  readonly createdAt: number
  readonly endedAt: number | null
}

/** Which pages of a document a version has, as merged stretches. */
export interface VersionCoverage {
  readonly versionId: string
  readonly returned: readonly PartPlan[]
  readonly failed: readonly PartPlan[]
  readonly cancelled: readonly PartPlan[]
  /** Waiting, or on their way. */
  readonly waiting: readonly PartPlan[]
  /** Pages that this version stands for; and those of them for which somebody chose it. */
  readonly stands: readonly PartPlan[]
  readonly chosen: readonly PartPlan[]
  /** Pages that hold an edit of the reader. */
  readonly edited: readonly PartPlan[]
}

/** A version that is not over, and what its document is called. */
export interface QueuedVersion extends DocumentVersion {
  readonly title: string
}

/** A document as it is opened. */
export interface DocumentItem {
  readonly id: string
  readonly title: string
  /** The file itself; null when it is gone: then stored pictures of its pages serve. */
  readonly mediaId: string | null
  /** The name the file had. */
  readonly name: string
  readonly facts: DocumentFacts | null
  /** A password was given, and is remembered by the running app alone. */
  readonly unlocked: boolean
  /** Newest first. */
  readonly versions: readonly DocumentVersion[]
  /** Unix milliseconds. */
  readonly createdAt: number
  readonly updatedAt: number
  readonly deletedAt: number | null
}

/** What is told when a document changes: the facts of its file never do, and are long. */
export type DocumentNews = Omit<DocumentItem, 'facts'>

/** A document in a list. */
export interface DocumentBrief {
  readonly pages: number
  readonly locked: boolean
  /** The newest version's; null when nothing was parsed. */
  readonly state: VersionState | null
  readonly counts: PageCounts | null
}

/** One of the pieces that a version is sent in. Pages are those of the document, from 1, both ends included. */
export interface PartPlan {
  readonly first: number
  readonly last: number
}

/** What will be sent, told before anything is. */
export interface ParsePlan {
  readonly pages: number
  readonly bytes: number
  readonly parts: number
  /** About how many requests; more when a part turns out too large. */
  readonly requests: number
  /** A picture over the service's limit is sent smaller: at most so many bytes. The file itself stays as it is. */
  readonly shrunkTo?: number
}
