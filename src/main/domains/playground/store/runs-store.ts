import type { Failure } from '../../../../shared/contract/reply.ts'
import type {
  EventBatch,
  Run,
  RunFile,
  RunState,
  RunSummary,
} from '../../../../shared/model/run.ts'
import { AppError } from '../../../errors.ts'
import type { Connection, Value } from '../../../platform/database/connection.ts'
import { readRunReply, runReplyColumns } from '../../../platform/database/run-replies.ts'
import type { RunStore } from '../../../library-database/types.ts'

interface SummaryRow {
  readonly seq: number
  readonly id: string
  readonly account_id: string
  readonly account_name: string
  readonly operation: string
  readonly title: string
  readonly state: RunState
  readonly stream_id: string
  readonly created_at: number
  readonly updated_at: number
  readonly ended_at: number | null
  readonly events: number
  readonly error: string | null
  readonly refused: string | null
}

interface RunRow extends SummaryRow {
  readonly request_id: string | null
  readonly engine: string | null
  readonly notice: string | null
  readonly usage: string | null
  readonly input: string
  readonly value: string | null
}

interface BatchRow {
  readonly first_seq: number
  readonly count: number
  readonly events: string
}

/** Counts rejected additions: the request itself succeeds even when nothing is accepted. */
const refusedColumn = `CASE WHEN operation IN ('documents.upload', 'documents.uploadUrls') THEN
  (SELECT json_array(json_array_length(value, '$.refused'), json_array_length(value, '$.accepted'))
   FROM run_results WHERE run_id = id) END AS refused`
const summaryColumns = `seq, id, account_id, account_name, operation, title, state, stream_id, created_at, updated_at, ended_at,
  events, error, ${refusedColumn}`

/** Store of operation runs (architecture rule 8): rows exist from the request on. */
export function runStore(connection: Connection): RunStore {
  const summary = (id: string): RunSummary | undefined => {
    const row = connection.get<SummaryRow>(`SELECT ${summaryColumns} FROM runs WHERE id = ?`, id)
    return row && toSummary(row)
  }
  const requireSummary = (id: string): RunSummary => {
    const run = summary(id)
    if (!run) throw new AppError('NOT_FOUND', 'Run not found')
    return run
  }
  const files = (id: string, role: 'input' | 'output'): RunFile[] =>
    connection
      .all<{ name: string; media_id: string }>(
        `SELECT coalesce(nullif(run_media.name, ''), media.name) AS name, media_id
         FROM run_media JOIN media ON media.id = media_id
         WHERE run_id = ? AND role = ? ORDER BY run_media.rowid`,
        id,
        role,
      )
      .map((row) => ({ name: row.name, mediaId: row.media_id }))
  const use = (id: string, mediaId: string, role: 'input' | 'output', name: string): void => {
    connection.run(
      'INSERT OR IGNORE INTO run_media(run_id, media_id, role, name) VALUES (?, ?, ?, ?)',
      id,
      mediaId,
      role,
      name,
    )
  }

  return {
    summary,
    create(run) {
      connection.transaction(() => {
        connection.run(
          `INSERT INTO runs(id, account_id, account_name, operation, title, state, stream_id, created_at, updated_at, input)
           VALUES (?, ?, ?, ?, ?, 'running', ?, ?, ?, ?)`,
          run.id,
          run.accountId,
          run.accountName,
          run.operation,
          run.title,
          run.streamId,
          run.at,
          run.at,
          JSON.stringify(run.input),
        )
        for (const mediaId of run.mediaIds) use(run.id, mediaId, 'input', '')
      })
    },
    get(id) {
      const row = connection.get<RunRow>(
        `SELECT runs.*, value, ${refusedColumn} FROM runs LEFT JOIN run_results ON run_id = id WHERE id = ?`,
        id,
      )
      return row && toRun(row, files(id, 'input'), files(id, 'output'))
    },
    list({ family, operation, accountId, state, before, limit }) {
      const { sql, values } = conditions({ operation, family, accountId, state, before })
      const rows = connection.all<SummaryRow>(
        `SELECT ${summaryColumns} FROM runs WHERE ${sql} ORDER BY seq DESC LIMIT ?`,
        ...values,
        limit + 1,
      )
      const page = rows.slice(0, limit)
      return {
        runs: page.map(toSummary),
        next: rows.length > limit ? (page.at(-1)?.id ?? null) : null,
      }
    },
    ids(query) {
      const { sql, values } = conditions(query)
      return connection
        .all<{ id: string }>(`SELECT id FROM runs WHERE ${sql} ORDER BY seq DESC`, ...values)
        .map(({ id }) => id)
    },
    unfinished: () =>
      connection
        .all<{ id: string }>(`SELECT id FROM runs WHERE state = 'running' ORDER BY seq`)
        .map((row) => row.id),
    append(id, batch) {
      connection.transaction(() => {
        connection.run(
          'INSERT INTO run_events(run_id, first_seq, count, events) VALUES (?, ?, ?, ?)',
          id,
          batch.first,
          batch.count,
          batch.json,
        )
        connection.run('UPDATE runs SET events = ? WHERE id = ?', batch.first + batch.count, id)
      })
    },
    events(id, from, limit) {
      requireSummary(id)
      const batches: EventBatch[] = []
      let count = 0
      const rows = connection.all<BatchRow>(
        `SELECT first_seq, count, events FROM run_events WHERE run_id = ? AND first_seq + count > ?
         ORDER BY first_seq LIMIT 200`,
        id,
        from,
      )
      for (const row of rows) {
        if (count >= limit) break
        batches.push({ first: row.first_seq, count: row.count, json: row.events })
        count += row.count
      }
      const last = batches.at(-1)
      const next = last ? last.first + last.count : from
      return { batches, next: last && next < requireSummary(id).events ? next : null }
    },
    keepReply(id, reply) {
      connection.run(
        `INSERT INTO run_results(run_id, status, content_type, body, packed) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT(run_id) DO UPDATE SET status = excluded.status, content_type = excluded.content_type,
           body = excluded.body, packed = excluded.packed`,
        id,
        ...runReplyColumns(reply),
      )
    },
    keepValue(id, json) {
      connection.run(
        `INSERT INTO run_results(run_id, value) VALUES (?, ?)
         ON CONFLICT(run_id) DO UPDATE SET value = excluded.value`,
        id,
        json,
      )
    },
    finish(id, end) {
      return connection.transaction(() => {
        connection.run(
          `UPDATE runs SET state = ?, updated_at = ?, ended_at = ?, request_id = ?, engine = ?, notice = ?, usage = ?, error = ?
           WHERE id = ?`,
          end.state,
          end.at,
          end.at,
          end.requestId ?? null,
          end.engine ?? null,
          end.notice ?? null,
          end.usage ? JSON.stringify(end.usage) : null,
          end.error ? JSON.stringify(end.error) : null,
          id,
        )
        for (const file of end.files ?? []) use(id, file.mediaId, 'output', file.name)
        return requireSummary(id)
      })
    },
    keepFiles(id, saved) {
      return connection.transaction(() => {
        const run = requireSummary(id)
        for (const file of saved) use(id, file.mediaId, 'output', file.name)
        return run
      })
    },
    reply(id) {
      requireSummary(id)
      return readRunReply(connection, id)
    },
    rename(id, title, at) {
      connection.run('UPDATE runs SET title = ?, updated_at = ? WHERE id = ?', title, at, id)
      return requireSummary(id)
    },
    remove(ids) {
      const listed = JSON.stringify(ids)
      return connection.transaction(() => {
        const media = connection.all<{ id: string }>(
          'SELECT DISTINCT media_id AS id FROM run_media WHERE run_id IN (SELECT value FROM json_each(?))',
          listed,
        )
        connection.run('DELETE FROM runs WHERE id IN (SELECT value FROM json_each(?))', listed)
        return media
          .map((each) => each.id)
          .filter((id) => connection.get('SELECT 1 FROM media WHERE id = ? AND uses = 0', id))
      })
    },
  }
}

/** Returns the filter of a query as SQL. */
function conditions({
  operation,
  family,
  accountId,
  state,
  before,
}: Omit<Parameters<RunStore['list']>[0], 'limit'>): {
  readonly sql: string
  readonly values: readonly Value[]
} {
  const wheres = ['TRUE']
  const values: Value[] = []
  const where = (sql: string, ...bound: Value[]): void => {
    wheres.push(sql)
    values.push(...bound)
  }
  if (operation !== undefined) where('operation = ?', operation)
  // The character after the dot is the upper bound of the family's names.
  if (family !== undefined) where('operation > ? AND operation < ?', `${family}.`, `${family}/`)
  if (accountId !== undefined) where('account_id = ?', accountId)
  if (state !== undefined) where('state = ?', state)
  if (before !== undefined) where('seq < (SELECT seq FROM runs WHERE id = ?)', before)
  return { sql: wheres.join(' AND '), values }
}

function toSummary(row: SummaryRow): RunSummary {
  return {
    id: row.id,
    accountId: row.account_id,
    accountName: row.account_name,
    operation: row.operation,
    title: row.title,
    state: row.state,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    endedAt: row.ended_at,
    streamId: row.stream_id,
    events: row.events,
    refused: refusedOf(row.refused),
    error: row.error === null ? null : (JSON.parse(row.error) as Failure),
  }
}

function refusedOf(counts: string | null): RunSummary['refused'] {
  const [count, taken] = JSON.parse(counts ?? '[]') as (number | null)[]
  return count ? { count, of: count + (taken ?? 0) } : null
}

function toRun(row: RunRow, inputFiles: readonly RunFile[], files: readonly RunFile[]): Run {
  return {
    ...toSummary(row),
    input: JSON.parse(row.input) as Run['input'],
    inputFiles,
    requestId: row.request_id,
    engine: row.engine,
    notice: row.notice,
    usage: row.usage === null ? null : (JSON.parse(row.usage) as Run['usage']),
    value: row.value === null ? null : (JSON.parse(row.value) as unknown),
    files,
  }
}
