import type { RetrievalHit, RetrievalRow } from '../../../../../shared/model/retrieval.ts'

/** One of two lists that stand beside each other. */
export interface Side {
  readonly title: string
  readonly row: RetrievalRow
  readonly runId: string
  /** Null until it came. */
  readonly found: readonly RetrievalHit[] | null
}
