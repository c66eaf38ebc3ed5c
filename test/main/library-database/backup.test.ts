import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { listBackups } from '../../../src/main/library-database/backup.ts'
import {
  migrations,
  supportedVersion,
  type Migration,
} from '../../../src/main/platform/database/migrate.ts'
import { dueForBackup } from '../../../src/main/library-database/open.ts'
import { addItem, codeOf, temporaryHome, withStore, textOf } from '../platform/database/fixture.ts'

let folder: ReturnType<typeof temporaryHome>
let backups: string

beforeEach(() => {
  folder = temporaryHome()
  backups = join(folder.home, 'backups')
})

afterEach(() => folder.remove())

const day = 86_400_000

const later: Migration = {
  version: 990,
  up: (db) => db.exec('ALTER TABLE items ADD COLUMN colour TEXT'),
}

test('creates a complete backup while the store is in use; keeps the two newest', async () => {
  await withStore(folder.home, async (store) => {
    for (let n = 0; n < 60; n++) addItem(store, `i${n}`, `Item ${n}`, 'words '.repeat(500), n)
    const copying = store.backup()
    addItem(store, 'meanwhile', 'Written meanwhile', 'x', 99)
    const first = await copying
    expect(first.ok).toBe(true)
    await store.backup()
    const last = await store.backup()
    const paths = listBackups(backups, Date.now()).map((backup) => backup.path)
    expect(paths).toHaveLength(2)
    expect(last).toEqual({ ok: true, path: paths[0] })
    const db = new Database(paths[0], { readonly: true })
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok')
    expect(db.prepare('SELECT count(*) AS n FROM items').get()).toEqual({ n: 61 })
    db.close()
    expect(store.size().backups).toBeGreaterThan(0)
  })
  // Nothing besides the two files: no partial copies, no side files.
  expect(readdirSync(backups)).toHaveLength(2)
})

test('keeps the last backup with items while the newest ones are empty', async () => {
  await withStore(folder.home, async (store) => {
    addItem(store, 'a', 'Precious', 'words')
    await store.backup()
    const [full] = listBackups(backups, Date.now())
    store.items.purge(['a'])
    for (let n = 0; n < 3; n++) expect((await store.backup()).ok).toBe(true)
    const left = listBackups(backups, Date.now())
    expect(left).toHaveLength(3)
    expect(left[2]).toEqual(full)
    addItem(store, 'b', 'New', 'words')
    await store.backup()
    expect(listBackups(backups, Date.now())).toHaveLength(2)
  })
})

test('makes one backup for two simultaneous requests', async () => {
  await withStore(folder.home, async (store) => {
    const [one, two] = await Promise.all([store.backup(), store.backup()])
    expect(one).toEqual(two)
    expect(listBackups(backups, Date.now())).toHaveLength(1)
  })
})

test('closing during a backup waits for it and leaves no partial copy', async () => {
  const copying = await withStore(folder.home, (store) => {
    for (let n = 0; n < 200; n++) addItem(store, `i${n}`, `Item ${n}`, 'words '.repeat(2000), n)
    return { result: store.backup() }
  })
  const result = await copying.result
  expect(readdirSync(backups)).toHaveLength(result.ok ? 1 : 0)
})

test('a backup is due once a day', async () => {
  expect(dueForBackup(backups, Date.now())).toBe(true)
  await withStore(folder.home, (store) => store.backup())
  const at = listBackups(backups, Date.now())[0]?.at ?? 0
  expect(dueForBackup(backups, at + day - 1)).toBe(false)
  expect(dueForBackup(backups, at + day)).toBe(true)
  // A clock set back by an hour does not cause a copy in every round.
  expect(dueForBackup(backups, at - 3_600_000)).toBe(false)
  writeFileSync(join(backups, 'library-20990101T000000000.db.partial'), 'half')
  expect(dueForBackup(backups, at + day)).toBe(true)
})

test('after a clock was years ahead, keeps and restores the new backup, which is not due again', async () => {
  let now = Date.UTC(2030, 0, 1)
  const clock = (): number => now
  const names = (): readonly string[] => readdirSync(backups).toSorted()
  await withStore(
    folder.home,
    async (store) => {
      await store.backup()
      now += day
      await store.backup()
      addItem(store, 'a', 'Made since', 'words')
      now = Date.UTC(2026, 5, 1)
      expect(dueForBackup(backups, now)).toBe(true)
      const made = await store.backup()
      expect(made).toMatchObject({ ok: true, path: join(backups, 'library-20260601T000000000.db') })
      expect(names()).toEqual(['library-20260601T000000000.db', 'library-20300102T000000000.db'])
      expect(dueForBackup(backups, now + 1_800_000)).toBe(false)
    },
    { clock },
  )
  writeFileSync(join(folder.home, 'library.db'), 'junk'.repeat(5000))
  await withStore(
    folder.home,
    async (store) => {
      expect(store.notice).toMatchObject({ state: 'restored', backupAt: now })
      expect(store.items.summary('a')?.title).toBe('Made since')
      now += day
      await store.backup()
      expect(names()).toEqual(['library-20260601T000000000.db', 'library-20260602T000000000.db'])
    },
    { clock },
  )
})

test('copies the old database before a migration; the data is there afterwards', async () => {
  await withStore(folder.home, (store) => addItem(store, 'a', 'Before', 'old words'))
  expect(existsSync(backups)).toBe(false)
  await withStore(
    folder.home,
    async (store) => {
      expect(store.notice).toEqual({ state: 'ok' })
      expect(store.items.summary('a')?.title).toBe('Before')
    },
    { migrations: [...migrations, later] },
  )
  const [copy] = listBackups(backups, Date.now())
  const db = new Database(copy?.path, { readonly: true })
  expect(db.pragma('user_version', { simple: true })).toBe(supportedVersion())
  db.close()
})

test('a migration that fails midway leaves the database unchanged, including its version', async () => {
  await withStore(folder.home, (store) => addItem(store, 'a', 'Before', 'old words'))
  const failing: Migration = {
    version: 990,
    up: (db) => {
      db.exec('DELETE FROM meeting_lines; DROP TABLE replies; CREATE TABLE half(a)')
      throw new Error('The plan was wrong')
    },
  }
  await withStore(
    folder.home,
    async (store) => {
      expect(store.notice).toMatchObject({ state: 'read-only' })
      expect(store.items.summary('a')?.title).toBe('Before')
      expect(store.items.list({ bin: false, limit: 5 }).total).toBe(1)
      expect(await codeOf(() => addItem(store, 'b', 'b', 'b'))).toBe('READ_ONLY')
    },
    { migrations: [...migrations, failing] },
  )
  const db = new Database(join(folder.home, 'library.db'), { readonly: true })
  expect(db.pragma('user_version', { simple: true })).toBe(supportedVersion())
  db.close()
  await withStore(folder.home, (store) => {
    expect(store.notice).toEqual({ state: 'ok' })
    expect(textOf(store, 'a')).toBe('old words')
  })
})
