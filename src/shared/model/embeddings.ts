import type { Failure } from '../contract/reply.ts'
import type { TextSource } from './rerank.ts'
import type { Run } from './run.ts'

/** Maximum number of texts in a run. */
export const maxTexts = 20_000

/** The models of service-notes 15. */
export type EmbeddingModelName = 'embedding-3' | 'embedding-2'

/**
 * `waiting`: for the network, or for a requirement of its account; it continues automatically. Received vectors are kept in
 * every state, and resuming sends only the missing texts.
 */
export type EmbeddingState = 'running' | 'waiting' | 'done' | 'failed' | 'cancelled'

/** A text with its source, as stored in a file of texts: one JSON object per line. */
export interface EmbeddingText {
  readonly text: string
  /** Null or absent for text that was typed, pasted or read from a file. */
  readonly source?: TextSource | null
}

/** A model with the number of dimensions of its vectors. */
export interface EmbeddingChoice {
  readonly model: EmbeddingModelName
  readonly dimensions: number
}

/** The vectors of one choice. Counts refer to distinct texts. */
export interface EmbeddingSet extends EmbeddingChoice {
  readonly state: 'waiting' | 'running' | 'done' | 'partial'
  /** Number of texts with a vector, and in total. */
  readonly done: number
  readonly of: number
  /** Number of `done` texts that were found in the local cache the last time; the others were sent. */
  readonly cached: number
  readonly calls: number
  readonly usage: Run['usage']
  readonly engine: string | null
  readonly notice: string | null
  /**
   * The vectors, one per text in the order of the texts: 32-bit floats, little-endian, without a header. A text without a
   * vector has NaN for every number. If these differ from the response, all vectors follow as 64-bit floats. Null until the
   * first end.
   */
  readonly mediaId: string | null
}

/** Texts with their vectors, as shown in lists. Times are Unix milliseconds. */
export interface EmbeddingRun {
  readonly id: string
  readonly title: string
  readonly state: EmbeddingState
  readonly accountId: string
  readonly accountName: string
  readonly count: number
  /** The texts, a file of {@link EmbeddingText}. */
  readonly textsMediaId: string
  readonly sets: readonly EmbeddingSet[]
  readonly createdAt: number
  readonly updatedAt: number
  /** Null while it is running or waiting. */
  readonly endedAt: number | null
  /** Null unless it is in Trash. */
  readonly removedAt: number | null
  readonly error: Failure | null
}

/** Estimated cost of one choice. */
export interface EmbeddingCost extends EmbeddingChoice {
  /** Number of distinct texts, and of those in the cache. */
  readonly distinct: number
  readonly cached: number
  /** Estimated tokens of the others, and the requests they need. */
  readonly tokens: number
  readonly calls: number
  /** Indexes (from 0) of the first texts that the provider would reject, and their total number. */
  readonly tooLong: readonly number[]
  readonly refused: number
}
