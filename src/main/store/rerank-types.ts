import type { Failure } from '../../shared/bridge/reply.ts'
import type { RawBody } from '../../shared/model/raw-body.ts'
import type {
  Candidate,
  RankedCandidate,
  Ranking,
  RankingState,
  RankingSummary,
} from '../../shared/model/rerank.ts'
import type { RunReply } from './types.ts'

/** A ranking as it begins. */
export interface NewRanking {
  readonly id: string
  readonly accountId: string
  readonly accountName: string
  readonly title: string
  readonly query: string
  readonly candidates: readonly Candidate[]
  /** Most candidates of one call. */
  readonly batch: number
  readonly rounds: number
  readonly topN: number
  readonly rawScores: boolean
  /** Unix milliseconds. */
  readonly at: number
}

/** What one call was answered with; `scores` name candidates by their place among all. */
export interface AnsweredRound {
  readonly scores: readonly RankedCandidate[]
  readonly requestId: string
  readonly engine: string | null
  readonly notice: string | null
  readonly usage: Ranking['usage']
  readonly reply: RunReply | null
}

/** Rankings (service-notes 5), bin included. */
export interface RerankStore {
  create(ranking: NewRanking): RankingSummary
  summary(id: string): RankingSummary | undefined
  get(id: string): Ranking | undefined
  /** Most candidates of one call, as it was when the ranking began. */
  batch(id: string): number
  /** Newest first; `like`: those that have a candidate's text in common with this one, itself left out. */
  list(query: {
    bin: boolean
    like?: string | undefined
    before?: string | undefined
    limit: number
  }): { readonly rankings: readonly RankingSummary[]; readonly next: string | null }
  /** Ids of what is still said to run, oldest first. */
  unfinished(): readonly string[]
  keepRound(id: string, round: number, answer: AnsweredRound, at: number): RankingSummary
  /** What was answered so far, by round. */
  answers(id: string): ReadonlyMap<number, readonly RankedCandidate[]>
  finish(
    id: string,
    end: {
      readonly state: RankingState
      readonly at: number
      readonly error?: Failure | undefined
      readonly ranked?: readonly RankedCandidate[] | undefined
    },
  ): RankingSummary
  reply(id: string, round: number): RawBody | null
  rename(id: string, title: string, at: number): RankingSummary
  /** To the bin, or out of it (null). */
  bin(ids: readonly string[], at: number | null): readonly RankingSummary[]
  /** Deletes for good what went to the bin before this moment (Unix ms); gives the ids. */
  purge(before: number): readonly string[]
}
