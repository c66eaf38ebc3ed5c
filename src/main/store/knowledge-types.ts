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
} from '../../shared/model/knowledge.ts'
import type { Fetch } from './fetches.ts'
import type { SliceStore } from './slices-types.ts'

/** What a service says of a base. */
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

/** Bases as they were listed, by account; what a service lists no longer stays, with a mark. Times are Unix ms. */
export interface BaseMirror {
  /** Call before bases are asked for; their answer is kept with it, so that it undoes nothing that happened meanwhile. */
  fetch(): Fetch
  /** Fitting bases in order; those that are gone come last. */
  list(query: {
    readonly accountId: string
    readonly query: string
    readonly order: BaseOrder
    readonly offset: number
    readonly limit: number
  }): { readonly bases: readonly KnowledgeBase[]; readonly total: number }
  get(accountId: string, id: string): KnowledgeBase | undefined
  /** The account a base was listed by, the last one of several. */
  accountOf(id: string): string | undefined
  /** Keeps a list in its order. Where it is `whole`, what is not in it is marked as no longer listed; gives their ids. */
  keepAll(
    accountId: string,
    bases: readonly ListedBase[],
    at: number,
    options?: { readonly whole: boolean; readonly fetch?: Fetch },
  ): readonly string[]
  /** Keeps one; a new one stands first. */
  keep(accountId: string, base: ListedBase, at: number, fetch?: Fetch): KnowledgeBase
  markGone(accountId: string, id: string, why: GoneReason, at: number, fetch?: Fetch): void
  /** With its documents and all that was kept of them. */
  forget(accountId: string, id: string): void
  listedAt(accountId: string): number | null
  capacity(accountId: string): KnowledgeCapacity | null
  keepCapacity(
    accountId: string,
    capacity: { readonly used: KnowledgeAmount; readonly total: KnowledgeAmount },
    at: number,
  ): void
}

/** What a service says of a document. */
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

/** A document whose embedding runs, and how often it was asked for. */
export interface DuePoll {
  readonly accountId: string
  readonly baseId: string
  readonly id: string
  readonly polls: number
  readonly firstSeenAt: number
}

/** Documents of bases as they were listed. */
export interface DocumentMirror {
  /** As {@link BaseMirror.fetch}. */
  fetch(): Fetch
  /** In the service's order; those that are gone come last. */
  list(query: {
    readonly accountId: string
    readonly baseId: string
    readonly query: string
    /** Null: all. */
    readonly state: EmbeddingState | null
    readonly offset: number
    readonly limit: number
  }): { readonly documents: readonly KnowledgeDocument[]; readonly total: number }
  /** How many of a base that are there run, and failed. */
  counts(
    accountId: string,
    baseId: string,
  ): { readonly running: number; readonly failed: number; readonly all: number }
  get(accountId: string, baseId: string, id: string): KnowledgeDocument | undefined
  /** Of a base that are there in this state. */
  inState(accountId: string, baseId: string, state: EmbeddingState): readonly KnowledgeDocument[]
  /** Keeps a list in its order. Where it is `whole`, what is not in it is marked as no longer listed, and the base was listed now. */
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
  /** Those that run and are to be asked for, longest due first. */
  due(at: number, limit: number): readonly DuePoll[]
  /** When the next is due; null when none runs. */
  nextDue(): number | null
  plan(poll: DuePoll, nextPollAt: number): void
  /** Those that run of an account (of all where it is null) are due at a moment, where they were later. */
  wake(accountId: string | null, at: number): void
}

/** Pictures in the slices of documents: as they were listed, and what became of each. Their owner is the document. */
export type ImageMirror = SliceStore['images'] & {
  /** Null when they were never listed. */
  list(
    accountId: string,
    documentId: string,
  ): { readonly images: readonly DocumentImage[]; readonly seenAt: number } | null
  /** Keeps a list; a picture that is here already stays, every other is to be fetched. */
  keep(
    accountId: string,
    documentId: string,
    images: readonly Pick<DocumentImage, 'text' | 'url'>[],
    at: number,
  ): void
}

/** Fields of an upload that change. */
export type UploadPatch = Partial<
  Pick<
    KnowledgeUpload,
    'state' | 'mediaId' | 'documentId' | 'error' | 'attempts' | 'nextTryAt' | 'endedAt'
  >
>

/** What is on its way into bases. */
export interface UploadStore {
  add(uploads: readonly Omit<KnowledgeUpload, 'bytes'>[]): void
  get(id: string): KnowledgeUpload | undefined
  /** Of a base, newest first. */
  ofBase(accountId: string, baseId: string, limit: number): readonly KnowledgeUpload[]
  /** Queued, sent or waiting, oldest first. */
  open(): readonly KnowledgeUpload[]
  /** Those of them whose turn it is now, oldest first. */
  due(now: number, limit: number): readonly KnowledgeUpload[]
  /** How many wait, and when the next of them is due after now (Unix ms). */
  waiting(now: number): { readonly count: number; readonly next: number | null }
  /** What waits of an account may be tried from this moment on. */
  wake(accountId: string, at: number): void
  /** Undefined when it is gone. */
  change(id: string, patch: UploadPatch): KnowledgeUpload | undefined
  remove(ids: readonly string[]): void
  /** Whether one that was taken has this id at the service. */
  hasUploaded(accountId: string, documentId: string): boolean
}

/** What was done with bases. */
export interface KnowledgeLog {
  add(accountId: string, baseId: string, action: KnowledgeAction, at: number): void
  /** Newest first. */
  list(accountId: string, baseId: string, limit: number): readonly KnowledgeEvent[]
}

/** The mirror of knowledge bases. A library of an older schema that may only be looked at has none. */
export interface KnowledgeStore {
  readonly bases: BaseMirror
  readonly documents: DocumentMirror
  readonly images: ImageMirror
  readonly uploads: UploadStore
  readonly log: KnowledgeLog
  /** Conversations outside the bin that look into a base. */
  chatsWith(baseId: string): number
}
