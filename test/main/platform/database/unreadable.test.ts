import { mkdtempSync, readFileSync, readSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { AppError } from '../../../../src/main/errors.ts'
import { createConnection } from '../../../../src/main/platform/database/connection.ts'
import { copyReadable, type Read } from '../../../../src/main/platform/database/copy-readable.ts'
import { codeOf } from './fixture.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lectern-unreadable-'))
})

afterEach(() => rmSync(folder, { recursive: true }))

/** Simulates a disk that cannot be read between two positions. */
const dying =
  (from: number, to: number): Read =>
  (file, buffer, length, position) => {
    if (position < to && position + length > from)
      throw Object.assign(new Error('input/output error'), { code: 'EIO' })
    return readSync(file, buffer, 0, length, position)
  }

test.each([
  ['SQLITE_IOERR_READ', true],
  ['SQLITE_IOERR_SHORT_READ', true],
  ['SQLITE_IOERR_CORRUPTFS', true],
  ['SQLITE_CORRUPT_INDEX', true],
  ['SQLITE_NOTADB', true],
  ['SQLITE_IOERR_WRITE', false],
  ['SQLITE_FULL', false],
  ['SQLITE_BUSY', false],
])('%s starts the recovery: %s', async (code, starts) => {
  const reported: AppError[] = []
  const connection = createConnection({ damage: (error) => reported.push(error) })
  const db = new Database(':memory:')
  connection.attach(db, true)
  const met = await codeOf(() =>
    connection.use(() => {
      throw Object.assign(new Error('from SQLite'), { code })
    }),
  )
  await new Promise((done) => setImmediate(done))
  // Errors classified as damage are repaired, and no others.
  expect(met === 'DATABASE_DAMAGED').toBe(starts)
  expect(reported.map((error) => error.code)).toEqual(starts ? ['DATABASE_DAMAGED'] : [])
  db.close()
})

test('copies everything from a failing disk except unreadable sectors', () => {
  const [from, to] = [join(folder, 'from'), join(folder, 'to')]
  const bytes = Buffer.from(Uint8Array.from({ length: 300_001 }, (_, n) => (n % 251) + 1))
  writeFileSync(from, bytes)
  copyReadable(from, to, dying(100_000, 101_000))
  const expected = Buffer.from(bytes)
  expected.fill(0, 98_304, 102_400)
  expect(readFileSync(to).equals(expected)).toBe(true)
})

test.each([
  ['the entire disk is unreadable', 5000, 300_000],
  ['the first page is unreadable', 0, 10],
])('rejects the copy when %s', async (_what, start, end) => {
  const from = join(folder, 'from')
  writeFileSync(from, Buffer.alloc(300_000, 1))
  expect(await codeOf(() => copyReadable(from, join(folder, 'to'), dying(start, end)))).toBe('EIO')
})
