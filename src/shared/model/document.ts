import type { Failure } from '../contract/reply.ts'
import type { TextMime } from '../documents/text-formats.ts'

/**
 * Document formats: those that the provider accepts (service-notes 12), detected from the content, and files that contain
 * their text, which are never sent.
 */
export type DocumentMime = 'application/pdf' | 'image/png' | 'image/jpeg' | TextMime

/**
 * Size of a page as displayed: /Rotate and the crop box applied, in points (1/72 inch); for an image, in pixels.
 */
export interface PageSize {
  readonly width: number
  readonly height: number
}

/** Local analysis of a file before anything is sent. */
export interface DocumentFacts {
  readonly mime: DocumentMime
  readonly bytes: number
  readonly pages: number
  /** One for each page; empty for a file that contains its text, whose pages have no image. */
  readonly sizes: readonly PageSize[]
  /** `user`: nothing can be read without the password; `owner`: it can be opened with restricted permissions. */
  readonly locked: 'no' | 'owner' | 'user'
  /** Characters of each page's own text without spaces; 0 is a scanned page, -1 was not checked. */
  readonly textChars: readonly number[]
  /** Names of sheets and headings of sections, one for each page of a file that contains its text; empty for none. */
  readonly titles?: readonly string[]
}

/** Left, top, right and bottom as fractions (0 to 1) of the page as displayed. */
export type Box = readonly [left: number, top: number, right: number, bottom: number]

/**
 * Coordinate unit of the boxes in a response: `fractions` 0 to 1, `pixels` of its own page image, `thousandths` 0 to 1000.
 * `none`: no boxes.
 */
export type BoxRegime = 'fractions' | 'pixels' | 'thousandths' | 'none'

/** Type of a block, which determines its color, its tag and the copy options. */
export type BlockKind = 'title' | 'text' | 'table' | 'formula' | 'figure' | 'other'

/** A block of a parsed page. */
export interface Block {
  readonly id: string
  /** Page of the document, from 1. */
  readonly page: number
  /** Index in the reading order of its page, from 0. */
  readonly order: number
  readonly kind: BlockKind
  /** Label in the response. */
  readonly label: string
  readonly nativeLabel: string | null
  /** As returned: Markdown, HTML of a table, LaTeX of a formula, URL of an image. */
  readonly content: string
  /** The user's own text that replaces it; the returned one is kept. */
  readonly edited: string | null
  readonly box: Box | null
  /** The four numbers of the response, as sent. */
  readonly raw: readonly [number, number, number, number] | null
  /** Whether the unit of the box is uncertain. */
  readonly guessed: boolean
}

/** `sent`: in progress; `returned`: the response contained the page, with or without blocks. */
export type PageState = 'waiting' | 'sent' | 'returned' | 'failed' | 'cancelled'

/** One page of a version. */
export interface ParsedPage {
  readonly page: number
  readonly state: PageState
  readonly blocks: number
  /** Size of the page image of the response, if reported. */
  readonly raster: PageSize | null
  readonly error: Failure | null
}

export interface ParseOptions {
  /** Pages as entered by the user ("1-3, 7, 20-"); empty means all. */
  readonly pages: string
  readonly crops: boolean
  readonly layoutPictures: boolean
}

/** All pages, text only. */
export const defaultParseOptions: ParseOptions = { pages: '', crops: false, layoutPictures: false }

/** `partial`: finished, but some pages failed. */
export type VersionState = 'waiting' | 'running' | 'done' | 'partial' | 'failed' | 'cancelled'

/** Number of pages by state; they add up to `asked`. */
export interface PageCounts {
  readonly asked: number
  readonly returned: number
  readonly failed: number
  readonly waiting: number
  readonly cancelled: number
}

/** One parse of all or some pages of a document. */
export interface DocumentVersion {
  readonly id: string
  readonly documentId: string
  /** From 1, in creation order. */
  readonly number: number
  readonly options: ParseOptions
  readonly accountId: string
  readonly accountName: string
  /** Model or engine as named in the responses; null until the first one. */
  readonly engine: string | null
  readonly state: VersionState
  readonly counts: PageCounts
  /** Number of requests sent, including retries. */
  readonly calls: number
  /** Lower values are processed first; equal ones by age. */
  readonly priority: number
  readonly error: Failure | null
  readonly createdAt: number
  readonly endedAt: number | null
}

/** Pages of a document in a version, as merged ranges. */
export interface VersionCoverage {
  readonly versionId: string
  readonly returned: readonly PartPlan[]
  readonly failed: readonly PartPlan[]
  readonly cancelled: readonly PartPlan[]
  /** Waiting or in progress. */
  readonly waiting: readonly PartPlan[]
  /** Pages for which this version is current; and those of them for which the user chose it. */
  readonly stands: readonly PartPlan[]
  readonly chosen: readonly PartPlan[]
  /** Pages edited by the user. */
  readonly edited: readonly PartPlan[]
}

/** An unfinished version and the name of its document. */
export interface QueuedVersion extends DocumentVersion {
  readonly title: string
}

export interface DocumentItem {
  readonly id: string
  readonly title: string
  /** The file itself; null when it no longer exists: then the saved page images are used. */
  readonly mediaId: string | null
  readonly name: string
  readonly facts: DocumentFacts | null
  /** Whether a password was entered; only the running app remembers it. */
  readonly unlocked: boolean
  /** Newest first. */
  readonly versions: readonly DocumentVersion[]
  /** Unix milliseconds. */
  readonly createdAt: number
  readonly updatedAt: number
  readonly deletedAt: number | null
}

/** Data of a change event: without the facts of the file, which never change and are large. */
export type DocumentNews = Omit<DocumentItem, 'facts'>

export interface DocumentBrief {
  readonly pages: number
  readonly locked: boolean
  /** State of the newest version; null when nothing was parsed. */
  readonly state: VersionState | null
  readonly counts: PageCounts | null
}

/** One of the parts in which a version is sent. Pages of the document, from 1, both ends included. */
export interface PartPlan {
  readonly first: number
  readonly last: number
}

/** Preview of the requests to send. */
export interface ParsePlan {
  readonly pages: number
  readonly bytes: number
  readonly parts: number
  /** Approximate number of requests; more when a part turns out too large. */
  readonly requests: number
  /**
   * Maximum number of bytes for an image over the provider's limit, which is sent in a smaller size. The file itself does not
   * change.
   */
  readonly shrunkTo?: number
}
