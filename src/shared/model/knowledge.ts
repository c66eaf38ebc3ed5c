import type { Failure } from '../bridge/reply.ts'

/** Why something of the service is only kept here: it was deleted from here, or the service lists it no longer. */
export type GoneReason = 'deleted' | 'unlisted'

/** When something of the service was seen last (Unix ms), and since when it is gone there. */
export interface Seen {
  readonly seenAt: number
  readonly gone: { readonly why: GoneReason; readonly at: number } | null
}

/** A knowledge base as it was listed last (spec 2.3): a row of the mirror. Null where the service did not say. */
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

/** How full the bases of an account are (spec 4.10), and when it was told (Unix ms). */
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
