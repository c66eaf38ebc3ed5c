import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { activityStore } from '../../../../../src/main/domains/playground/store/activity-store.ts'
import { createConnection } from '../../../../../src/main/platform/database/connection.ts'
import { migrate } from '../../../../../src/main/platform/database/migrate.ts'

test('keeps only the newest requests', () => {
  const db = new Database(':memory:')
  migrate(db)
  const connection = createConnection({ damage: () => undefined })
  connection.attach(db, true)
  const activity = activityStore(connection, 500)
  connection.transaction(() => {
    for (let n = 1; n <= 1024; n++)
      activity.add({
        at: n,
        accountId: 'this-computer',
        accountName: 'This computer',
        operation: 'transcriptions.create',
        method: 'POST',
        path: '/x',
        model: null,
        status: 200,
        outcome: 'ok',
        errorCode: null,
        queuedMs: 0,
        sentMs: 0,
        firstByteMs: null,
        durationMs: 1,
        bytesSent: 0,
        bytesReceived: 0,
        promptTokens: null,
        completionTokens: null,
        totalTokens: null,
        attempt: 1,
        requestId: null,
        logId: null,
      })
  })
  const { calls, more } = activity.list({ limit: 500 })
  expect(calls.map((call) => call.id)).toEqual(Array.from({ length: 500 }, (_, n) => 1024 - n))
  expect(more).toBe(false)
  db.close()
})
