import type { Candidate, Ranking, RankingSummary } from '../../../../../shared/model/rerank.ts'
import type { RawBody } from '../../../../../shared/model/raw-body.ts'
import type { Api } from '../../../../provider-client/api.ts'
import type { Context } from '../../../../context.ts'
import type { Clock, Ids, Log } from '../../../../deps.ts'
import type { MediaFiles } from '../../../../platform/files/files.ts'
import type { RerankStore } from '../../store/rerank-store-types.ts'
import type { Store } from '../../../../library-database/store.ts'
import type { Accounts } from '../../../settings/index.ts'
import type { RetryingWrite } from '../../../../platform/database/unsaved.ts'
import type { RankingFormat } from '../../exports/rerank-export.ts'

/** Input of a ranking. */
export interface RankingRequest {
  readonly query: string
  readonly candidates: readonly Candidate[]
  readonly topN: number
  readonly rawScores: boolean
  readonly accountId?: string | undefined
  readonly title?: string | undefined
}

/** Rankings (service-notes 5): a row from the start, requested in as many rounds as the candidate limit requires. */
export interface Rerank {
  /** Throws LIMIT_EXCEEDED with the field, limit and value, and `item` (from 0) for a candidate; BAD_REQUEST for empty input. */
  start(request: RankingRequest): RankingSummary
  /** Requests the missing rounds. Throws REFUSED while it is running or if it is done. */
  resumeRanking(id: string): RankingSummary
  cancel(id: string): Promise<RankingSummary>
  get(id: string): Ranking
  list: RerankStore['list']
  raw(id: string, round: number): RawBody | null
  rename(id: string, title: string): RankingSummary
  remove(ids: readonly string[]): Promise<void>
  restore(ids: readonly string[]): void
  find(
    query: string,
    limit: number,
  ): Promise<{ readonly passages: readonly Candidate[]; readonly more: boolean }>
  export(
    id: string,
    format: RankingFormat,
    language: 'en' | 'zh',
  ): Promise<{ readonly mediaId: string; readonly name: string }>
  /** Marks rankings left by an earlier process as interrupted, and deletes old removed ones. */
  resume(): void
  busy(): boolean
  shutdown(): Promise<void>
  /** Stops everything permanently, before all data is erased. */
  stopAll(): Promise<void>
}

/** Dependencies of rankings. */
export interface RerankDeps extends Pick<Context, 'emit'> {
  readonly store: Store
  readonly files: Pick<MediaFiles, 'intake'>
  readonly api: Pick<Api, 'rerank'>
  readonly accounts: Pick<Accounts, 'target'>
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  readonly keep: RetryingWrite
  mask(text: string): string
  activeAccountId(): string
}
