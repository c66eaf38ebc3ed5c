import type {
  BaseOrder,
  DocumentImage,
  EmbeddingState,
  GoneReason,
  KnowledgeAmount,
  KnowledgeBase,
  KnowledgeCapacity,
  KnowledgeAction,
  KnowledgeDocument,
  KnowledgeEvent,
  KnowledgeUpload,
} from '../../../../shared/model/knowledge.ts'
import type { Fetch } from '../../../mirror/mirror.ts'
import type { SliceStore } from './slices-types.ts'

/** Fields of a knowledge base as listed by a provider. */
export type ListedBase = Pick<
  KnowledgeBase,
  | 'id'
  | 'name'
  | 'description'
  | 'embeddingId'
  | 'contextual'
  | 'background'
  | 'icon'
  | 'documents'
  | 'tokens'
  | 'words'
>

/**
 * Knowledge bases as listed, by account; those a provider no longer lists are kept and marked. Times are Unix ms.
 */
export interface BaseMirror {
  /**
   * Call before requesting knowledge bases. The response is saved with it, so that it overwrites no change made in the
   * meantime.
   */
  fetch(): Fetch
  /** Returns matching knowledge bases in order, removed ones last. */
  list(query: {
    readonly accountId: string
    readonly query: string
    readonly order: BaseOrder
    readonly offset: number
    readonly limit: number
  }): { readonly bases: readonly KnowledgeBase[]; readonly total: number }
  get(accountId: string, id: string): KnowledgeBase | undefined
  /** Returns the account that listed a knowledge base, the most recent one of several. */
  accountOf(id: string): string | undefined
  /**
   * Saves a list in its order. If it is `whole`, entries not in it are marked as no longer listed; returns their IDs.
   */
  keepAll(
    accountId: string,
    bases: readonly ListedBase[],
    at: number,
    options?: { readonly whole: boolean; readonly fetch?: Fetch },
  ): readonly string[]
  /** Saves one; a new one is placed first. */
  keep(accountId: string, base: ListedBase, at: number, fetch?: Fetch): KnowledgeBase
  markGone(accountId: string, id: string, why: GoneReason, at: number, fetch?: Fetch): void
  /** Deletes it with its documents and all data saved for them. */
  forget(accountId: string, id: string): void
  listedAt(accountId: string): number | null
  capacity(accountId: string): KnowledgeCapacity | null
  keepCapacity(
    accountId: string,
    capacity: { readonly used: KnowledgeAmount; readonly total: KnowledgeAmount },
    at: number,
  ): void
}

/** Fields of a document as listed by a provider. */
export type ListedDocument = Pick<
  KnowledgeDocument,
  | 'id'
  | 'name'
  | 'url'
  | 'knowledgeType'
  | 'separators'
  | 'sentenceSize'
  | 'tokens'
  | 'words'
  | 'state'
  | 'failure'
>

/** A document whose embedding is running, and how often it was polled. */
export interface DuePoll {
  readonly accountId: string
  readonly baseId: string
  readonly id: string
  readonly polls: number
  readonly firstSeenAt: number
}

/** Documents of knowledge bases as listed. */
export interface DocumentMirror {
  /** Like {@link BaseMirror.fetch}. */
  fetch(): Fetch
  /** In the provider's order, removed ones last. */
  list(query: {
    readonly accountId: string
    readonly baseId: string
    readonly query: string
    /** Null means all. */
    readonly state: EmbeddingState | null
    readonly offset: number
    readonly limit: number
  }): { readonly documents: readonly KnowledgeDocument[]; readonly total: number }
  /** Returns how many listed documents of a knowledge base are running and failed. */
  counts(
    accountId: string,
    baseId: string,
  ): { readonly running: number; readonly failed: number; readonly all: number }
  get(accountId: string, baseId: string, id: string): KnowledgeDocument | undefined
  /** Returns the listed documents of a knowledge base in this state. */
  inState(accountId: string, baseId: string, state: EmbeddingState): readonly KnowledgeDocument[]
  /**
   * Saves a list in its order. If it is `whole`, entries not in it are marked as no longer listed, and the list time of the
   * knowledge base is updated.
   */
  keepAll(
    accountId: string,
    baseId: string,
    documents: readonly ListedDocument[],
    at: number,
    options: { readonly whole: boolean; readonly fetch?: Fetch },
  ): void
  markGone(
    accountId: string,
    baseId: string,
    ids: readonly string[],
    why: GoneReason,
    at: number,
    fetch?: Fetch,
  ): void
  /** Returns running documents that are due for polling, longest overdue first. */
  due(at: number, limit: number): readonly DuePoll[]
  /** Returns when the next is due; null when none is running. */
  nextDue(): number | null
  plan(poll: DuePoll, nextPollAt: number): void
  /** Makes running documents of an account (null: all accounts) due at this time if they were due later. */
  wake(accountId: string | null, at: number): void
}

/** Images in the slices of documents: as listed, with their download status. Their owner is the document. */
export type ImageMirror = SliceStore['images'] & {
  /** Null when they were never listed. */
  list(
    accountId: string,
    documentId: string,
  ): { readonly images: readonly DocumentImage[]; readonly seenAt: number } | null
  /** Saves a list; existing images stay, all others are to be fetched. */
  keep(
    accountId: string,
    documentId: string,
    images: readonly Pick<DocumentImage, 'text' | 'url'>[],
    at: number,
  ): void
}

/** Changeable fields of an upload. */
export type UploadPatch = Partial<
  Pick<
    KnowledgeUpload,
    'state' | 'mediaId' | 'documentId' | 'error' | 'attempts' | 'nextTryAt' | 'endedAt'
  >
>

/** Uploads into knowledge bases. */
export interface UploadStore {
  add(uploads: readonly Omit<KnowledgeUpload, 'bytes'>[]): void
  get(id: string): KnowledgeUpload | undefined
  /** Uploads of a knowledge base, newest first. */
  ofBase(accountId: string, baseId: string, limit: number): readonly KnowledgeUpload[]
  /** Queued, sent or waiting, oldest first. */
  open(): readonly KnowledgeUpload[]
  /** Returns the accounts with such uploads. */
  accounts(): readonly string[]
  /** Returns the oldest due upload for an account; `exceptGroups` are knowledge bases. */
  next(query: {
    readonly accountId: string
    readonly at: number
    readonly except: readonly string[]
    readonly exceptGroups: readonly string[]
  }): KnowledgeUpload | undefined
  /** Returns how many are waiting, and when the next one is due (Unix ms). */
  waiting(now: number): { readonly count: number; readonly next: number | null }
  /** Allows waiting uploads of an account to be retried from this time on. */
  wake(accountId: string, at: number): void
  /** Undefined when it no longer exists. */
  change(id: string, patch: UploadPatch): KnowledgeUpload | undefined
  remove(ids: readonly string[]): void
  /** Returns whether an accepted upload has this ID at the provider. */
  hasUploaded(accountId: string, documentId: string): boolean
}

/** Log of actions on knowledge bases. */
export interface KnowledgeLog {
  add(accountId: string, baseId: string, action: KnowledgeAction, at: number): void
  /** Newest first. */
  list(accountId: string, baseId: string, limit: number): readonly KnowledgeEvent[]
}

/** The local mirror of knowledge bases. */
export interface KnowledgeStore {
  readonly bases: BaseMirror
  readonly documents: DocumentMirror
  readonly images: ImageMirror
  readonly uploads: UploadStore
  readonly log: KnowledgeLog
  /** Number of chats outside Trash that use a knowledge base. */
  chatsWith(baseId: string): number
}
