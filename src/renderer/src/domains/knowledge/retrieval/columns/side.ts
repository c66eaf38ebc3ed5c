import type { RetrievalHit, RetrievalRow } from '../../../../../../shared/model/retrieval.ts'

/** One of two lists that are shown side by side. */
export interface Side {
  readonly title: string
  readonly row: RetrievalRow
  readonly runId: string
  /** Null until it is received. */
  readonly found: readonly RetrievalHit[] | null
}
