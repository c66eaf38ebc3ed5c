import type { Failure } from '../../../../shared/contract/reply.ts'
import type { RawBody } from '../../../../shared/model/raw-body.ts'
import type {
  Candidate,
  RankedCandidate,
  Ranking,
  RankingState,
  RankingSummary,
} from '../../../../shared/model/rerank.ts'
import type { RunReply } from '../../../library-database/types.ts'

/** A new ranking. */
interface NewRanking {
  readonly id: string
  readonly accountId: string
  readonly accountName: string
  readonly title: string
  readonly query: string
  readonly candidates: readonly Candidate[]
  /** Maximum number of candidates in one request. */
  readonly batch: number
  readonly rounds: number
  readonly topN: number
  readonly rawScores: boolean
  /** Unix milliseconds. */
  readonly at: number
}

/** Response to one request; `scores` refer to candidates by their index among all. */
interface AnsweredRound {
  readonly scores: readonly RankedCandidate[]
  readonly requestId: string
  readonly engine: string | null
  readonly notice: string | null
  readonly usage: Ranking['usage']
  readonly reply: RunReply | null
}

/** Rankings (service-notes 5), including those in Trash. */
export interface RerankStore {
  create(ranking: NewRanking): RankingSummary
  summary(id: string): RankingSummary | undefined
  get(id: string): Ranking | undefined
  /** Maximum number of candidates in one request when the ranking was created. */
  batch(id: string): number
  /** Newest first; `like`: those that share a candidate's text with this one, which is excluded. */
  list(query: {
    bin: boolean
    like?: string | undefined
    before?: string | undefined
    limit: number
  }): { readonly rankings: readonly RankingSummary[]; readonly next: string | null }
  /** IDs of rankings still marked as running, oldest first. */
  unfinished(): readonly string[]
  keepRound(id: string, round: number, answer: AnsweredRound, at: number): RankingSummary
  /** Returns the responses so far by round. */
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
  /** Moves rankings to Trash, or restores them (null). */
  bin(ids: readonly string[], at: number | null): readonly RankingSummary[]
  /** Permanently deletes rankings moved to Trash before this time (Unix ms); returns their IDs. */
  purge(before: number): readonly string[]
}
