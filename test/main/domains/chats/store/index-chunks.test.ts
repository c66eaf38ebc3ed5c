import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { createConnection } from '../../../../../src/main/platform/database/connection.ts'
import { chatSettler } from '../../../../../src/main/domains/chats/store/chats-maintenance.ts'
import { prepareForWriting } from '../../../../../src/main/platform/database/open-file.ts'
import {
  isFragmented,
  mergeSearch,
} from '../../../../../src/main/platform/database/search-merge.ts'
import { rebuildSearch } from '../../../../../src/main/domains/library/store/search-rebuild.ts'
import { temporaryHome, withStore } from '../../../platform/database/fixture.ts'
import { aMessage, newChat } from './fixture.ts'

const segmentCount = (db: Database.Database): number =>
  db.prepare<[], number>('SELECT count(DISTINCT segid) FROM message_text_idx').pluck().get() ?? 0

test('merges an index with many segments before indexing new texts, which are indexed in the end', async () => {
  const folder = temporaryHome()
  await withStore(folder.home, (store) => {
    newChat(store, 'c')
    for (let n = 0; n < 220; n++)
      store.chats.add(aMessage(`m${n}`, null, { text: `a zebra, number ${n}` }))
  })
  const db = new Database(join(folder.home, 'library.db'))
  prepareForWriting(db)
  const connection = createConnection({ damage: (error) => expect.fail(error.message) })
  connection.attach(db, true)
  try {
    const count = segmentCount(db)
    expect(isFragmented(connection, 'message_text')).toBe(count > 150)
    expect(count).toBeGreaterThan(150)
    db.exec(`DELETE FROM message_text WHERE rowid >= 4096 AND rowid < 8192;
      INSERT INTO message_unindexed VALUES (1, 0)`)
    const settle = chatSettler(connection)
    // The merge of the existing segments has started, but not ended.
    settle()
    expect(segmentCount(db)).toBe(count)
    while (mergeSearch(connection, 'message_text'))
      expect(segmentCount(db)).toBeLessThanOrEqual(count)
    expect(isFragmented(connection, 'message_text')).toBe(false)
    while (settle()) expect(segmentCount(db)).toBeLessThan(count)
    const found = db
      .prepare<[], number>(`SELECT count(*) FROM message_text WHERE message_text MATCH 'zebra'`)
      .pluck()
    expect(found.get()).toBe(220)

    // After a rebuild there is nothing left to merge.
    rebuildSearch(db)
    expect(mergeSearch(connection, 'message_text')).toBe(false)
    expect(found.get()).toBe(220)
  } finally {
    db.close()
    folder.remove()
  }
})
