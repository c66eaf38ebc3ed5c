import type {
  BaseOrder,
  GoneReason,
  KnowledgeAmount,
  KnowledgeBase,
  KnowledgeCapacity,
} from '../../shared/model/knowledge.ts'

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
  /** Fitting bases in order; those that are gone come last. */
  list(query: {
    readonly accountId: string
    readonly query: string
    readonly order: BaseOrder
    readonly offset: number
    readonly limit: number
  }): { readonly bases: readonly KnowledgeBase[]; readonly total: number }
  get(accountId: string, id: string): KnowledgeBase | undefined
  /** Keeps a list in its order. Where it is `whole`, what is not in it is marked as no longer listed. */
  keepAll(
    accountId: string,
    bases: readonly ListedBase[],
    at: number,
    options?: { readonly whole: boolean },
  ): void
  /** Keeps one; a new one stands first. */
  keep(accountId: string, base: ListedBase, at: number): KnowledgeBase
  markGone(accountId: string, id: string, why: GoneReason, at: number): void
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

/** The mirror of knowledge bases. A library of an older schema that may only be looked at has none. */
export interface KnowledgeStore {
  readonly bases: BaseMirror
}
