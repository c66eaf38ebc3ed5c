import type { ErrorCode } from '../../shared/bridge/reply.ts'
import type { ActivityCall, ActivityQuery } from '../../shared/model/activity.ts'
import type { Connection, Value } from './connection.ts'
import type { ActivityStore } from './types.ts'

/** Calls kept; older ones go. A text that is in none of so many takes about a frame to look for. */
const keepCalls = 50_000
/** Columns in which a text is looked for. */
const sought = [
  'operation',
  'path',
  'model',
  'error_code',
  'account_name',
  'request_id',
  'log_id',
] as const

/** Pruning looks up once in so many calls. */
const pruneEvery = 256

interface ActivityRow {
  readonly id: number
  readonly at: number
  readonly account_id: string
  readonly account_name: string
  readonly operation: string
  readonly method: string
  readonly path: string
  readonly model: string | null
  readonly status: number | null
  readonly outcome: ActivityCall['outcome']
  readonly error_code: ErrorCode | null
  readonly queued_ms: number
  readonly first_byte_ms: number | null
  readonly duration_ms: number
  readonly bytes_sent: number
  readonly bytes_received: number
  readonly prompt_tokens: number | null
  readonly completion_tokens: number | null
  readonly total_tokens: number | null
  readonly attempt: number
  readonly request_id: string | null
  readonly log_id: string | null
}

/** Every call to the service, newest first; the newest 50,000 are kept. */
export function activityStore(connection: Connection, keep = keepCalls): ActivityStore {
  return {
    add(call) {
      return connection.transaction(() => {
        const { lastId } = connection.run(
          `INSERT INTO activity(at, account_id, account_name, operation, method, path, model, status, outcome, error_code,
             queued_ms, first_byte_ms, duration_ms, bytes_sent, bytes_received, prompt_tokens, completion_tokens, total_tokens,
             attempt, request_id, log_id)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
          call.at,
          call.accountId,
          call.accountName,
          call.operation,
          call.method,
          call.path,
          call.model,
          call.status,
          call.outcome,
          call.errorCode,
          call.queuedMs,
          call.firstByteMs,
          call.durationMs,
          call.bytesSent,
          call.bytesReceived,
          call.promptTokens,
          call.completionTokens,
          call.totalTokens,
          call.attempt,
          call.requestId,
          call.logId,
        )
        if (lastId % pruneEvery === 0)
          connection.run('DELETE FROM activity WHERE id <= ?', lastId - keep)
        return { ...call, id: lastId }
      })
    },
    list(query) {
      const { where, values } = filter(query)
      const rows = connection.all<ActivityRow>(
        `SELECT * FROM activity ${where} ORDER BY id DESC LIMIT ?`,
        ...values,
        query.limit + 1,
      )
      return { calls: rows.slice(0, query.limit).map(toCall), more: rows.length > query.limit }
    },
  }
}

function filter(query: ActivityQuery): { where: string; values: Value[] } {
  const parts: string[] = []
  const values: Value[] = []
  const add = (sql: string, ...bound: Value[]) => {
    parts.push(sql)
    values.push(...bound)
  }
  if (query.before !== undefined) add('id < ?', query.before)
  if (query.outcome !== undefined) add('outcome = ?', query.outcome)
  if (query.accountId !== undefined) add('account_id = ?', query.accountId)
  const text = query.text?.trim()
  if (text) {
    const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`
    add(
      `(${sought.map((column) => `${column} LIKE ? ESCAPE '\\'`).join(' OR ')})`,
      ...sought.map(() => pattern),
    )
  }
  return { where: parts.length > 0 ? `WHERE ${parts.join(' AND ')}` : '', values }
}

function toCall(row: ActivityRow): ActivityCall {
  return {
    id: row.id,
    at: row.at,
    accountId: row.account_id,
    accountName: row.account_name,
    operation: row.operation,
    method: row.method,
    path: row.path,
    model: row.model,
    status: row.status,
    outcome: row.outcome,
    errorCode: row.error_code,
    queuedMs: row.queued_ms,
    firstByteMs: row.first_byte_ms,
    durationMs: row.duration_ms,
    bytesSent: row.bytes_sent,
    bytesReceived: row.bytes_received,
    promptTokens: row.prompt_tokens,
    completionTokens: row.completion_tokens,
    totalTokens: row.total_tokens,
    attempt: row.attempt,
    requestId: row.request_id,
    logId: row.log_id,
  }
}
