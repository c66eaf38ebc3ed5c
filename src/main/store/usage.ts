import type { UsageRow } from '../../shared/model/activity.ts'
import { localDay } from '../../shared/text/local-time.ts'
import type { Connection } from './connection.ts'
import type { NewActivityCall } from './types.ts'

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
export function countUsage(connection: Connection, call: NewActivityCall): void {
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
export function usageSince(
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
