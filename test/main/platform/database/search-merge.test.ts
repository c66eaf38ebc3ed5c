import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { createConnection } from '../../../../src/main/platform/database/connection.ts'
import { prepareForWriting } from '../../../../src/main/platform/database/open-file.ts'
import { mergeSearch, searchMerging } from '../../../../src/main/platform/database/search-merge.ts'
import { rebuildSearch } from '../../../../src/main/domains/library/store/search-rebuild.ts'
import { aMessage, newChat } from '../../domains/chats/store/fixture.ts'
import { addItem, temporaryHome, withStore } from './fixture.ts'

/** Number of texts that are written one by one. */
const texts = 60
/**
 * Maximum number of index segments that may remain: fewer than are merged at a time, of each of three sizes at most.
 */
const fewSegments = 21

const body = (n: number): string => `minutes of meeting ${n}, 第${n}次会议的记录`

async function enlargedLibrary(work: (path: string) => void): Promise<void> {
  const folder = temporaryHome()
  try {
    await withStore(folder.home, (store) => {
      for (let n = 0; n < texts; n++) addItem(store, `i${n}`, `Item ${n}`, body(n), n)
    })
    work(join(folder.home, 'library.db'))
  } finally {
    folder.remove()
  }
}

const segmentCount = (db: Database.Database): number =>
  db.prepare<[], { n: number }>('SELECT count(DISTINCT segid) AS n FROM search_text_idx').get()
    ?.n ?? 0

const found = (db: Database.Database, words: string): readonly number[] =>
  db
    .prepare<[string], { row: number }>(
      'SELECT rowid AS row FROM search_text WHERE search_text MATCH ?',
    )
    .all(words)
    .map(({ row }) => row)

test('merges in steps and not while writing, without losses or duplicates', () =>
  enlargedLibrary((path) => {
    const db = new Database(path)
    prepareForWriting(db)
    const connection = createConnection({ damage: (error) => expect.fail(error.message) })
    connection.attach(db, true)
    try {
      expect(segmentCount(db)).toBeGreaterThanOrEqual(texts)
      const before = found(db, 'meeting')
      expect(before).toHaveLength(texts)
      let steps = 0
      while (mergeSearch(connection)) expect(++steps).toBeLessThan(1000)
      expect(steps).toBeGreaterThan(0)
      expect(segmentCount(db)).toBeLessThanOrEqual(fewSegments)
      expect(found(db, 'meeting')).toEqual(before)
      expect(mergeSearch(connection)).toBe(false)
    } finally {
      db.close()
    }
  }))

test('leaves merging to the steps again after an index rebuild', () =>
  enlargedLibrary((path) => {
    const db = new Database(path)
    try {
      rebuildSearch(db)
      expect(found(db, 'meeting')).toHaveLength(texts)
      const options = db
        .prepare<[], { k: string; v: unknown }>(
          `SELECT k, v FROM search_text_config WHERE k IN ('automerge', 'usermerge', 'crisismerge') ORDER BY k`,
        )
        .all()
      expect(options).toEqual([
        { k: 'automerge', v: 0 },
        { k: 'crisismerge', v: 500 },
        { k: 'usermerge', v: 8 },
      ])
    } finally {
      db.close()
    }
  }))

test('merges the index of messages in separate steps', async () => {
  const folder = temporaryHome()
  try {
    await withStore(folder.home, (store) => {
      newChat(store, 'c')
      for (let n = 0; n < texts; n++) store.chats.add(aMessage(`m${n}`, null, { text: body(n) }))
    })
    const db = new Database(join(folder.home, 'library.db'))
    prepareForWriting(db)
    const connection = createConnection({ damage: (error) => expect.fail(error.message) })
    connection.attach(db, true)
    const count = (sql: string): number => db.prepare<[], { n: number }>(sql).get()?.n ?? 0
    const segments = 'SELECT count(DISTINCT segid) AS n FROM message_text_idx'
    const hits = `SELECT count(*) AS n FROM message_text WHERE message_text MATCH 'meeting'`
    expect(count(segments)).toBeGreaterThanOrEqual(texts)
    let steps = 0
    while (mergeSearch(connection, 'message_text')) expect(++steps).toBeLessThan(1000)
    expect(steps).toBeGreaterThan(0)
    expect(count(segments)).toBeLessThanOrEqual(fewSegments)
    expect(count(hits)).toBe(texts)
    db.close()
  } finally {
    folder.remove()
  }
})

test('merges again only after something was written', () =>
  enlargedLibrary((path) => {
    const db = new Database(path)
    prepareForWriting(db)
    const connection = createConnection({ damage: (error) => expect.fail(error.message) })
    connection.attach(db, true)
    const written = (): unknown => db.prepare('SELECT total_changes()').pluck().get()
    try {
      const merge = searchMerging(connection)
      let steps = 0
      while (merge()) expect(++steps).toBeLessThan(1000)
      expect(steps).toBeGreaterThan(0)
      const before = written()
      expect(merge()).toBe(false)
      expect(written()).toBe(before)
      db.exec('UPDATE items SET updated_at = updated_at + 1')
      const after = written()
      merge()
      expect(written()).not.toBe(after)
    } finally {
      db.close()
    }
  }))

test('does not change a read-only index', () => {
  const connection = createConnection({ damage: () => undefined })
  const db = new Database(':memory:')
  connection.attach(db, false)
  expect(mergeSearch(connection)).toBe(false)
  db.close()
})
