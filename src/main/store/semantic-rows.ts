import type { Failure } from '../../shared/bridge/reply.ts'
import {
  meaningKinds,
  type MeaningKind,
  type SemanticChoice,
  type SemanticState,
} from '../../shared/model/semantic.ts'
import { parsed } from './meetings-rows.ts'
import type { IndexRecord } from './semantic.ts'

/** A row of `semantic_indexes` with its space and counts. */
export interface IndexRow {
  readonly id: number
  readonly account_id: string
  readonly account_name: string
  readonly model: SemanticChoice['model']
  readonly kinds: string
  readonly since: number | null
  readonly state: SemanticState
  readonly error: string | null
  readonly engine: string | null
  readonly notice: string | null
  readonly created_at: number
  readonly used_at: number
  readonly space: string
  readonly wire_model: string
  readonly dimensions: number
  readonly done: number
  readonly waiting: number
  readonly failed: number
  readonly chunks: number
}

/** Converts a row to an index record. */
export const readIndex = (row: IndexRow): IndexRecord => ({
  id: row.id,
  accountId: row.account_id,
  accountName: row.account_name,
  model: row.model,
  dimensions: row.dimensions,
  kinds: parsed<readonly MeaningKind[]>(row.kinds) ?? meaningKinds,
  since: row.since,
  space: { space: row.space, model: row.wire_model, dimensions: row.dimensions },
  state: row.state,
  error: parsed<Failure>(row.error),
  engine: row.engine,
  notice: row.notice,
  done: row.done,
  waiting: row.waiting,
  failed: row.failed,
  chunks: row.chunks,
  createdAt: row.created_at,
  usedAt: row.used_at,
})
