import type { Failure } from '../bridge/reply.ts'
import type { TextSource } from './rerank.ts'
import type { Run } from './run.ts'

/** The models of service-notes 15. */
export type EmbeddingModelName = 'embedding-3' | 'embedding-2'

/**
 * `waiting`: for the network, or for what its account needs; it goes on by itself. What came is kept in every state, and going on
 * sends only what is missing.
 */
export type EmbeddingState = 'running' | 'waiting' | 'done' | 'failed' | 'cancelled'

/** A text with where it came from, as it stands in a file of texts: one JSON object a line. */
export interface EmbeddingText {
  readonly text: string
  /** Null or absent for what was typed, pasted or read from a file. */
  readonly source?: TextSource | null
}

/** A model with the dimensions its vectors are to have. */
export interface EmbeddingChoice {
  readonly model: EmbeddingModelName
  readonly dimensions: number
}

/** The vectors of one choice. Counts are of texts that differ. */
export interface EmbeddingSet extends EmbeddingChoice {
  readonly state: 'waiting' | 'running' | 'done' | 'partial'
  /** Texts that have a vector, of how many. */
  readonly done: number
  readonly of: number
  /** Of `done`, those that came out of this computer's cache the last time; the others were sent. */
  readonly cached: number
  readonly calls: number
  readonly usage: Run['usage']
  readonly engine: string | null
  readonly notice: string | null
  /**
   * The vectors, one of each text in the order of the texts: 32-bit floats, little-endian, without a head. A text without a vector
   * has NaN for every number. Where these are not as the reply has them, all of them follow as 64-bit floats. Null until the first end.
   */
  readonly mediaId: string | null
}

/** Texts with their vectors, as lists show them. Times are Unix milliseconds. */
export interface EmbeddingRun {
  readonly id: string
  readonly title: string
  readonly state: EmbeddingState
  readonly accountId: string
  readonly accountName: string
  /** Texts. */
  readonly count: number
  /** The texts, a file of {@link EmbeddingText}. */
  readonly textsMediaId: string
  readonly sets: readonly EmbeddingSet[]
  readonly createdAt: number
  readonly updatedAt: number
  /** Null while it runs or waits. */
  readonly endedAt: number | null
  /** Null unless it lies in the bin. */
  readonly removedAt: number | null
  readonly error: Failure | null
}

/** What one choice would cost. */
export interface EmbeddingCost extends EmbeddingChoice {
  /** Texts that differ, and those of them that the cache has. */
  readonly distinct: number
  readonly cached: number
  /** Likely tokens of the others, and the calls they take. */
  readonly tokens: number
  readonly calls: number
  /** Places (from 0) of the first texts that the service would refuse, and how many there are. */
  readonly tooLong: readonly number[]
  readonly refused: number
}
