import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { listBackups } from '../../../src/main/library-database/backup.ts'
import {
  migrations,
  supportedVersion,
  type Migration,
} from '../../../src/main/platform/database/migrate.ts'
import { openRollBack } from '../../../src/main/library-database/roll-back.ts'
import { addItem, codeOf, temporaryHome, withStore } from '../platform/database/fixture.ts'

let folder: ReturnType<typeof temporaryHome>
beforeEach(() => {
  folder = temporaryHome()
})
afterEach(() => folder.remove())

const newer: readonly Migration[] = [
  ...migrations,
  { version: 990, up: (db) => db.exec('ALTER TABLE items ADD COLUMN color TEXT') },
]
const titles = (path: string): unknown[] => {
  const db = new Database(path, { readonly: true })
  try {
    return db.prepare('SELECT title FROM items ORDER BY seq').pluck().all()
  } finally {
    db.close()
  }
}
const database = (): string => join(folder.home, 'library.db')

/** Creates a library with one item before the update, a backup of it, and one more item after it. */
async function updated(steps: readonly Migration[]): Promise<string> {
  await withStore(folder.home, async (store) => addItem(store, 'a', 'Before the update', 'x', 1))
  await withStore(folder.home, async (store) => {
    const made = await store.backup('before-update')
    expect(made.ok).toBe(true)
  })
  await withStore(folder.home, async (store) => addItem(store, 'b', 'After the update', 'x', 2), {
    migrations: steps,
  })
  const [backup] = listBackups(join(folder.home, 'backups'), Date.now()).filter(
    ({ label }) => label === 'before-update',
  )
  return backup?.path.split(/[\\/]/).at(-1) ?? ''
}

test('keeps a library the older version cannot read, and replaces it with the backup before the update', async () => {
  const backup = await updated(newer)
  expect(openRollBack(folder.home, backup, Date.now())).toBe(true)
  expect(titles(database())).toEqual(['Before the update'])
  const savedBackup = listBackups(join(folder.home, 'backups'), Date.now()).find(
    ({ label }) => label === 'before-restore',
  )
  expect(titles(savedBackup?.path ?? '')).toEqual(['Before the update', 'After the update'])
  // The older version opens it for writing without a notice.
  await withStore(folder.home, async (store) => {
    expect(store.notice).toEqual({ state: 'ok' })
    expect(store.writable).toBe(true)
  })
  expect(readdirSync(folder.home).filter((name) => name.includes('restoring'))).toEqual([])
})

test('leaves a library unchanged that the older version can read', async () => {
  const backup = await updated(migrations)
  expect(openRollBack(folder.home, backup, Date.now())).toBe(false)
  expect(titles(database())).toEqual(['Before the update', 'After the update'])
})

test.each([
  ['is missing', 'library-20200101T000000000-before-update.db', 'NOT_FOUND'],
  ['has a path as its name', '../library.db', 'NOT_FOUND'],
])('changes nothing for a backup that %s', async (_name, backup, code) => {
  await updated(newer)
  expect(await codeOf(async () => openRollBack(folder.home, backup, Date.now()))).toBe(code)
  expect(titles(database())).toHaveLength(2)
  expect(existsSync(`${database()}.restoring`)).toBe(false)
})

test('does not offer a backup of the newer version to the older one', async () => {
  await updated(newer)
  await withStore(folder.home, async (store) => void (await store.backup('by-hand')), {
    migrations: newer,
  })
  const made = listBackups(join(folder.home, 'backups'), Date.now()).find(
    ({ label }) => label === 'by-hand',
  )
  const name = made?.path.split(/[\\/]/).at(-1) ?? ''
  const code = await codeOf(async () => openRollBack(folder.home, name, Date.now()))
  expect(code).toBe('DATABASE_FROM_FUTURE')
  expect(titles(database())).toHaveLength(2)
  expect(supportedVersion(newer)).toBeGreaterThan(supportedVersion())
})
