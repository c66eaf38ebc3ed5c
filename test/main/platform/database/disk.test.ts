import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { createConnection } from '../../../../src/main/platform/database/connection.ts'
import { migrations, type Migration } from '../../../../src/main/platform/database/migrate.ts'
import { openStore } from '../../../../src/main/library-database/open.ts'
import type { Store } from '../../../../src/main/library-database/store.ts'
import { lockableFolder, smallDisk } from './disk.ts'
import { addItem, codeOf, storeOptions, temporaryHome, withStore, textOf } from './fixture.ts'

const filler = 'words that fill a disk 填满磁盘 '.repeat(400)

/** Adds items until it fails; returns the number of complete items and the error code. */
async function fillUp(store: Store): Promise<{ readonly added: number; readonly code: string }> {
  for (let n = 0; n < 5000; n++) {
    const code = await codeOf(() => addItem(store, `i${n}`, `Item ${n}`, `${n} ${filler}`, n))
    if (code !== 'none') return { added: n, code }
  }
  return { added: 5000, code: 'none' }
}

test('throws DISK_FULL if the database must not grow, and rolls the transaction back', async () => {
  const connection = createConnection({ damage: () => undefined })
  const db = new Database(':memory:')
  db.exec('CREATE TABLE t(a)')
  db.pragma('max_page_count = 20')
  connection.attach(db, true)
  const write = () =>
    connection.transaction(() => {
      for (let n = 0; n < 1000; n++) connection.run('INSERT INTO t VALUES (?)', 'x'.repeat(1000))
    })
  expect(await codeOf(write)).toBe('DISK_FULL')
  expect(connection.get<{ n: number }>('SELECT count(*) AS n FROM t')).toEqual({ n: 0 })
  connection.transaction(() => connection.run('INSERT INTO t VALUES (1)'))
  expect(connection.get<{ n: number }>('SELECT count(*) AS n FROM t')).toEqual({ n: 1 })
  db.close()
})

/**
 * Migration that changes nothing but prevents the store's own connection from growing: the equivalent of a full disk for
 * SQLite.
 */
const full: Migration = {
  version: 990,
  up: (db) => {
    db.pragma('max_page_count = 1200')
  },
}

/** Asserts the invariants of a library whose disk is full; returns the number of items. */
async function staysWhole(store: Store): Promise<number> {
  const result = await fillUp(store)
  expect(result.code).toBe('DISK_FULL')
  expect(result.added).toBeGreaterThan(10)
  expect(store.items.list({ bin: false, limit: 1 }).total).toBe(result.added)
  expect((await store.search.search({ query: '磁盘', limit: 5 })).hits).toHaveLength(5)
  return result.added
}

test('throws DISK_FULL for writes to a full disk, while reading and searching still work', async () => {
  const folder = temporaryHome()
  const added = await withStore(folder.home, staysWhole, { migrations: [...migrations, full] })
  await withStore(
    folder.home,
    (store) => {
      expect(store.items.list({ bin: false, limit: 1 }).total).toBe(added)
      addItem(store, 'room', 'Made room', 'words')
    },
    { migrations: [...migrations, { ...full, up: () => undefined }] },
  )
  folder.remove()
})

test('handles a disk that is actually full (if it can be mounted) and skips the backup', async () => {
  const disk = smallDisk(6 * 1024 * 1024)
  // Without the permission to mount, the test above covers this one.
  if (!disk) return
  try {
    const home = join(disk.path, 'home')
    const added = await withStore(home, async (store) => {
      const whole = await staysWhole(store)
      expect(await store.backup()).toMatchObject({ ok: false, error: { code: 'DISK_FULL' } })
      expect(readdirSync(join(home, 'backups'))).toEqual([])
      return whole
    })
    await withStore(home, (store) => {
      expect(store.items.list({ bin: false, limit: 1 }).total).toBe(added)
    })
  } finally {
    disk.remove()
  }
})

test('opens a read-only folder for viewing and searching, and reports it', async () => {
  const folder = lockableFolder()
  const home = join(folder.path, 'home')
  try {
    await withStore(home, (store) => addItem(store, 'a', 'Kept', 'still readable 可读'))
    await folder.locked(() =>
      withStore(home, async (store) => {
        expect(store.notice).toMatchObject({ state: 'read-only', error: { code: 'READ_ONLY' } })
        expect(store.writable).toBe(false)
        expect(textOf(store, 'a')).toBe('still readable 可读')
        expect(store.items.list({ bin: false, limit: 1 }).total).toBe(1)
        expect((await store.search.search({ query: '可读', limit: 5 })).hits).toHaveLength(1)
        expect(await codeOf(() => addItem(store, 'b', 'b', 'b'))).toBe('READ_ONLY')
        expect(await codeOf(() => store.settings.update({ theme: 'dark' }))).toBe('READ_ONLY')
      }),
    )
    await withStore(home, (store) => expect(store.notice).toEqual({ state: 'ok' }))
  } finally {
    folder.remove()
  }
})

test('opens an empty library for a read-only folder without data', async () => {
  const folder = lockableFolder()
  try {
    await folder.locked(() =>
      withStore(join(folder.path, 'home'), async (store) => {
        expect(store.notice.state).toBe('read-only')
        expect(store.items.list({ bin: false, limit: 5 }).total).toBe(0)
        expect(store.accounts.list()).toHaveLength(1)
        expect((await store.search.search({ query: 'x', limit: 5 })).hits).toEqual([])
      }),
    )
  } finally {
    folder.remove()
  }
})

test('reports that a store is closed, and allows closing it twice', async () => {
  const folder = temporaryHome()
  const store = await openStore(storeOptions(folder.home))
  await store.close()
  await store.close()
  expect(await codeOf(() => store.settings.get())).toBe('CANCELLED')
  folder.remove()
})
