import type {
  MeaningKind,
  SemanticChoice,
  SemanticIndex,
  SemanticPlan,
  SemanticReply,
} from '../../../../../shared/model/semantic.ts'
import type { Api } from '../../../../provider-client/api.ts'
import type { Accounts } from '../../../settings/index.ts'
import type { EmbedTexts } from '../../../knowledge/index.ts'
import type { Context } from '../../../../context.ts'

/** Search query and options. */
export interface SemanticQuery {
  readonly query: string
  /** Null: keyword search only. */
  readonly indexId: number | null
  readonly kinds: readonly MeaningKind[] | null
  /** Unix milliseconds; `from` is inclusive, `until` is exclusive; null for no limit. */
  readonly from: number | null
  readonly until: number | null
  /** Only items with this tag. */
  readonly tag: string | null
  readonly limit: number
  /** Account that reranks the results (service-notes 5); null keeps the merged order. */
  readonly rerankBy: string | null
}

/**
 * Semantic search of the Library: embeds items on request and combines semantic and keyword search. Errors are thrown as
 * AppError.
 */
export interface Semantic {
  /** Returns the indexes, most recently used first, with the number of new items. */
  indexes(): Promise<readonly SemanticIndex[]>
  /** Returns what embedding would send, without sending anything. */
  plan(choice: SemanticChoice): Promise<SemanticPlan>
  /**
   * Starts embedding new, changed and rejected items in the background; continues after restarts, outages and missing API
   * keys.
   */
  begin(choice: SemanticChoice): Promise<SemanticIndex>
  /** Resumes with the waiting items. Throws NOT_FOUND. */
  resumeIndex(id: number): Promise<SemanticIndex>
  /** Pauses; received vectors are saved. Throws NOT_FOUND. */
  pause(id: number): Promise<SemanticIndex>
  /** Stops and discards the waiting items; received vectors are saved. Throws NOT_FOUND. */
  stop(id: number): Promise<SemanticIndex>
  /** Removes the index with its vectors. Throws NOT_FOUND. */
  remove(id: number): Promise<void>
  /**
   * Returns merged semantic and keyword results, reranked on request. Errors of the provider are reported in the reply.
   */
  search(query: SemanticQuery, signal?: AbortSignal): Promise<SemanticReply>
  /** Resumes the work of an earlier run. */
  resume(): void
  accountReady(accountId: string): void
  busy(): boolean
  /** Stops everything before all data is erased. */
  stopAll(): Promise<void>
  shutdown(): Promise<void>
}

export interface SemanticDeps extends Pick<
  Context,
  'store' | 'keep' | 'clock' | 'log' | 'mask' | 'after' | 'emit'
> {
  readonly api: Pick<Api, 'rerank'>
  readonly accounts: Pick<Accounts, 'target'>
  readonly texts: EmbedTexts
}
