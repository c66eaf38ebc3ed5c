import type { ItemKind, ItemSummary } from './library.ts'

/**
 * Entries other than items: Playground runs and tasks, remote items, rankings, files of a task or response (`file`), images
 * drawn by an assistant (`picture`), questions of retrieval runs, lists of the provider: knowledge bases, their documents
 * (`source`) and voices (`listed`), and uploads (`upload`).
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

/** All kinds of entries shown in the Library. */
export type EntryKind = ItemKind | OtherKind

/** Owner of an entry that is opened there. */
export interface EntryOwner {
  readonly kind: 'conversation' | 'base' | 'task' | 'response' | 'slides'
  readonly id: string
  /** Position within it: a message, a document; null for the whole owner. */
  readonly at: string | null
}

/** A row of the Library: anything received or created. */
export interface LibraryEntry {
  /** ID of the entry; unique within its kind. */
  readonly id: string
  readonly kind: EntryKind
  readonly title: string
  /** Its account; empty for items, which belong to the user. */
  readonly account: string
  /** Its state (`done`, `failed`, ...); null for items, whose summary contains it. */
  readonly state: string | null
  readonly tags: readonly string[]
  /** Set for entries that are opened within another one. */
  readonly owner: EntryOwner | null
  /** Set for items. */
  readonly item: ItemSummary | null
  /** Unix milliseconds. */
  readonly createdAt: number
}

/** Sort orders of the Library's list. */
export const entryOrders = ['newest', 'oldest', 'title'] as const
/** One of {@link entryOrders}. */
export type EntryOrder = (typeof entryOrders)[number]

/** A match in an entry that is not an item: its title, or its content. */
export interface EntryHit {
  readonly id: string
  readonly kind: OtherKind
  readonly title: string
  readonly account: string
  /** Set for entries that are opened within another one. */
  readonly owner: EntryOwner | null
  readonly field: 'title' | 'text'
  readonly snippet: string
  readonly ranges: readonly (readonly [start: number, end: number])[]
  /** Unix milliseconds. */
  readonly createdAt: number
}

/** Newest first, up to the requested number; `more` is whether others exist. */
export interface EntrySearchReply {
  readonly hits: readonly EntryHit[]
  readonly more: boolean
  /** Milliseconds the search took. */
  readonly tookMs: number
}
