import type { Failure } from '../contract/reply.ts'
import type { ItemKind } from './library.ts'
import type { Run } from './run.ts'

/**
 * Same as for runs: `broken` means that Lectern ended in the meantime. Received results are kept in every state and used when
 * resuming.
 */
export type RankingState = 'running' | 'done' | 'failed' | 'cancelled' | 'broken'

export interface TextSource {
  readonly itemId: string
  readonly kind: ItemKind
  readonly title: string
  /** The block, line, transcript or message; null for the item itself. */
  readonly partId: string | null
  /** Page of a document, from 1. */
  readonly page: number | null
}

/** One text to rank. */
export interface Candidate {
  readonly text: string
  /** Null for text that was typed, pasted or read from a file. */
  readonly source: TextSource | null
}

/** A candidate's score. */
export interface RankedCandidate {
  /** Index among the candidates, from 0. */
  readonly index: number
  /** 0 to 1; raw scores may leave that range. */
  readonly score: number
}

/** One ranking as shown in lists. Times are Unix milliseconds. */
export interface RankingSummary {
  readonly id: string
  readonly title: string
  readonly query: string
  readonly state: RankingState
  readonly accountId: string
  readonly accountName: string
  readonly count: number
  /** 0 means all. */
  readonly topN: number
  readonly rawScores: boolean
  /** Number of requests, and of those answered. */
  readonly rounds: { readonly all: number; readonly answered: number }
  readonly createdAt: number
  readonly updatedAt: number
  /** Null while it is running. */
  readonly endedAt: number | null
  /** Null unless it is in Trash. */
  readonly removedAt: number | null
  readonly error: Failure | null
}

export interface Ranking extends RankingSummary {
  readonly candidates: readonly Candidate[]
  /** Best first, limited to the requested number; empty until it is done. */
  readonly ranked: readonly RankedCandidate[]
  /** Maximum difference between scores of texts that were part of several requests; null for a single request. */
  readonly spread: number | null
  readonly requestIds: readonly string[]
  readonly engine: string | null
  readonly notice: string | null
  readonly usage: Run['usage']
}
