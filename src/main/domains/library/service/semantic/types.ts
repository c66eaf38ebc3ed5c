import type { MeaningKind } from '../../../../../shared/model/semantic.ts'
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
  /** Only starred items. */
  readonly starred: boolean
  readonly limit: number
  /** Account that reranks the results (service-notes 5); null keeps the merged order. */
  readonly rerankBy: string | null
}

export interface SemanticDeps extends Pick<
  Context,
  'store' | 'workQueue' | 'clock' | 'mask' | 'emit' | 'after' | 'log'
> {
  readonly api: Pick<Api, 'rerank'>
  readonly accounts: Pick<Accounts, 'target'>
  readonly texts: EmbedTexts
  /** False while other work runs, which goes before the automatic index. */
  idle(): boolean
}
