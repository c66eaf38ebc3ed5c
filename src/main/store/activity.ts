import type { ErrorCode } from '../../shared/bridge/reply.ts'
import type { ActivityCall, ActivityQuery } from '../../shared/model/activity.ts'
import type { Connection, Value } from './connection.ts'
import type { ActivityStore } from './types.ts'
import { countUsage, usageSince } from './usage.ts'

/**
 * Maximum number of saved requests; older ones are deleted. Searching all of them for a text without matches takes 10
 * ms.
 */
const maxCalls = 50_000

/** Prunes once per this many requests. */
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
  readonly sent_ms: number | null
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

/** Log of all requests to providers, newest first; the newest 50,000 are saved. */
export function activityStore(connection: Connection, keep = maxCalls): ActivityStore {
  return {
    add(call) {
      return connection.transaction(() => {
        const { lastId } = connection.run(
          `INSERT INTO activity(at, account_id, account_name, operation, method, path, model, status, outcome, error_code,
             queued_ms, sent_ms, first_byte_ms, duration_ms, bytes_sent, bytes_received, prompt_tokens, completion_tokens, total_tokens,
             attempt, request_id, log_id)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
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
          call.sentMs,
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
        countUsage(connection, call)
        if (lastId % pruneEvery === 0)
          connection.run('DELETE FROM activity WHERE id <= ?', lastId - keep)
        return { ...call, id: lastId }
      })
    },
    list(query) {
      const { from, where, values } = filter(query)
      const rows = connection.all<ActivityRow>(
        `SELECT * FROM activity WHERE id IN (SELECT id FROM ${from} ${where} ORDER BY id DESC LIMIT ?) ORDER BY id DESC`,
        ...values,
        query.limit + 1,
      )
      return { calls: rows.slice(0, query.limit).map(toCall), more: rows.length > query.limit }
    },
    usage: (day, accountId) => usageSince(connection, day, accountId),
  }
}

function filter(query: ActivityQuery): {
  readonly from: string
  readonly where: string
  readonly values: readonly Value[]
} {
  const parts: string[] = []
  const values: Value[] = []
  const add = (sql: string, bound: Value) => {
    parts.push(sql)
    values.push(bound)
  }
  if (query.before !== undefined) add('id < ?', query.before)
  if (query.outcome !== undefined) add('outcome = ?', query.outcome)
  if (query.accountId !== undefined) add('account_id = ?', query.accountId)
  if (query.model !== undefined) add('model = ?', query.model)
  if (query.since !== undefined) add('at >= ?', query.since)
  if (query.until !== undefined) add('at < ?', query.until)
  const text = query.text?.trim()
  if (text) add(`sought LIKE ? ESCAPE '\\'`, `%${text.replace(/[\\%_]/g, '\\$&')}%`)
  return {
    // Newest first using the only index that contains the text; the rows themselves would be read in vain.
    from: text ? 'activity INDEXED BY activity_sought' : 'activity',
    where: parts.length > 0 ? `WHERE ${parts.join(' AND ')}` : '',
    values,
  }
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
    sentMs: row.sent_ms,
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
