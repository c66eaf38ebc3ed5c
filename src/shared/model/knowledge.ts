import type { Failure } from '../bridge/reply.ts'
import type { SliceImage } from './slices.ts'

/** Why something of the service is only kept here: it was deleted from here, or the service lists it no longer. */
export type GoneReason = 'deleted' | 'unlisted'

/** When something of the service was seen last (Unix ms), and since when it is gone there. */
export interface Seen {
  readonly seenAt: number
  readonly gone: { readonly why: GoneReason; readonly at: number } | null
}

/** A knowledge base as it was listed last (service-notes 7): a row of the mirror. Null where the service did not say. */
export interface KnowledgeBase extends Seen {
  readonly accountId: string
  readonly id: string
  readonly name: string
  readonly description: string
  /** 3, 11 or 12 (`embeddingModels`); another number where a service has more. */
  readonly embeddingId: number | null
  readonly contextual: boolean
  /** One of `backgrounds`, or a word of the service's own. */
  readonly background: string
  /** One of `icons`, or a word of the service's own. */
  readonly icon: string
  readonly documents: number | null
  /** After tokenising (service-notes 7). */
  readonly tokens: number | null
  readonly words: number | null
  /** When it was seen first, Unix ms. */
  readonly firstSeenAt: number
  /** When its documents were listed last, Unix ms; null when never. */
  readonly documentsSeenAt: number | null
  /** Documents kept here whose embedding runs, and failed. */
  readonly running: number
  readonly failed: number
}

/** Words and bytes. */
export interface KnowledgeAmount {
  readonly words: number
  readonly bytes: number
}

/** How full the bases of an account are (service-notes 7), and when it was told (Unix ms). */
export interface KnowledgeCapacity {
  readonly used: KnowledgeAmount
  readonly total: KnowledgeAmount
  readonly seenAt: number
}

/** How the bases are ordered. `service`: as the service lists them. */
export type BaseOrder = 'service' | 'name' | 'words' | 'documents' | 'first'

/** Bases of one account out of the mirror. */
export interface KnowledgeBases {
  readonly accountId: string
  readonly bases: readonly KnowledgeBase[]
  /** That fit the search, also beyond this page. */
  readonly total: number
  /** When the whole list was fetched last, Unix ms; null when never. */
  readonly listedAt: number | null
  readonly capacity: KnowledgeCapacity | null
  /** Why the last fetch failed; null when it did not. */
  readonly failure: Failure | null
}

/** How far the embedding of a document is; `unknown` where the service said something else. */
export type EmbeddingState = 'running' | 'done' | 'failed' | 'unknown'

/** How documents are cut (service-notes 7): always sent. */
export interface Slicing {
  /** 1 headings, 2 questions and answers, 3 rows, 5 own separators, 6 pages, 7 one piece. */
  readonly type: 1 | 2 | 3 | 5 | 6 | 7
  /** For type 5. */
  readonly separators: readonly string[]
  /** Characters, 20 to 2000, for type 5. */
  readonly sentenceSize: number
}

/** A document of a base as it was listed last: a row of the mirror. Null where the service did not say. */
export interface KnowledgeDocument extends Seen {
  readonly accountId: string
  readonly baseId: string
  readonly id: string
  readonly name: string
  readonly url: string | null
  /** How it was cut; see {@link Slicing}. */
  readonly knowledgeType: number | null
  readonly separators: readonly string[]
  readonly sentenceSize: number | null
  readonly tokens: number | null
  readonly words: number | null
  readonly state: EmbeddingState
  /** Why embedding failed: the service's code (`embeddingCodes`) and words. */
  readonly failure: { readonly code: number | null; readonly message: string } | null
  /** When it was seen first, Unix ms. */
  readonly firstSeenAt: number
}

/** Documents of a base out of the mirror. */
export interface KnowledgeDocuments {
  readonly documents: readonly KnowledgeDocument[]
  /** That fit the search, also beyond this page. */
  readonly total: number
  /** That failed among all of the base. */
  readonly failed: number
  readonly running: number
  /** When the whole list was fetched last, Unix ms; null when never. */
  readonly listedAt: number | null
  /** Why the last fetch failed; null when it did not. */
  readonly failure: Failure | null
}

/** A picture in the slices of a document, with what stands for it in their texts. */
export interface DocumentImage extends SliceImage {
  readonly text: string
}

/**
 * `queued`: its turn comes; `sending`; `waiting` for the network, the key or the service's patience, goes on by itself; `taken`: the
 * service has it, the document says how far it is; `refused`: the service did not take it; `failed`: it was not sent.
 */
export type UploadState = 'queued' | 'sending' | 'waiting' | 'taken' | 'refused' | 'failed'

/** A file or an address on its way into a base: a row that outlives the app. */
export interface KnowledgeUpload {
  readonly id: string
  readonly accountId: string
  readonly baseId: string
  readonly kind: 'file' | 'url'
  /** The file's name, or the address. */
  readonly name: string
  /** The kept file; null for an address. */
  readonly mediaId: string | null
  /** The document of the Library whose text it is; null for anything else. */
  readonly itemId: string | null
  readonly bytes: number | null
  readonly slicing: Slicing
  readonly parseImages: boolean
  /** Most words the service is to take of it; null: as many as it has. */
  readonly wordLimit: number | null
  readonly state: UploadState
  /** Its id at the service; null until it was taken. */
  readonly documentId: string | null
  readonly error: Failure | null
  /** Sendings so far. */
  readonly attempts: number
  /** When it is tried again by itself, Unix ms. */
  readonly nextTryAt: number | null
  readonly createdAt: number
  readonly endedAt: number | null
}

/** What was done with a base from here, or seen of it. `n`: how many documents. */
export type KnowledgeAction =
  | { readonly what: 'created' | 'deleted' | 'gone' | 'back' }
  | { readonly what: 'edited'; readonly fields: readonly string[] }
  | {
      readonly what: 'added' | 'removed' | 'embedded'
      readonly n: number
      readonly names: readonly string[]
    }

/** A deed with its moment, Unix ms. */
export interface KnowledgeEvent {
  readonly id: number
  readonly at: number
  readonly deed: KnowledgeAction
}

/** What went well and what did not, of a deed on several documents. */
export interface ManyOutcome {
  readonly done: number
  readonly failures: readonly { readonly id: string; readonly error: Failure }[]
}
