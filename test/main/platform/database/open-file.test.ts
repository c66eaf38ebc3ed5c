import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { removal } from '../../../../src/system/file-moves.ts'
import { openFile, prepareForWriting } from '../../../../src/main/platform/database/open-file.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lectern-open-'))
})
afterEach(() => rmSync(folder, removal))

test('does not treat a database as writable that SQLite opened read-only, as on Windows', () => {
  const path = join(folder, 'library.db')
  const writer = openFile(path)
  prepareForWriting(writer)
  writer.exec('CREATE TABLE one (x)')
  const reader = new Database(path, { readonly: true })
  expect(() => prepareForWriting(reader)).toThrow(
    expect.objectContaining({ code: 'SQLITE_READONLY' }),
  )
  reader.close()
  writer.close()
})

test('opens a database at a path of more than 260 characters', () => {
  const path = join(folder, ...Array<string>(12).fill('a folder of a long name'), 'library.db')
  expect(path.length).toBeGreaterThan(260)
  mkdirSync(dirname(path), { recursive: true })
  const db = openFile(path)
  prepareForWriting(db)
  db.exec('CREATE TABLE one (x); INSERT INTO one VALUES (1)')
  db.close()
  const again = openFile(path)
  expect(again.prepare('SELECT x FROM one').get()).toEqual({ x: 1 })
  again.close()
})
