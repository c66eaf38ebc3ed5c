import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { activityStore } from '../../../../src/main/domains/playground/store/activity-store.ts'
import { createConnection } from '../../../../src/main/platform/database/connection.ts'
import { migrate } from '../../../../src/main/platform/database/migrate.ts'
import type { ActivityStore, NewActivityCall } from '../../../../src/main/library-database/types.ts'
import { localDay } from '../../../../src/shared/text/local-time.ts'

const noon = new Date(2026, 2, 29, 12).getTime()
const day = 24 * 60 * 60 * 1000
const call: NewActivityCall = {
  at: noon,
  accountId: 'a',
  accountName: 'A',
  operation: 'rerank.create',
  method: 'POST',
  path: '/x',
  model: 'rerank',
  status: 200,
  outcome: 'ok',
  errorCode: null,
  queuedMs: 0,
  sentMs: 1,
  firstByteMs: 1,
  durationMs: 1,
  bytesSent: 0,
  bytesReceived: 0,
  promptTokens: 3,
  completionTokens: null,
  totalTokens: null,
  attempt: 1,
  requestId: null,
  logId: null,
}

let db: Database.Database
let activity: ActivityStore
beforeEach(() => {
  db = new Database(':memory:')
  migrate(db)
  const connection = createConnection({ damage: () => undefined })
  connection.attach(db, true)
  activity = activityStore(connection, 10)
})
afterEach(() => db.close())

test('excludes impossible counts from the totals, and continues counting the day', () => {
  const absurd = {
    promptTokens: 9e15,
    completionTokens: Number.MAX_SAFE_INTEGER,
    totalTokens: 9e15,
  }
  for (let n = 0; n < 3; n += 1) activity.add({ ...call, ...absurd })
  expect(activity.usage(localDay(noon))).toEqual([
    row('rerank', { calls: 3, promptTokens: 3e9, completionTokens: 3e9, totalTokens: 3e9 }),
  ])
  // Days as an earlier version may have left them.
  db.exec(
    'UPDATE usage_days SET prompt_tokens = 9223372036854775807, total_tokens = 9223372036854775807',
  )
  activity.add({ ...call, at: noon - day })
  db.exec('UPDATE usage_days SET prompt_tokens = 9223372036854775807')
  activity.add(call)
  expect(activity.usage(localDay(noon - day))).toHaveLength(2)
  expect(activity.usage(localDay(noon))[0]).toMatchObject({ calls: 4, promptTokens: 1e15 + 3 })
})

test('sums tokens by day and model, with failures, using parts if there is no total', () => {
  activity.add(call)
  activity.add({ ...call, completionTokens: 4, totalTokens: 9 })
  activity.add({ ...call, outcome: 'failed', promptTokens: null })
  activity.add({ ...call, model: null, accountId: 'b' })
  activity.add({ ...call, at: noon - day })
  expect(activity.usage(localDay(noon))).toEqual([
    row(null, { calls: 1, promptTokens: 3, totalTokens: 3 }),
    row('rerank', { calls: 3, failed: 1, promptTokens: 6, completionTokens: 4, totalTokens: 12 }),
  ])
  expect(activity.usage(localDay(noon), 'b')).toHaveLength(1)
  expect(activity.usage(localDay(noon - day)).map((one) => one.day)).toEqual([
    '2026-03-28',
    '2026-03-29',
    '2026-03-29',
  ])
})

test('keeps days when their requests are pruned', () => {
  for (let n = 0; n < 512; n++) activity.add(call)
  expect(activity.list({ limit: 500 }).calls.length).toBeLessThanOrEqual(266)
  expect(activity.usage(localDay(noon))).toEqual([
    row('rerank', { calls: 512, promptTokens: 1536, totalTokens: 1536 }),
  ])
})

test('filters the list of requests by day and model', () => {
  activity.add(call)
  activity.add({ ...call, model: 'other' })
  activity.add({ ...call, at: noon - day })
  const start = new Date(2026, 2, 29).getTime()
  const end = new Date(2026, 2, 30).getTime()
  const { calls } = activity.list({ limit: 10, model: 'rerank', since: start, until: end })
  expect(calls.map((one) => one.id)).toEqual([1])
})

function row(model: string | null, more: object): object {
  const none = { calls: 0, failed: 0, promptTokens: 0, completionTokens: 0, totalTokens: 0 }
  return { day: '2026-03-29', model, ...none, ...more }
}
