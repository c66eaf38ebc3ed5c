import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ArchiveRefused } from '../../../../../src/main/platform/zip/archive-errors.ts'
import { migrateState } from '../../../../../src/main/domains/library/archive/archive-migrate.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'lectern-state-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

/** Creates the state of the local service changed by `sql`. */
function state(sql: string): string {
  const path = join(root, 'state.db')
  const db = new Database(path)
  db.unsafeMode(true)
  db.exec(`CREATE TABLE kept(x); CREATE VIRTUAL TABLE words USING fts5(text); ${sql}`)
  db.close()
  return path
}

test('keeps tables of a foreign state, and removes views and triggers', () => {
  const path = state(
    `CREATE VIEW evil AS SELECT 1; CREATE TRIGGER worse AFTER INSERT ON kept BEGIN DELETE FROM kept; END`,
  )
  migrateState(path, 'state.db')
  const db = new Database(path)
  const kinds = db.prepare('SELECT DISTINCT type FROM sqlite_schema ORDER BY type').pluck().all()
  db.close()
  expect(kinds.filter((kind) => kind !== 'index')).toEqual(['table'])
})

test.each([
  ['in standard form', 'CREATE VIRTUAL TABLE stat USING dbstat'],
  ['with extra whitespace', 'CREATE  VIRTUAL TABLE stat USING dbstat'],
  ['with a comment', 'CREATE/**/VIRTUAL TABLE stat USING dbstat'],
])('rejects a virtual table: %s', (_how, sql) => {
  const path = state(`PRAGMA writable_schema = ON;
    INSERT INTO sqlite_schema VALUES ('table', 'stat', 'stat', 0, '${sql}')`)
  expect(() => migrateState(path, 'state.db')).toThrow(ArchiveRefused)
})
