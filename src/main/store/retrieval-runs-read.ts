import type { RawBody } from '../../shared/model/raw-body.ts'
import type { RetrievalHit } from '../../shared/model/retrieval.ts'
import type { Connection } from './connection.ts'
import { likePattern } from './knowledge-like-patterns.ts'
import { hasComeSql } from './due.ts'
import { selectRows, selectRuns, toRanked, toRow, toRun } from './retrieval-run-rows.ts'
import type { QuestionRow, RunRow } from './retrieval-run-rows.ts'
import type { RetrievalRunStore } from './retrieval-types.ts'

/** Maximum number of rows of a run in one read. */
const allRows = 1_000_000

/** Read methods for runs. */
export function retrievalRunReads(
  connection: Connection,
): Pick<
  RetrievalRunStore,
  'get' | 'list' | 'open' | 'unfinished' | 'rows' | 'row' | 'raw' | 'ranked' | 'next' | 'nextTryAt'
> {
  const row = (id: string): RunRow | undefined =>
    connection.get<RunRow>(`${selectRuns} WHERE r.id = ?`, id)
  return {
    get(id) {
      const found = connection.get<RunRow>(
        `${selectRuns} WHERE r.id = ? AND r.removed_at IS NULL`,
        id,
      )
      return found && toRun(found)
    },
    list({ setId, query = '', before, limit }) {
      const last = before === undefined ? undefined : row(before)
      const like = likePattern(query)
      const fits = like.map(() => `AND (r.title || char(10) || r.question) LIKE ? ESCAPE '\\'`)
      const rows = connection.all<RunRow>(
        `${selectRuns} WHERE r.item_seq IS (SELECT seq FROM items WHERE id = ?) AND r.removed_at IS NULL AND (? IS NULL OR r.seq < ?)
           ${fits.join(' ')}
         ORDER BY r.seq DESC LIMIT ?`,
        setId,
        last?.seq ?? null,
        last?.seq ?? null,
        ...like,
        limit + 1,
      )
      const page = rows.slice(0, limit)
      return { runs: page.map(toRun), next: rows.length > limit ? (page.at(-1)?.id ?? null) : null }
    },
    open: () =>
      connection
        .all<RunRow>(
          `${selectRuns} LEFT JOIN items i ON i.seq = r.item_seq
           WHERE r.state = 'running' AND r.removed_at IS NULL AND (r.item_seq IS NULL OR i.deleted_at IS NULL) ORDER BY r.seq`,
        )
        .map(toRun),
    unfinished: () =>
      connection
        .all<RunRow>(
          `${selectRuns} WHERE r.state = 'running' AND r.removed_at IS NULL ORDER BY r.seq`,
        )
        .map(toRun),
    rows: (id, from = 0, limit = allRows) =>
      connection
        .all<QuestionRow>(
          `${selectRows} WHERE r.id = ? AND w.place >= ? AND w.place < ? ORDER BY w.place`,
          id,
          from,
          from + limit,
        )
        .map(toRow),
    row(id, at) {
      const found = connection.get<QuestionRow & { readonly hits: string | null }>(
        `SELECT w.*, q.id AS question_id, f.hits FROM retrieval_rows w JOIN retrieval_runs r ON r.seq = w.run_seq
         LEFT JOIN retrieval_questions q ON q.seq = w.question_seq
         LEFT JOIN retrieval_found f ON f.run_seq = w.run_seq AND f.place = w.place WHERE r.id = ? AND w.place = ?`,
        id,
        at,
      )
      return (
        found && {
          ...toRow(found),
          found: JSON.parse(found.hits ?? '[]') as readonly RetrievalHit[],
        }
      )
    },
    raw(id, at) {
      const found = connection.get<{
        status: number | null
        content_type: string | null
        body: string | null
      }>(
        `SELECT status, content_type, body FROM retrieval_found
         WHERE run_seq = (SELECT seq FROM retrieval_runs WHERE id = ?) AND place = ?`,
        id,
        at,
      )
      return found?.body === undefined || found.body === null ? null : rawOf(found)
    },
    ranked: (id, from, limit) =>
      connection
        .all<QuestionRow>(
          `${selectRows} WHERE r.id = ? AND w.place >= ? AND w.place < ? ORDER BY w.place`,
          id,
          from,
          from + limit,
        )
        .map(toRanked),
    next(id, now) {
      const found = connection.get<QuestionRow>(
        `${selectRows} WHERE r.id = ? AND r.state = 'running'
         AND (w.state = 'queued' OR (w.state = 'waiting' AND ${hasComeSql('w.next_try_at')})) ORDER BY w.place LIMIT 1`,
        id,
        now,
        now,
      )
      return found && toRow(found)
    },
    nextTryAt: (id) =>
      connection.get<{ at: number | null }>(
        `SELECT min(next_try_at) AS at FROM retrieval_rows
         WHERE run_seq = (SELECT seq FROM retrieval_runs WHERE id = ?) AND state = 'waiting'`,
        id,
      )?.at ?? null,
  }
}

const rawOf = (row: {
  readonly status: number | null
  readonly content_type: string | null
  readonly body: string | null
}): RawBody => ({
  status: row.status ?? 0,
  contentType: row.content_type ?? '',
  body: row.body ?? '',
})
