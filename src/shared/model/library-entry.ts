import type { ItemKind, ItemSummary } from './library.ts'

/** What the Library knows about a kind of entry that is not an item. */
interface OtherKindTraits {
  /** Message key of its name. */
  readonly label: string
  /** Beginning of the address of an entry; the ID follows. Null for those that are opened within their owner. */
  readonly path: `/${string}` | null
  /** Whether it has tags of its own. */
  readonly taggable: boolean
  /** Whether an archive of a selection includes it by its ID; others come with their owner, or with a whole library. */
  readonly exportable: boolean
  /**
   * When the Library lists it: `always` if the user made it; `chosen`, if it is part of a listed item, once its kind is chosen;
   * `provider`, if it is a request or data of a provider, on request. A search finds the first two without being asked.
   */
  readonly listed: 'always' | 'chosen' | 'provider'
}

const own = { taggable: true, exportable: true, listed: 'provider' } as const
const ofProvider = { taggable: true, exportable: false, listed: 'provider' } as const
const ofOwner = { path: null, taggable: false, exportable: false, listed: 'provider' } as const

/**
 * Kinds of entries other than items, in the order of the filters: Playground runs and tasks, remote items, rankings,
 * questions of retrieval runs, lists of the provider: knowledge bases, their documents (`source`) and voices (`listed`),
 * uploads (`upload`), images drawn by an assistant (`picture`), files of a task or response (`file`), highlights
 * on the pages of documents, and notes and summaries of meetings.
 */
export const otherTraits = {
  run: { label: 'library.kind.run', path: '/playground/runs/', ...own },
  task: { label: 'library.kind.task', path: '/playground/tasks/', ...own },
  response: { label: 'library.kind.response', path: '/playground/responses/', ...own },
  slides: {
    label: 'library.kind.slides',
    path: '/playground/slides/',
    ...own,
    listed: 'always',
  },
  ranking: { label: 'library.kind.ranking', path: '/playground/rerank/', ...own },
  embedding: { label: 'library.kind.embedding', path: '/playground/embeddings/', ...own },
  base: {
    label: 'library.kind.base',
    path: '/knowledge/bases/',
    ...ofProvider,
    listed: 'always',
  },
  source: { label: 'library.kind.source', ...ofProvider, path: null },
  upload: { label: 'library.kind.upload', ...ofProvider, path: null },
  question: { label: 'library.kind.question', path: '/knowledge/retrieval/run.', ...ofProvider },
  slices: { label: 'library.kind.slices', path: '/knowledge/slices/', ...ofProvider },
  listed: { label: 'library.kind.listed', path: '/voices/library/', ...ofProvider },
  picture: { label: 'library.kind.picture', ...ofOwner, listed: 'always' },
  file: { label: 'library.kind.file', ...ofOwner },
  highlight: { label: 'library.kind.highlight', ...ofOwner, listed: 'chosen' },
  note: { label: 'library.kind.note', ...ofOwner, listed: 'chosen' },
  summary: { label: 'library.kind.summary', ...ofOwner, listed: 'chosen' },
} as const satisfies Readonly<Record<string, OtherKindTraits>>

/** Kind of an entry that is not an item. */
export type OtherKind = keyof typeof otherTraits

/** All kinds of entries other than items, in the order of the filters. */
export const otherKinds = Object.keys(otherTraits) as readonly OtherKind[]

/** All kinds of entries shown in the Library. */
export type EntryKind = ItemKind | OtherKind

/** Owner of an entry that is opened there. */
export interface EntryOwner {
  readonly kind: 'conversation' | 'meeting' | 'document' | 'base' | 'task' | 'response' | 'slides'
  readonly id: string
  /**
   * Position within it: a message, a document of a base, a highlight, a summary, the `notes` of a meeting; null for the whole owner.
   */
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

/** Sort orders of the Library's list; `kind`: by kind in the order of the filters, newest first. */
export const entryOrders = ['newest', 'oldest', 'title', 'kind'] as const
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
