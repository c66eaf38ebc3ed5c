import type { Failure } from '../bridge/reply.ts'
import type { ItemKind, SearchHit } from './library.ts'

/** Kinds whose texts can be found by meaning, in the order filters offer them. */
export const meaningKinds = [
  'conversation',
  'meeting',
  'recording',
  'document',
  'speech',
] as const satisfies readonly ItemKind[]

/** One of {@link meaningKinds}. */
export type MeaningKind = (typeof meaningKinds)[number]

/** Which items are embedded, by whom. */
export interface SemanticChoice {
  readonly accountId: string
  readonly model: 'embedding-3' | 'embedding-2'
  readonly dimensions: number
  readonly kinds: readonly MeaningKind[]
  /** Items from this moment on (Unix ms); null for all. */
  readonly since: number | null
}

/** What embedding them would send. */
export interface SemanticPlan {
  /** Items of the choice that hold text, and of these the new ones and those that changed since they were embedded. */
  readonly items: number
  readonly fresh: number
  readonly changed: number
  /** Texts of the new and changed ones that differ, and those of them whose vectors are kept. */
  readonly texts: number
  readonly cached: number
  /** Of the others: likely tokens, and calls. */
  readonly tokens: number
  readonly calls: number
}

/**
 * `idle`: nothing to do, or not asked to; `running`; `waiting` for the network, a key or the next try, goes on by itself; `paused` by the user;
 * `failed`: needs the user.
 */
export type SemanticState = 'idle' | 'running' | 'waiting' | 'paused' | 'failed'

/** An index of the Library by meaning: one for each service, model and number of dimensions. */
export interface SemanticIndex extends SemanticChoice {
  readonly id: number
  readonly accountName: string
  readonly state: SemanticState
  /** Items that were asked for: embedded, waiting, refused by the service. */
  readonly done: number
  readonly waiting: number
  readonly failed: number
  /** Items of the choice that were not asked for yet, and those that changed since. */
  readonly fresh: number
  readonly changed: number
  /** Texts that can be found. */
  readonly chunks: number
  readonly error: Failure | null
  /** As the replies name it. */
  readonly engine: string | null
  readonly notice: string | null
}

/** Where a hit was found: by its meaning, by its words, or both; places from 1. */
export interface HitRanks {
  readonly meaning: number | null
  readonly words: number | null
  /** Before and after the reranking; null when it was not reranked. */
  readonly fused: number
  readonly reranked: number | null
}

/** A hit of the search by meaning. It opens as a hit of the search by words does. */
export interface SemanticHit extends SearchHit {
  readonly ranks: HitRanks
  /** What is lit where it opens: the question, or a phrase of the passage. */
  readonly lit: string
  /** Cosine of the question and the text, -1 to 1; null where only words found it. */
  readonly cosine: number | null
  /** Relevance as the reranking scored it. */
  readonly relevance: number | null
}

/** What a search by meaning found. */
export interface SemanticReply {
  readonly hits: readonly SemanticHit[]
  /**
   * The cosine of the nearest passage where none comes near the question by its meaning: hits by meaning are then the nearest few all the same.
   * Null where some are near, or none was looked for.
   */
  readonly closest: number | null
  /** Milliseconds of each step; null for those that were not taken. */
  readonly timings: {
    readonly embed: number | null
    readonly meaning: number | null
    readonly words: number
    readonly rerank: number | null
  }
  /** Why there are hits by words alone, or in the order before reranking: what the service said. */
  readonly meaningError: Failure | null
  readonly rerankError: Failure | null
  readonly engine: string | null
  readonly notice: string | null
  readonly rerankEngine: string | null
  readonly rerankNotice: string | null
}
