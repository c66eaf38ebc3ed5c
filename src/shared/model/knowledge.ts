import type { Failure } from '../contract/reply.ts'
import type { SliceImage } from './slices.ts'

/**
 * Why an item of the provider exists only locally: it was deleted from here, or the provider no longer lists it.
 */
export type GoneReason = 'deleted' | 'unlisted'

/** When an item of the provider was last seen (Unix ms), and since when it is gone there. */
export interface Seen {
  readonly seenAt: number
  readonly gone: { readonly why: GoneReason; readonly at: number } | null
}

/** A knowledge base as last listed (service-notes 7): a row of the local mirror. Null if not reported. */
export interface KnowledgeBase extends Seen {
  readonly accountId: string
  readonly id: string
  readonly name: string
  readonly description: string
  /** 3, 11 or 12 (`embeddingModels`); another number if a provider has more. */
  readonly embeddingId: number | null
  readonly contextual: boolean
  /** One of `backgrounds`, or another value of the provider. */
  readonly background: string
  /** One of `icons`, or another value of the provider. */
  readonly icon: string
  readonly documents: number | null
  /** After tokenizing (service-notes 7). */
  readonly tokens: number | null
  readonly words: number | null
  /** When it was first seen, Unix ms. */
  readonly firstSeenAt: number
  /** When its documents were last listed, Unix ms; null if never. */
  readonly documentsSeenAt: number | null
  /** Number of local documents whose embedding is running, and failed. */
  readonly running: number
  readonly failed: number
}

/** Words and bytes. */
export interface KnowledgeAmount {
  readonly words: number
  readonly bytes: number
}

/** Storage use of an account's knowledge bases (service-notes 7), and when it was reported (Unix ms). */
export interface KnowledgeCapacity {
  readonly used: KnowledgeAmount
  readonly total: KnowledgeAmount
  readonly seenAt: number
}

/** Sort order of knowledge bases. `service`: the provider's order. */
export type BaseOrder = 'service' | 'name' | 'words' | 'documents' | 'first'

/** Knowledge bases of one account, or of all accounts, from the local mirror. */
export interface KnowledgeBases {
  /** The requested account, or the active one; `listedAt`, `capacity` and `failure` are its. */
  readonly accountId: string
  readonly bases: readonly KnowledgeBase[]
  /** Number that match the search, including those beyond this page. */
  readonly total: number
  /** When the whole list was last fetched, Unix ms; null if never. */
  readonly listedAt: number | null
  readonly capacity: KnowledgeCapacity | null
  /** Why the last fetch failed; null when it did not. */
  readonly failure: Failure | null
  /** Other accounts whose listed knowledge bases could not be fetched. */
  readonly unreachable: readonly { readonly accountId: string; readonly failure: Failure }[]
}

/** Embedding state of a document; `unknown` for any other value of the provider. */
export type EmbeddingState = 'running' | 'done' | 'failed' | 'unknown'

/** Chunking of documents (service-notes 7): always sent. */
export interface Slicing {
  /** 1 headings, 2 questions and answers, 3 rows, 5 custom separators, 6 pages, 7 one chunk. */
  readonly type: 1 | 2 | 3 | 5 | 6 | 7
  /** For type 5. */
  readonly separators: readonly string[]
  /** Characters, 20 to 2000, for type 5. */
  readonly sentenceSize: number
}

/** A document of a knowledge base as last listed: a row of the local mirror. Null if not reported. */
export interface KnowledgeDocument extends Seen {
  readonly accountId: string
  readonly baseId: string
  readonly id: string
  readonly name: string
  readonly url: string | null
  /** Chunking method; see {@link Slicing}. */
  readonly knowledgeType: number | null
  readonly separators: readonly string[]
  readonly sentenceSize: number | null
  readonly tokens: number | null
  readonly words: number | null
  readonly state: EmbeddingState
  /** Why embedding failed: the provider's code (`embeddingCodes`) and message. */
  readonly failure: { readonly code: number | null; readonly message: string } | null
  /** When it was first seen, Unix ms. */
  readonly firstSeenAt: number
}

/** Documents of a knowledge base from the local mirror. */
export interface KnowledgeDocuments {
  readonly documents: readonly KnowledgeDocument[]
  /** Number that match the search, including those beyond this page. */
  readonly total: number
  /** Number of failed ones in the whole knowledge base. */
  readonly failed: number
  readonly running: number
  /** When the whole list was last fetched, Unix ms; null if never. */
  readonly listedAt: number | null
  /** Why the last fetch failed; null when it did not. */
  readonly failure: Failure | null
}

/** An image in the slices of a document, with its placeholder in their texts. */
export interface DocumentImage extends SliceImage {
  readonly text: string
}

/**
 * `queued`; `sending`; `waiting` for the network, the key or a rate limit, continues automatically; `taken`: accepted by the
 * provider, the document has the further state; `refused`: rejected by the provider; `failed`: not sent.
 */
export type UploadState = 'queued' | 'sending' | 'waiting' | 'taken' | 'refused' | 'failed'

/** A file or URL being added to a knowledge base: a row that survives a restart. */
export interface KnowledgeUpload {
  readonly id: string
  readonly accountId: string
  readonly baseId: string
  readonly kind: 'file' | 'url'
  /** The file's name, or the URL. */
  readonly name: string
  /** The saved file; null for a URL. */
  readonly mediaId: string | null
  /** The Library document the text is from; null for anything else. */
  readonly itemId: string | null
  readonly bytes: number | null
  readonly slicing: Slicing
  readonly parseImages: boolean
  /** Maximum number of words for the provider to use; null means all. */
  readonly wordLimit: number | null
  readonly state: UploadState
  /** Its ID at the provider; null until accepted. */
  readonly documentId: string | null
  readonly error: Failure | null
  /** Number of attempts so far. */
  readonly attempts: number
  /** When it is retried automatically, Unix ms. */
  readonly nextTryAt: number | null
  readonly createdAt: number
  readonly endedAt: number | null
}

/** An action on a knowledge base from here, or an observed change. `n`: number of documents. */
export type KnowledgeAction =
  | { readonly what: 'created' | 'deleted' | 'gone' | 'back' }
  | { readonly what: 'edited'; readonly fields: readonly string[] }
  | {
      readonly what: 'added' | 'removed' | 'embedded'
      readonly n: number
      readonly names: readonly string[]
    }

/** An action with its time, Unix ms. */
export interface KnowledgeEvent {
  readonly id: number
  readonly at: number
  readonly deed: KnowledgeAction
}

/** Successes and failures of an action on several documents. */
export interface ManyOutcome {
  readonly done: number
  readonly failures: readonly { readonly id: string; readonly error: Failure }[]
}
