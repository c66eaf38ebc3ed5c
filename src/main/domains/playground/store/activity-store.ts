import type { ErrorCode } from '../../../../shared/contract/reply.ts'
import type { ActivityCall, ActivityQuery, UsageRow } from '../../../../shared/model/activity.ts'
import { localDay } from '../../../../shared/text/local-time.ts'
import type { Connection, Value } from '../../../platform/database/connection.ts'
import type { ActivityStore, NewActivityCall } from '../../../library-database/types.ts'

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

interface Row {
  readonly day: string
  readonly account_id: string
  readonly model: string
  readonly calls: number
  readonly failed: number
  readonly prompt_tokens: number
  readonly completion_tokens: number
  readonly total_tokens: number
}

/** Maximum tokens of one call, and of one day and model: sums of many remain numbers that SQLite and JavaScript store exactly. */
const maxTokensPerCall = 1e9
const maxTokensPerDay = 1e15

/** Adds a call to its day. If a reply reports only the parts of its tokens, their sum counts. */
function countUsage(connection: Connection, call: NewActivityCall): void {
  const prompt = counted(call.promptTokens)
  const completion = counted(call.completionTokens)
  const total = call.totalTokens === null ? prompt + completion : counted(call.totalTokens)
  connection.run(
    `INSERT INTO usage_days VALUES (?, ?, ?, 1, ?, ?, ?, ?)
     ON CONFLICT(day, account_id, model) DO UPDATE SET calls = calls + 1, failed = failed + excluded.failed,
       prompt_tokens = min(prompt_tokens, ${maxTokensPerDay}) + excluded.prompt_tokens,
       completion_tokens = min(completion_tokens, ${maxTokensPerDay}) + excluded.completion_tokens,
       total_tokens = min(total_tokens, ${maxTokensPerDay}) + excluded.total_tokens`,
    localDay(call.at),
    call.accountId,
    call.model ?? '',
    call.outcome === 'failed' ? 1 : 0,
    prompt,
    completion,
    total,
  )
}

function counted(tokens: number | null): number {
  return tokens === null ? 0 : Math.min(Math.max(0, Math.trunc(tokens)), maxTokensPerCall)
}

/** Returns calls and tokens since a day (`YYYY-MM-DD`, inclusive), by day and model, oldest first; of one account or of all. */
function usageSince(
  connection: Connection,
  day: string,
  accountId: string | undefined,
): readonly UsageRow[] {
  const one = accountId === undefined ? '' : 'AND account_id = ?'
  return connection
    .all<Row>(
      `SELECT day, model, sum(calls) AS calls, sum(failed) AS failed, total(prompt_tokens) AS prompt_tokens,
         total(completion_tokens) AS completion_tokens, total(total_tokens) AS total_tokens
       FROM usage_days WHERE day >= ? ${one} GROUP BY day, model ORDER BY day, model`,
      day,
      ...(accountId === undefined ? [] : [accountId]),
    )
    .map((row) => ({
      day: row.day,
      model: row.model === '' ? null : row.model,
      calls: row.calls,
      failed: row.failed,
      promptTokens: row.prompt_tokens,
      completionTokens: row.completion_tokens,
      totalTokens: row.total_tokens,
    }))
}
