import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { createConnection } from '../../../src/main/store/connection.ts'
import { migrations, type Migration } from '../../../src/main/store/migrations/index.ts'
import { openStore } from '../../../src/main/store/open.ts'
import type { Store } from '../../../src/main/store/types.ts'
import { lockableFolder, smallDisk } from './disk.ts'
import { addItem, codeOf, storeOptions, temporaryHome, withStore } from './fixture.ts'

const filler = 'words that fill a disk 填满磁盘 '.repeat(400)

/** Adds items until it fails; how many are whole, and the code of the failure. */
async function fillUp(store: Store): Promise<{ readonly added: number; readonly code: string }> {
  for (let n = 0; n < 5000; n++) {
    const code = await codeOf(() => addItem(store, `i${n}`, `Item ${n}`, `${n} ${filler}`, n))
    if (code !== 'none') return { added: n, code }
  }
  return { added: 5000, code: 'none' }
}

test('a database that may not grow is DISK_FULL, and the transaction leaves nothing', async () => {
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

/** A step that changes nothing but lets the store's own connection grow no further: what a full disk is to SQLite. */
const full: Migration = {
  version: 990,
  up: (db) => {
    db.pragma('max_page_count = 1200')
  },
}

/** What must hold in a library whose disk is full; gives the items that are there. */
async function staysWhole(store: Store): Promise<number> {
  const result = await fillUp(store)
  expect(result.code).toBe('DISK_FULL')
  expect(result.added).toBeGreaterThan(10)
  expect(store.items.list({ bin: false, limit: 1 }).total).toBe(result.added)
  expect((await store.search.search({ query: '磁盘', limit: 5 })).hits).toHaveLength(5)
  return result.added
}

test('on a full disk writes say DISK_FULL, reading and searching go on, and nothing is half there', async () => {
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

test('a disk that is really full (where this process may mount one) does no worse, and has no room for a backup', async () => {
  const disk = smallDisk(6 * 1024 * 1024)
  // Without the right to mount, the test above stands for this one.
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

test('a folder that cannot be written can be looked at and searched, and says so', async () => {
  const folder = lockableFolder()
  const home = join(folder.path, 'home')
  try {
    await withStore(home, (store) => addItem(store, 'a', 'Kept', 'still readable 可读'))
    await folder.locked(() =>
      withStore(home, async (store) => {
        expect(store.notice).toMatchObject({ state: 'read-only', error: { code: 'READ_ONLY' } })
        expect(store.writable).toBe(false)
        expect(store.items.get('a')?.transcripts[0]?.text).toBe('still readable 可读')
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

test('a folder that cannot be written and holds nothing opens empty', async () => {
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

test('a store that is closed says so, and closing twice is fine', async () => {
  const folder = temporaryHome()
  const store = await openStore(storeOptions(folder.home))
  await store.close()
  await store.close()
  expect(await codeOf(() => store.settings.get())).toBe('CANCELLED')
  folder.remove()
})
