import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { assertUsable } from '../../../../src/main/library-database/backup-restore.ts'
import {
  migrate,
  migrations,
  supportedVersion,
} from '../../../../src/main/platform/database/migrate.ts'
import { addItem, codeOf, temporaryHome, withStore } from './fixture.ts'

let folder: ReturnType<typeof temporaryHome>
beforeEach(() => {
  folder = temporaryHome()
  mkdirSync(folder.home, { recursive: true })
})
afterEach(() => folder.remove())

const database = (): string => join(folder.home, 'library.db')

type Rows = Readonly<Record<string, readonly unknown[]>>

/** Returns the rows of all tables, and requires an intact file. */
function readRows(): Rows {
  const db = new Database(database(), { readonly: true })
  try {
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok')
    expect(db.pragma('foreign_key_check')).toEqual([])
    const tables = db
      .prepare<[], string>(`SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name`)
      .pluck()
      .all()
    return Object.fromEntries(
      tables.map((table) => [table, db.prepare(`SELECT * FROM "${table}"`).all()]),
    )
  } finally {
    db.close()
  }
}

test('versions are multiples of ten in ascending order', () => {
  const versions = migrations.map(({ version }) => version)
  expect(versions).toEqual(versions.toSorted((a, b) => a - b))
  expect(versions.filter((version) => version % 10 !== 0)).toEqual([])
})

/**
 * Made by the 27 migrations before the first schema, with rows in all tables but those whose rows are removed when idle.
 */
test('opens a library of the former migrations with everything in it', async () => {
  const saved = join(import.meta.dirname, '../../../fixtures/library-270.db.gz')
  writeFileSync(database(), gunzipSync(readFileSync(saved)))
  const before = readRows()
  expect(Object.values(before).filter((rows) => rows.length > 0).length).toBeGreaterThan(80)
  await withStore(folder.home, async (store) => {
    expect(store.notice).toEqual({ state: 'ok' })
    const { items } = store.items.list({ bin: false, limit: 100 })
    const kinds = [
      'conversation',
      'document',
      'meeting',
      'recording',
      'retrieval',
      'speech',
      'voice',
    ]
    expect([...new Set(items.map(({ kind }) => kind))].toSorted()).toEqual(kinds)
    for (const { id, title } of items) {
      const { hits } = await store.search.search({ query: title, limit: 50 })
      expect(hits.map(({ itemId }) => itemId)).toContain(id)
    }
  })
  const after = readRows()
  const version = { key: 'app', value: '0.0.0' }
  for (const [table, rows] of Object.entries(before))
    expect(after[table], table).toEqual(table === 'library_facts' ? [...rows, version] : rows)
  // Its schema is the one that a new library gets.
  const model = new Database(':memory:')
  migrate(model)
  const found = new Database(database(), { readonly: true })
  const schemaOf = (db: Database.Database): readonly string[] =>
    db
      .prepare<[], string>(
        `SELECT type || ' ' || name || ' ' || coalesce(sql, '') FROM sqlite_schema ORDER BY type, name`,
      )
      .pluck()
      .all()
      .map((line) => line.replace(/\s+/g, ' ').replace(/ ?([(),]) ?/g, '$1'))
  expect(schemaOf(found)).toEqual(schemaOf(model))
  found.close()
})

test('leaves a database of a test version unchanged, and says so', async () => {
  const db = new Database(database())
  db.exec('CREATE TABLE items(id TEXT); PRAGMA user_version = 260')
  db.close()
  const before = readFileSync(database())
  await withStore(folder.home, (store) => {
    expect(store.writable).toBe(false)
    expect(store.notice).toMatchObject({ state: 'read-only', error: { code: 'DATABASE_TOO_OLD' } })
    expect(store.items.list({ bin: false, limit: 1 }).total).toBe(0)
  })
  expect(readFileSync(database())).toEqual(before)
  expect(await codeOf(() => assertUsable(database()))).toBe('DATABASE_TOO_OLD')
})

test('leaves a complete library when killed during a migration', async () => {
  await withStore(folder.home, (store) => {
    for (let n = 0; n < 20; n++)
      addItem(store, `i${n}`, `Title ${n}`, `words of number${n} 会议`, n)
  })
  const before = readRows()
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, 'stuck-migration.ts'), database()],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  await once(child.stdout, 'data')
  // Pages of the migration are already in the WAL.
  expect(statSync(`${database()}-wal`).size).toBeGreaterThan(100_000)
  child.kill('SIGKILL')
  await once(child, 'close')
  const db = new Database(database())
  expect(db.pragma('user_version', { simple: true })).toBe(supportedVersion())
  db.close()
  expect(readRows()).toEqual(before)
  await withStore(folder.home, async (store) => {
    const { hits } = await store.search.search({ query: 'number7', limit: 5 })
    expect(hits.map(({ itemId }) => itemId)).toEqual(['i7'])
  })
})
