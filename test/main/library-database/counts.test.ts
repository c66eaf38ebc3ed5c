import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { recount } from '../../../src/main/library-database/counts.ts'
import type { Store } from '../../../src/main/library-database/store.ts'
import { addItem, codeOf, temporaryHome, withStore } from '../platform/database/fixture.ts'

let folder: ReturnType<typeof temporaryHome>

beforeEach(() => {
  folder = temporaryHome()
})

afterEach(() => folder.remove())

const many = 5000

/** Fills a library so that old rows are at the start of every table and index, and new ones at the end. */
function fillUp(): void {
  const db = new Database(join(folder.home, 'library.db'))
  const numbers = `WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < ${many})`
  const id = (letter: string): string => `printf('${letter}%06d', x)`
  db.exec(`BEGIN;
    ${numbers} INSERT INTO media(id, sha256, bytes, mime, name, created_at)
      SELECT ${id('m')}, '', 1, 'audio/wav', 'n', x FROM n;
    ${numbers} INSERT INTO items(id, kind, title, media_id, created_at, updated_at)
      SELECT ${id('i')}, 'meeting', 't' || x, ${id('m')}, x, x FROM n;
    ${numbers} INSERT INTO activity(at, account_id, account_name, operation, method, path, model, outcome, queued_ms,
        duration_ms, bytes_sent, bytes_received, attempt, request_id, log_id)
      SELECT x, 'a', 'This computer', 'transcriptions.create', 'POST', '/paas/v4/audio/transcriptions', 'gen-asr-2512', 'ok', 0,
        1, 1, 1, 1, hex(randomblob(16)), hex(randomblob(16)) FROM n;
    COMMIT`)
  db.close()
}

/**
 * Makes the leaf pages of a table or index unreadable, except the last few: reading one results in SQLITE_CORRUPT.
 */
function corrupt(name: string, keep: number): void {
  const path = join(folder.home, 'library.db')
  const db = new Database(path, { readonly: true })
  const pages = db
    .prepare<[string], { pageno: number; pgsize: number }>(
      `SELECT pageno, pgsize FROM dbstat WHERE name = ? AND pagetype = 'leaf' ORDER BY path`,
    )
    .all(name)
  db.close()
  expect(pages.length).toBeGreaterThan(5 * (keep + 1))
  const file = openSync(path, 'r+')
  for (const { pageno, pgsize } of pages.slice(0, pages.length - keep))
    writeSync(file, Buffer.alloc(pgsize, 0xff), 0, pgsize, (pageno - 1) * pgsize)
  closeSync(file)
}

/** Returns the error of `sql` in the library file, without the store. */
function meets(sql: string): Promise<string> {
  const db = new Database(join(folder.home, 'library.db'), { readonly: true })
  return codeOf(() => db.prepare(sql).all()).finally(() => db.close())
}

// Such reads run on the main thread while a page waits, so they must not grow with the library. Data that is not
// read takes no time.
test('reads no more of the library than it shows', async () => {
  await withStore(folder.home, () => undefined)
  fillUp()
  const corrupted = ['items', 'items_live', 'items_title', 'items_media', 'media']
  for (const name of [...corrupted, 'sqlite_autoindex_media_1']) corrupt(name, 2)
  // The text of a request is searched in only one index.
  for (const name of ['activity', 'activity_outcome', 'activity_account']) corrupt(name, 0)
  for (const sql of [
    'SELECT count(*) FROM items WHERE deleted_at IS NULL',
    'SELECT count(*) FROM items',
    'SELECT * FROM media WHERE NOT EXISTS (SELECT 1 FROM items WHERE media_id = media.id)',
    `SELECT id FROM activity NOT INDEXED WHERE sought LIKE '%no such text%'`,
    `SELECT id FROM activity WHERE outcome = 'ok' AND sought LIKE '%no such text%'`,
  ])
    expect(await meets(sql)).toBe('SQLITE_CORRUPT')

  await withStore(folder.home, (store) => {
    for (const kind of [{}, { kind: 'meeting' }] as const) {
      const first = store.items.list({ bin: false, ...kind, limit: 50 })
      expect(first).toMatchObject({ total: many, items: { length: 50 } })
      expect(
        store.items.list({ bin: false, ...kind, limit: 50, cursor: first.next ?? '' }).items[0]?.id,
      ).toBe(`i00${many - 50}`)
    }
    expect(store.items.list({ bin: true, limit: 50 }).total).toBe(0)
    expect(store.media.orphans(Date.now())).toEqual([])
    const nothing = [
      { text: 'no such text' },
      { text: 'no such text', outcome: 'ok', accountId: 'a', before: many },
      { text: 'this computer', outcome: 'failed' },
      { text: 'this computer', accountId: 'b' },
    ] as const
    for (const query of nothing)
      expect(store.activity.list({ ...query, limit: 50 }).calls).toEqual([])
    expect(store.notice.state).toBe('ok')
  })
})

test('returns orphans a few at a time, oldest first', async () => {
  await withStore(folder.home, (store) => {
    store.transaction(() => {
      for (let n = 0; n < 250; n++) addItem(store, `i${n}`, 'Item', '', n)
      store.items.purge(Array.from({ length: 240 }, (_, n) => `i${n}`))
    })
    const first = store.media.orphans(1000)
    expect(first).toHaveLength(200)
    expect(first[0]?.id).toBe('m-i0')
    for (const { id } of first) expect(store.media.remove(id)).toBe(true)
    expect(store.media.orphans(1000).map(({ id }) => id)).toEqual(
      Array.from({ length: 40 }, (_, n) => `m-i${n + 200}`),
    )
    expect(store.media.remove('m-i245')).toBe(false)
  })
})

/** Returns the stored counts and the actual counts. */
function savedAndCounted(): readonly [unknown, unknown] {
  const db = new Database(join(folder.home, 'library.db'))
  const snapshot = () => [
    db.prepare('SELECT * FROM item_counts WHERE n <> 0').all(),
    db.prepare('SELECT id, uses FROM media').all(),
  ]
  db.exec('BEGIN')
  const saved = snapshot()
  recount(db)
  const counted = snapshot()
  db.exec('ROLLBACK')
  db.close()
  return [saved, counted]
}

const totals = (store: Store): readonly number[] =>
  [false, true].map((bin) => store.items.list({ bin, limit: 1 }).total)

test('keeps counts correct through Trash, purges and rollbacks', async () => {
  await withStore(folder.home, (store) => {
    for (let n = 0; n < 12; n++) addItem(store, `i${n}`, 'Item', 'words', n)
    store.items.create({ id: 'again', kind: 'meeting', title: 'x', mediaId: 'm-i0', at: 20 })
    store.items.remove(['i1', 'i2', 'i3', 'again'], 30)
    store.items.remove(['i1'], 31)
    store.items.restore(['i2', 'i5'], 32)
    store.items.purge(['i3', 'i6', 'i6'])
    expect(() =>
      store.transaction(() => {
        store.items.purge(['i7', 'i8'])
        throw new Error('undone')
      }),
    ).toThrow('undone')
    expect(totals(store)).toEqual([9, 2])
    const [saved, counted] = savedAndCounted()
    expect(saved).toEqual(counted)
    store.erase()
    expect(totals(store)).toEqual([0, 0])
    addItem(store, 'new', 'Item', 'words')
    expect(totals(store)).toEqual([1, 0])
  })
})
