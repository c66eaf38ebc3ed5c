import type { RawBody } from '../../../../shared/model/raw-body.ts'
import type {
  RetrievalRowState,
  RetrievalRun,
  RetrievalRunState,
  RetrievalHit,
} from '../../../../shared/model/retrieval.ts'
import { AppError } from '../../../errors.ts'
import type { Connection } from '../../../platform/database/connection.ts'
import { hasComeSql } from '../../../platform/database/due.ts'
import { likePattern } from './knowledge-like-patterns.ts'
import {
  rankedText,
  selectRuns,
  toRun,
  type RunRow,
  selectRows,
  toRanked,
  toRow,
  type QuestionRow,
} from './retrieval-run-rows.ts'
import type { FoundAnswer, NewRetrievalRun, RetrievalRunStore } from './retrieval-types.ts'

/** Store of retrieval runs; `settle` is called when a change left search rows to write. */
export function retrievalRunStore(connection: Connection, settle: () => void): RetrievalRunStore {
  const row = (id: string): RunRow | undefined =>
    connection.get<RunRow>(`${selectRuns} WHERE r.id = ?`, id)
  const must = (id: string): RunRow => {
    const found = row(id)
    if (!found) throw new AppError('NOT_FOUND', 'Run not found')
    return found
  }
  const get = (id: string): RetrievalRun | undefined => {
    const found = row(id)
    return found && toRun(found)
  }

  const insertRow = (
    runSeq: number,
    place: number,
    { questionId, question, rerank }: NewRetrievalRun['rows'][number],
  ): void => {
    connection.run(
      `INSERT INTO retrieval_rows(run_seq, place, question_seq, question, rerank, state)
       VALUES (?, ?, (SELECT seq FROM retrieval_questions WHERE id = ?), ?, ?, 'queued')`,
      runSeq,
      place,
      questionId,
      question,
      rerank ? 1 : 0,
    )
  }
  const putAnswer = (seq: number, at: number, answer: FoundAnswer, now: number): void => {
    connection.run(
      `UPDATE retrieval_rows SET state = 'done', error = NULL, next_try_at = NULL, took_ms = ?, tokens = ?, request_id = ?,
       engine = ?, notice = ?, ended_at = ?, ranked = ? WHERE run_seq = ? AND place = ?`,
      answer.tookMs,
      answer.tokens,
      answer.requestId,
      answer.engine,
      answer.notice,
      now,
      rankedText(answer.hits),
      seq,
      at,
    )
    connection.run(
      'INSERT OR REPLACE INTO retrieval_found(run_seq, place, hits, status, content_type, body) VALUES (?, ?, ?, ?, ?, ?)',
      seq,
      at,
      JSON.stringify(answer.hits),
      answer.raw?.status ?? null,
      answer.raw?.contentType ?? null,
      answer.raw?.body ?? null,
    )
  }

  /** Recounts the rows; a run with no rows left to request is done. */
  const recount = (seq: number, now: number): void => {
    const states = connection.all<{ state: RetrievalRowState; n: number }>(
      'SELECT state, count(*) AS n FROM retrieval_rows WHERE run_seq = ? GROUP BY state',
      seq,
    )
    const of = (state: RetrievalRowState): number =>
      states.find((one) => one.state === state)?.n ?? 0
    const open = of('queued') + of('running') + of('waiting')
    connection.run(
      `UPDATE retrieval_runs SET total = ?, done = ?, failed = ?, waiting = ?,
       ended_at = CASE WHEN state = 'running' AND ? = 0 THEN ? ELSE ended_at END,
       state = CASE WHEN state = 'running' AND ? = 0 THEN 'done' ELSE state END WHERE seq = ?`,
      states.reduce((sum, { n }) => sum + n, 0),
      of('done'),
      of('failed'),
      of('waiting'),
      open,
      now,
      open,
      seq,
    )
  }
  const setState = (seq: number, state: RetrievalRunState, endedAt: number | null): void =>
    void connection.run(
      'UPDATE retrieval_runs SET state = ?, ended_at = ? WHERE seq = ?',
      state,
      endedAt,
      seq,
    )

  return {
    ...retrievalRunReads(connection),
    create(run) {
      return connection.transaction(() => {
        const { lastId } = connection.run(
          `INSERT INTO retrieval_runs(id, item_seq, title, question, account_id, account_name, settings, state, total, created_at)
           VALUES (?, (SELECT seq FROM items WHERE id = ?), ?, ?, ?, ?, ?, 'running', ?, ?)`,
          run.id,
          run.setId,
          run.title,
          run.question,
          run.accountId,
          run.accountName,
          JSON.stringify(run.settings),
          run.rows.length,
          run.at,
        )
        for (const [place, each] of run.rows.entries()) insertRow(lastId, place, each)
        return toRun(must(run.id))
      })
    },
    requeue() {
      connection.run(
        `UPDATE retrieval_rows SET state = 'queued' WHERE state = 'running'
         AND run_seq IN (SELECT seq FROM retrieval_runs WHERE state = 'running')`,
      )
    },
    wake(accountId) {
      return connection.transaction(() => {
        const runs = connection.all<{ seq: number; id: string }>(
          `SELECT seq, id FROM retrieval_runs WHERE state = 'running' AND account_id = ? AND waiting > 0`,
          accountId,
        )
        for (const { seq } of runs)
          connection.run(
            `UPDATE retrieval_rows SET state = 'queued', next_try_at = NULL WHERE run_seq = ? AND state = 'waiting'`,
            seq,
          )
        for (const { seq } of runs) recount(seq, 0)
        return runs.map(({ id }) => id)
      })
    },
    patch(id, at, patch, now) {
      return connection.transaction(() => {
        const found = row(id)
        if (!found) return undefined
        connection.run(
          `UPDATE retrieval_rows SET state = ?, error = ?, next_try_at = ?, attempts = coalesce(?, attempts),
           ended_at = CASE WHEN ? IN ('failed', 'stopped') THEN ? END WHERE run_seq = ? AND place = ? AND state <> 'done'`,
          patch.state,
          patch.error ? JSON.stringify(patch.error) : null,
          patch.nextTryAt ?? null,
          patch.attempts ?? null,
          patch.state,
          now,
          found.seq,
          at,
        )
        recount(found.seq, now)
        return get(id)
      })
    },
    keep(id, at, answer, now) {
      return connection.transaction(() => {
        const found = row(id)
        if (!found) return undefined
        putAnswer(found.seq, at, answer, now)
        recount(found.seq, now)
        settle()
        return get(id)
      })
    },
    stop(id, now) {
      return connection.transaction(() => {
        const { seq } = must(id)
        connection.run(
          `UPDATE retrieval_rows SET state = 'stopped', next_try_at = NULL WHERE run_seq = ? AND state IN ('queued', 'running', 'waiting')`,
          seq,
        )
        setState(seq, 'stopped', now)
        recount(seq, now)
        return toRun(must(id))
      })
    },
    retry(id, now) {
      return connection.transaction(() => {
        const { seq } = must(id)
        connection.run(
          `UPDATE retrieval_rows SET state = 'queued', attempts = 0, error = NULL, next_try_at = NULL, ended_at = NULL
           WHERE run_seq = ? AND state IN ('failed', 'stopped', 'waiting')`,
          seq,
        )
        setState(seq, 'running', null)
        recount(seq, now)
        return toRun(must(id))
      })
    },
    rename(id, title) {
      connection.run('UPDATE retrieval_runs SET title = ? WHERE seq = ?', title, must(id).seq)
      return toRun(must(id))
    },
    remove(ids, at) {
      connection.run(
        'UPDATE retrieval_runs SET removed_at = ? WHERE id IN (SELECT value FROM json_each(?))',
        at,
        JSON.stringify(ids),
      )
      settle()
    },
    purge: (before) =>
      void connection.run('DELETE FROM retrieval_runs WHERE removed_at < ?', before),
    append(id, rows, now) {
      return connection.transaction(() => {
        const { seq } = must(id)
        const end = connection.get<{ n: number }>(
          'SELECT coalesce(max(place) + 1, 0) AS n FROM retrieval_rows WHERE run_seq = ?',
          seq,
        )
        for (const [at, { answer, ...each }] of rows.entries()) {
          insertRow(seq, (end?.n ?? 0) + at, each)
          putAnswer(seq, (end?.n ?? 0) + at, answer, now)
        }
        recount(seq, now)
        settle()
        return toRun(must(id))
      })
    },
  }
}

/** Maximum number of rows of a run in one read. */
const allRows = 1_000_000

/** Read methods for runs. */
function retrievalRunReads(
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
