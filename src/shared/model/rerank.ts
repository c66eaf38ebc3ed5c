import type { Failure } from '../bridge/reply.ts'
import type { ItemKind } from './library.ts'
import type { Run } from './run.ts'

/** As of runs: `broken` means that Lectern ended meanwhile; what came is kept in every state, and gone on with. */
export type RankingState = 'running' | 'done' | 'failed' | 'cancelled' | 'broken'

/** Where in the Library a text was taken from. */
export interface TextSource {
  readonly itemId: string
  readonly kind: ItemKind
  readonly title: string
  /** The block, line, transcript or message; null for the item itself. */
  readonly partId: string | null
  /** Of a document, from 1. */
  readonly page: number | null
}

/** One text to be ranked. */
export interface Candidate {
  readonly text: string
  /** Null for what was typed, pasted or read from a file. */
  readonly source: TextSource | null
}

/** A candidate's score. */
export interface RankedCandidate {
  /** Place among the candidates, from 0. */
  readonly index: number
  /** 0 to 1; raw scores may leave that range. */
  readonly score: number
}

/** One ranking as lists show it. Times are Unix milliseconds. */
export interface RankingSummary {
  readonly id: string
  readonly title: string
  readonly query: string
  readonly state: RankingState
  readonly accountId: string
  readonly accountName: string
  /** Candidates. */
  readonly count: number
  /** 0: all. */
  readonly topN: number
  readonly rawScores: boolean
  /** Calls it takes, and those that were answered. */
  readonly rounds: { readonly all: number; readonly answered: number }
  readonly createdAt: number
  readonly updatedAt: number
  /** Null while it runs. */
  readonly endedAt: number | null
  /** Null unless it lies in the bin. */
  readonly removedAt: number | null
  readonly error: Failure | null
}

/** A ranking with its candidates and what came of them. */
export interface Ranking extends RankingSummary {
  readonly candidates: readonly Candidate[]
  /** Best first, cut to the wanted number; empty until it is done. */
  readonly ranked: readonly RankedCandidate[]
  /** How far scores of texts that went along in several calls lie apart at most; null where it was one call. */
  readonly spread: number | null
  readonly requestIds: readonly string[]
  readonly engine: string | null
  readonly notice: string | null
  readonly usage: Run['usage']
}
