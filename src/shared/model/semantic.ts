import type { Failure } from '../contract/reply.ts'
import { localAccountId } from '../provider/profiles.ts'
import { itemKinds, itemTraits, type ItemKind, type SearchHit } from './library.ts'

/** Kind with texts for semantic search. */
export type MeaningKind = {
  [Kind in ItemKind]: (typeof itemTraits)[Kind]['semantic'] extends true ? Kind : never
}[ItemKind]

/** All kinds with texts for semantic search, in the order of the filters. */
export const meaningKinds = itemKinds.filter(
  (kind): kind is MeaningKind => itemTraits[kind].semantic,
)

/** Items to embed, and the model. */
export interface SemanticChoice {
  readonly accountId: string
  readonly model: 'embedding-3' | 'embedding-2'
  readonly dimensions: number
  readonly kinds: readonly MeaningKind[]
  /** Items from this time on (Unix ms); null for all. */
  readonly since: number | null
}

/** The index that is kept up to date without being asked: its model runs on this computer, so that nothing is sent for it. */
export const automaticIndex = {
  accountId: localAccountId,
  model: 'embedding-3',
  // Those of the model: others would be projected from them.
  dimensions: 512,
} as const

/** Number of chunks from which on the automatic index takes no more: their vectors take 125 MB. */
export const maxAutomaticChunks = 50_000

/** Whether an index is {@link automaticIndex}. */
export const isAutomatic = (
  index: Pick<SemanticChoice, 'accountId' | 'model' | 'dimensions'>,
): boolean =>
  index.accountId === automaticIndex.accountId &&
  index.model === automaticIndex.model &&
  index.dimensions === automaticIndex.dimensions

/** Preview of the embedding requests. */
export interface SemanticPlan {
  /** Number of items in the choice with text, and of those that are new or changed since they were embedded. */
  readonly items: number
  readonly fresh: number
  readonly changed: number
  /** Number of distinct texts in the new and changed ones, and of those with saved vectors. */
  readonly texts: number
  readonly cached: number
  /** Estimated tokens and requests of the others. */
  readonly tokens: number
  readonly calls: number
}

/**
 * `idle`: nothing to do, or not requested; `running`; `waiting` for the network, a key or the next attempt, continues
 * automatically; `paused` by the user; `failed`: needs the user.
 */
export type SemanticState = 'idle' | 'running' | 'waiting' | 'paused' | 'failed'

/** A semantic index of the Library: one for each provider, model and number of dimensions. */
export interface SemanticIndex extends SemanticChoice {
  readonly id: number
  readonly accountName: string
  readonly state: SemanticState
  /** Requested items: embedded, waiting, rejected by the provider. */
  readonly done: number
  readonly waiting: number
  readonly failed: number
  /** Number of items in the choice not requested yet, and of those changed since. */
  readonly fresh: number
  readonly changed: number
  /** Number of searchable texts. */
  readonly chunks: number
  readonly error: Failure | null
  /** Name in the responses. */
  readonly engine: string | null
  readonly notice: string | null
}

/** Ranks of a result in the semantic and the keyword search; from 1. */
interface HitRanks {
  readonly meaning: number | null
  readonly words: number | null
  /** Ranks before and after reranking; null without reranking. */
  readonly fused: number
  readonly reranked: number | null
}

/** A semantic search result. It opens like a keyword search result. */
export interface SemanticHit extends SearchHit {
  readonly ranks: HitRanks
  /** Text highlighted when it opens: the question, or a phrase of the passage. */
  readonly lit: string
  /** Cosine similarity of the question and the text, -1 to 1; null if only found by keyword. */
  readonly cosine: number | null
  /** Relevance score of the reranking. */
  readonly relevance: number | null
}

export interface SemanticReply {
  readonly hits: readonly SemanticHit[]
  /**
   * Cosine similarity of the nearest passage when none is similar to the question; the semantic results are then the nearest
   * few anyway. Null when some are similar, or there was no semantic search.
   */
  readonly closest: number | null
  /** Milliseconds of each step; null for skipped ones. */
  readonly timings: {
    readonly embed: number | null
    readonly meaning: number | null
    readonly words: number
    readonly rerank: number | null
  }
  /** Why there are only keyword results, or results without reranking: the provider's error. */
  readonly meaningError: Failure | null
  readonly rerankError: Failure | null
  readonly engine: string | null
  readonly notice: string | null
  readonly rerankEngine: string | null
  readonly rerankNotice: string | null
}
