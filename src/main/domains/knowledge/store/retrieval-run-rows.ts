import type { Failure } from '../../../../shared/contract/reply.ts'
import type {
  HitIdentity,
  RetrievalHit,
  RetrievalRow,
  RetrievalRowState,
  RetrievalRun,
  RetrievalRunState,
  RetrievalSettings,
} from '../../../../shared/model/retrieval.ts'
import { parsed } from '../../../platform/database/json-column.ts'
import type { RankedRow } from './retrieval-types.ts'

/** A row of `retrieval_runs`. */
export interface RunRow {
  readonly seq: number
  readonly id: string
  readonly set_id: string | null
  readonly title: string
  readonly question: string
  readonly account_id: string
  readonly account_name: string
  readonly settings: string
  readonly state: RetrievalRunState
  readonly total: number
  readonly done: number
  readonly failed: number
  readonly waiting: number
  readonly created_at: number
  readonly ended_at: number | null
}

/** A row of `retrieval_rows`. */
export interface QuestionRow {
  readonly place: number
  readonly question_id: string | null
  readonly question: string
  readonly rerank: number
  readonly state: RetrievalRowState
  readonly attempts: number
  readonly error: string | null
  readonly took_ms: number | null
  readonly tokens: number | null
  readonly request_id: string | null
  readonly engine: string | null
  readonly notice: string | null
  readonly ended_at: number | null
  readonly ranked: string | null
}

/** Selects runs with the ID of their test set. */
export const selectRuns =
  'SELECT r.*, (SELECT id FROM items WHERE seq = r.item_seq) AS set_id FROM retrieval_runs r'
/** Selects rows with the ID of their question, which is missing when it is in no test set any more. */
export const selectRows = `SELECT w.*, q.id AS question_id FROM retrieval_rows w
  JOIN retrieval_runs r ON r.seq = w.run_seq LEFT JOIN retrieval_questions q ON q.seq = w.question_seq`

/** Converts a row to a run. */
export const toRun = (row: RunRow): RetrievalRun => ({
  id: row.id,
  setId: row.set_id,
  title: row.title,
  question: row.question,
  accountId: row.account_id,
  accountName: row.account_name,
  settings: JSON.parse(row.settings) as RetrievalSettings,
  state: row.state,
  total: row.total,
  done: row.done,
  failed: row.failed,
  waiting: row.waiting,
  createdAt: row.created_at,
  endedAt: row.ended_at,
})

/** A result as stored in short rows. */
type Ranked = readonly [sliceId: string, textKey: string]

/** Returns the results of a row in short form. */
export const rankedText = (hits: readonly RetrievalHit[]): string =>
  JSON.stringify(hits.map(({ sliceId, textKey }): Ranked => [sliceId, textKey]))

const identities = (text: string | null): readonly HitIdentity[] | null =>
  parsed<readonly Ranked[]>(text)?.map(([sliceId, textKey]) => ({ sliceId, textKey })) ?? null

/** Converts a database row to a retrieval row. */
export const toRow = (row: QuestionRow): RetrievalRow => ({
  at: row.place,
  questionId: row.question_id,
  question: row.question,
  rerank: row.rerank === 1,
  state: row.state,
  attempts: row.attempts,
  error: parsed<Failure>(row.error),
  tookMs: row.took_ms,
  tokens: row.tokens,
  requestId: row.request_id,
  engine: row.engine,
  notice: row.notice,
  endedAt: row.ended_at,
  hits: identities(row.ranked)?.length ?? null,
})

/** Converts a row for comparison. */
export const toRanked = (row: QuestionRow): RankedRow => ({
  at: row.place,
  questionId: row.question_id,
  question: row.question,
  rerank: row.rerank === 1,
  tookMs: row.took_ms,
  hits: row.state === 'done' ? identities(row.ranked) : null,
})
