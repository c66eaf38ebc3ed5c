import type { ItemKind, ItemSummary } from './library.ts'

/**
 * Things that are kept beside items: runs and tasks of the Bench, what was looked up by its id, rankings, files that a task or a
 * response brought (`file`), pictures that an assistant drew (`picture`), questions of the retrieval bench, what was listed of the
 * service: knowledge bases, their documents (`source`) and voices (`listed`), and what was sent there (`upload`).
 */
export const otherKinds = [
  'run',
  'task',
  'response',
  'slides',
  'ranking',
  'embedding',
  'base',
  'source',
  'upload',
  'question',
  'slices',
  'listed',
  'picture',
  'file',
] as const
/** One of {@link otherKinds}. */
export type OtherKind = (typeof otherKinds)[number]

/** Every kind of thing the Library shows. */
export type EntryKind = ItemKind | OtherKind

/** What a thing belongs to, where it is opened there. */
export interface EntryOwner {
  readonly kind: 'conversation' | 'base' | 'task' | 'response' | 'slides'
  readonly id: string
  /** The place within it: a message, a document; null for all of it. */
  readonly at: string | null
}

/** A row of the Library: anything that was ever received or made. */
export interface LibraryEntry {
  /** Of the thing itself; unique within its kind. */
  readonly id: string
  readonly kind: EntryKind
  readonly title: string
  /** Which account it is of; empty for items, which belong to the user. */
  readonly account: string
  /** What it says of its work (`done`, `failed`, ...); null for items, whose summary says it. */
  readonly state: string | null
  readonly tags: readonly string[]
  /** Set for what is opened within another thing. */
  readonly owner: EntryOwner | null
  /** Set for items. */
  readonly item: ItemSummary | null
  /** Unix milliseconds. */
  readonly createdAt: number
}

/** Orders of the Library's list. */
export const entryOrders = ['newest', 'oldest', 'title'] as const
/** One of {@link entryOrders}. */
export type EntryOrder = (typeof entryOrders)[number]

/** Where words were found in a thing that is no item: its title, or what it holds. */
export interface EntryHit {
  readonly id: string
  readonly kind: OtherKind
  readonly title: string
  readonly account: string
  /** Set for what is opened within another thing. */
  readonly owner: EntryOwner | null
  readonly field: 'title' | 'text'
  readonly snippet: string
  readonly ranges: readonly (readonly [start: number, end: number])[]
  /** Unix milliseconds. */
  readonly createdAt: number
}

/** Newest first, at most as many as were asked for; `more` says whether others exist. */
export interface EntrySearchReply {
  readonly hits: readonly EntryHit[]
  readonly more: boolean
  /** Milliseconds the search took. */
  readonly tookMs: number
}
