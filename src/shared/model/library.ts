import type { ConversationBrief } from './chat.ts'
import type { DocumentBrief } from './document.ts'
import type { MeetingBrief } from './meeting.ts'
import type { SpeechBrief } from './speech.ts'
import type { FileCategory } from './storage.ts'

/** What the Library knows about a kind of item. Names are in the catalogs, icons in the renderer. */
interface ItemKindTraits {
  /** Message key of its name. */
  readonly label: string
  /** Beginning of the address of an item; the ID follows. */
  readonly path: `/${string}/`
  /** Category of its file. */
  readonly category: FileCategory
  /** Part of its text that a search result leads to. */
  readonly part: 'transcript' | 'block' | 'message' | 'piece' | 'question'
  /** Whether semantic search reads its text. */
  readonly semantic: boolean
}

/** Kinds of items in the Library, in the order of the filters. */
export const itemTraits = {
  conversation: {
    label: 'chatList.kind',
    path: '/chats/',
    category: 'chats',
    part: 'message',
    semantic: true,
  },
  meeting: {
    label: 'meeting.kind',
    path: '/meetings/',
    category: 'recordings',
    part: 'transcript',
    semantic: true,
  },
  document: {
    label: 'document.kind',
    path: '/documents/',
    category: 'documents',
    part: 'block',
    semantic: true,
  },
  voice: {
    label: 'voices.kind',
    path: '/voices/clone/',
    category: 'voices',
    part: 'transcript',
    semantic: false,
  },
  speech: {
    label: 'speech.kind',
    path: '/voices/speak/',
    category: 'voices',
    part: 'piece',
    semantic: true,
  },
  retrieval: {
    label: 'library.kind.retrieval',
    path: '/knowledge/retrieval/',
    category: 'knowledge',
    part: 'question',
    semantic: false,
  },
} as const satisfies Readonly<Record<string, ItemKindTraits>>

export type ItemKind = keyof typeof itemTraits

/** All kinds of items, in the order of the filters. */
export const itemKinds = Object.keys(itemTraits) as readonly ItemKind[]

/** Kinds of items whose lists have folders: each has its own. */
export const folderKinds = ['meeting', 'document', 'conversation', 'voice', 'speech'] as const
/** One of {@link folderKinds}. */
export type FolderKind = (typeof folderKinds)[number]

/** Folder of a list. */
export interface ItemFolder {
  readonly id: string
  readonly kind: FolderKind
  readonly name: string
  /** Number of its items outside Trash. */
  readonly items: number
}

/** What a list of items can be filtered by. */
export interface ListFacets {
  /** Oldest first. */
  readonly folders: readonly ItemFolder[]
  /** Whether any item is starred. */
  readonly starred: boolean
  /** Tags of its items, by name. */
  readonly tags: readonly string[]
}

/** A file stored by content hash. The page accesses it as `/media/<id>`, never by a path. */
export interface Media {
  /** Opaque: 26 characters of base32, from the content's SHA-256. */
  readonly id: string
  /** Lower-case hex SHA-256 of the content. */
  readonly sha256: string
  readonly bytes: number
  /** Detected from the content, never from the name. */
  readonly mime: string
  /** Original file name. */
  readonly name: string
  /** Seconds, for audio. */
  readonly duration: number | null
  /** Unix milliseconds. */
  readonly createdAt: number
}

export interface ItemSummary {
  readonly id: string
  readonly kind: ItemKind
  readonly title: string
  /** First words of the text. */
  readonly excerpt: string
  readonly duration: number | null
  /** Set for meetings. */
  readonly meeting: MeetingBrief | null
  /** Set for documents. */
  readonly document: DocumentBrief | null
  /** Set for chats. */
  readonly conversation: ConversationBrief | null
  /** Set for narrations. */
  readonly speech: SpeechBrief | null
  readonly starred: boolean
  readonly folderId: string | null
  /** In the order they were added. */
  readonly tags: readonly string[]
  /** Unix milliseconds. */
  readonly createdAt: number
  readonly updatedAt: number
  readonly deletedAt: number | null
}

/** Location of a search result. Offsets are UTF-16 units in `snippet`. */
export interface SearchHit {
  readonly itemId: string
  readonly kind: ItemKind
  readonly title: string
  /**
   * Location of the words; `partId` is the ID of the line of a meeting, the block of a document, the message of a chat, the
   * segment of a narration, or the question of a test set.
   */
  readonly field: 'title' | ItemKindTraits['part']
  readonly partId: string | null
  /** Page of the document, from 1; absent for a title and for other kinds. */
  readonly page?: number
  readonly snippet: string
  readonly ranges: readonly (readonly [start: number, end: number])[]
  /** UTF-16 offset of the first match in the whole text, for opening at the match. */
  readonly offset: number
  /** Creation time of the item, or of the message if one was found. */
  readonly createdAt: number
}

/** Newest first, at most `limit`; `more` is whether others exist. */
export interface SearchReply {
  readonly hits: readonly SearchHit[]
  readonly more: boolean
  /** Milliseconds the query took, shown in the footer of the palette. */
  readonly tookMs: number
}
