import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ArchiveRefused } from '../../../../../src/main/platform/zip/archive-errors.ts'
import { migrateDatabase } from '../../../../../src/main/domains/library/archive/archive-migrate.ts'
import { mergeLibrary } from '../../../../../src/main/domains/library/archive/archive-merge.ts'
import { migrate } from '../../../../../src/main/platform/database/migrate.ts'
import { prepareForWriting } from '../../../../../src/main/platform/database/open-file.ts'
import { storePaths } from '../../../../../src/main/platform/database/paths.ts'
import { tables } from '../../../../../src/main/platform/database/schema.ts'
import { testApp } from '../../../../fixtures/app.ts'
import { fillLibrary } from '../../../../fixtures/full-library.ts'
import { openEveryPage, corrupt } from '../../../../fixtures/junk-library.ts'
import { randomFrom } from '../../../../fixtures/random.ts'

let root: string
let whole: string
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'lectern-junk-'))
  fillLibrary({ home: join(root, 'whole'), random: randomFrom(8), each: 1, bytes: 50 })
  whole = storePaths(join(root, 'whole')).database
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** Imports an archive after `change`: returns the library's database, or null if it is refused. */
function arrived(name: string, change: (db: Database.Database) => void): string | null {
  const from = join(root, `${name}.db`)
  copyFileSync(whole, from)
  const db = new Database(from)
  change(db)
  db.close()
  try {
    migrateDatabase(from)
  } catch (error) {
    if (error instanceof ArchiveRefused) return null
    throw error
  }
  const home = join(root, name)
  mkdirSync(home)
  const library = new Database(storePaths(home).database)
  prepareForWriting(library)
  migrate(library)
  library.prepare('ATTACH ? AS src').run(from)
  mergeLibrary(library, {})
  library.close()
  return home
}

/** Opens every page with an imported library; returns the routes that failed unexpectedly. */
async function broken(home: string): Promise<readonly string[]> {
  const app = await testApp({ home })
  const db = new Database(storePaths(home).database, { readonly: true })
  const failed: string[] = []
  try {
    await openEveryPage(db, async (route, payload) => {
      const reply = await app.raw(route, payload)
      if (!reply.ok && ['INTERNAL', 'BAD_REQUEST'].includes(reply.error.code))
        failed.push(`${route} ${JSON.stringify(payload)} ${reply.error.message}`)
    })
  } finally {
    db.close()
    await app.stop()
  }
  return failed.concat(app.logLines.filter((line) => line.includes('"error"')).slice(0, 3))
}

test('opens every page with an intact imported library', async () => {
  const home = arrived('sound', () => undefined)
  expect(home && (await broken(home))).toEqual([])
})

test('opens every page or rejects the archive with junk in any column', async () => {
  const random = randomFrom(20)
  let received = 0
  for (const round of [1, 2]) {
    const home = arrived(`junk-${round}`, (db) => corrupt(db, random, round === 1 ? 1 : 0.5))
    if (home === null) continue
    received += 1
    expect(await broken(home)).toEqual([])
  }
  expect(received).toBe(2)
})

test.each([
  [
    'all parts',
    [
      [5, 4, ' two'],
      [9, 6, ' three'],
    ],
    ' two three',
  ],
  [
    'the parts before a gap',
    [
      [5, 4, ' two'],
      [10, 6, ' three'],
    ],
    ' two',
  ],
  [
    'the parts before a wrong length',
    [
      [5, 4, ' two'],
      [9, 60, ' three'],
      [69, 5, ' four'],
    ],
    ' two',
  ],
  [
    'no part that overlaps the beginning',
    [
      [2, 4, ' two'],
      [6, 6, ' three'],
    ],
    null,
  ],
] as const)('imports of a long answer %s', (name, parts, left) => {
  const home = arrived(name, (db) => {
    db.exec('DELETE FROM message_parts')
    const seq = db.prepare('SELECT min(message_seq) FROM message_bodies').pluck().get()
    db.prepare('UPDATE message_bodies SET text = ? WHERE message_seq = ?').run('One🙂', seq)
    const add = db.prepare(
      `INSERT INTO message_parts(message_seq, kind, start, units, text) VALUES (?, 'text', ?, ?, ?)`,
    )
    for (const part of parts) add.run(seq, ...part)
  })
  const db = new Database(storePaths(home ?? '').database, { readonly: true })
  const text = db.prepare(`SELECT group_concat(text, '' ORDER BY start) FROM message_parts`).pluck()
  expect(text.get()).toBe(left)
  db.close()
})

test('rejects an archive with an unknown enum value', () => {
  const columns = tables.flatMap(({ name, values = {} }) =>
    Object.keys(values).map((column) => [name, column] as const),
  )
  const taken = columns.filter(([table, name]) =>
    arrived(`${table}.${name}`, (db) =>
      db.exec(`UPDATE "${table}" SET "${name}" = 'of-a-stranger'`),
    ),
  )
  expect(taken).toEqual([])
})
