import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { recount } from '../../../src/main/store/counts.ts'
import { library } from '../../../src/main/store/migrations/0010-library.ts'
import type { Store } from '../../../src/main/store/types.ts'
import { addItem, temporaryHome, withStore } from './fixture.ts'

let folder: ReturnType<typeof temporaryHome>

beforeEach(() => {
  folder = temporaryHome()
})

afterEach(() => folder.remove())

const many = 300_000
const calls = 50_000

/** Rows in the size of a library that grew for years. */
function fillUp(): void {
  const db = new Database(join(folder.home, 'library.db'))
  const numbers = (n: number): string =>
    `WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < ${n})`
  db.exec(`BEGIN;
    ${numbers(many)} INSERT INTO media(id, sha256, bytes, mime, name, created_at)
      SELECT 'm' || x, '', 1, 'audio/wav', 'n', x FROM n;
    ${numbers(many)} INSERT INTO items(id, kind, title, media_id, created_at, updated_at)
      SELECT 'i' || x, 'recording', 't' || x, 'm' || x, x, x FROM n;
    ${numbers(calls)} INSERT INTO activity(at, account_id, account_name, operation, method, path, model, outcome, queued_ms,
        duration_ms, bytes_sent, bytes_received, attempt, request_id, log_id)
      SELECT x, 'a', 'This computer', 'transcriptions.create', 'POST', '/paas/v4/audio/transcriptions', 'gen-asr-2512', 'ok', 0,
        1, 1, 1, 1, hex(randomblob(16)), hex(randomblob(16)) FROM n;
    COMMIT`)
  db.close()
}

/** Milliseconds of the fastest of a few runs: what the work itself takes on a machine that does other things too. */
function fastest(work: () => void): number {
  return Math.min(
    ...Array.from({ length: 7 }, () => {
      const start = performance.now()
      work()
      return performance.now() - start
    }),
  )
}

/** What a look at Activity would do without its index. */
function readRows(): void {
  const db = new Database(join(folder.home, 'library.db'), { readonly: true })
  const sought = `operation || char(10) || path || coalesce(model, '') || account_name`
  db.prepare(`SELECT * FROM activity NOT INDEXED WHERE ${sought} LIKE '%no such text%'`).all()
  db.close()
}

test('no look at a library of 300,000 items and 50,000 calls holds the page for a frame', async () => {
  await withStore(folder.home, () => undefined)
  fillUp()
  await withStore(folder.home, (store) => {
    expect(store.items.list({ bin: false, limit: 50 })).toMatchObject({ total: many })
    expect(fastest(() => store.items.list({ bin: false, limit: 50 }))).toBeLessThan(10)
    expect(
      fastest(() => store.items.list({ bin: false, kind: 'recording', limit: 50 })),
    ).toBeLessThan(10)
    expect(store.media.orphans(Date.now())).toEqual([])
    expect(fastest(() => store.media.orphans(Date.now()))).toBeLessThan(5)
    expect(store.activity.list({ text: 'no such text', limit: 50 }).calls).toEqual([])
    // Beside reading the rows themselves on the same machine: the index holds all that is looked at.
    const rows = fastest(readRows)
    expect(fastest(() => store.activity.list({ text: 'no such text', limit: 50 }))).toBeLessThan(
      rows / 2,
    )
    const filtered = { text: 'no such text', outcome: 'ok', accountId: 'a', limit: 50 } as const
    expect(fastest(() => store.activity.list(filtered))).toBeLessThan(rows / 2)
  })
})

test('orphans come a few at a time, the oldest first', async () => {
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

/** What is kept, beside what counting gives. */
function keptAndCounted(): readonly [unknown, unknown] {
  const db = new Database(join(folder.home, 'library.db'))
  const look = () => [
    db.prepare('SELECT * FROM item_counts WHERE n <> 0').all(),
    db.prepare('SELECT id, uses FROM media').all(),
  ]
  db.exec('BEGIN')
  const kept = look()
  recount(db)
  const counted = look()
  db.exec('ROLLBACK')
  db.close()
  return [kept, counted]
}

const totals = (store: Store): readonly number[] =>
  [false, true].map((bin) => store.items.list({ bin, limit: 1 }).total)

test('counts stay right through the bin, purges and what was rolled back', async () => {
  await withStore(folder.home, (store) => {
    for (let n = 0; n < 12; n++) addItem(store, `i${n}`, 'Item', 'words', n)
    store.items.create({ id: 'again', kind: 'recording', title: 'x', mediaId: 'm-i0', at: 20 })
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
    const [kept, counted] = keptAndCounted()
    expect(kept).toEqual(counted)
    store.erase()
    expect(totals(store)).toEqual([0, 0])
    addItem(store, 'new', 'Item', 'words')
    expect(totals(store)).toEqual([1, 0])
  })
})

test('a library from before the counts gets them, and its calls are found', async () => {
  await withStore(
    folder.home,
    (store) => {
      const db = new Database(join(folder.home, 'library.db'))
      db.exec(`
        INSERT INTO media(id, sha256, bytes, mime, name, created_at) VALUES ('m', '', 1, 'audio/wav', 'n', 1), ('o', '', 1, 'x', 'n', 1);
        INSERT INTO items(id, kind, title, media_id, created_at, updated_at, deleted_at)
          VALUES ('a', 'recording', 'A', 'm', 1, 1, NULL), ('b', 'recording', 'B', 'm', 1, 1, 5)`)
      db.close()
      expect(store.items.get('a')?.title).toBe('A')
    },
    { migrations: [library] },
  )
  await withStore(folder.home, (store) => {
    expect(totals(store)).toEqual([1, 1])
    expect(store.media.orphans(10).map(({ id }) => id)).toEqual(['o'])
    const [kept, counted] = keptAndCounted()
    expect(kept).toEqual(counted)
  })
})
