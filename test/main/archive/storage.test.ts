import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, expect, test } from 'vitest'
import { mediaPlace } from '../../../src/main/archive/places.ts'
import { lookAtStorage } from '../../../src/main/archive/storage.ts'
import { testApp, type TestApp } from '../../fixtures/app.ts'
import { fillLibrary, tablesOf, writeMedia } from '../../fixtures/full-library.ts'
import { temporaryHome, withStore } from '../store/fixture.ts'
import { randomFrom } from '../../fixtures/random.ts'

const apps: TestApp[] = []
afterEach(async () => {
  for (const app of apps.splice(0)) await app.remove()
})

const filesBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())

const canary = 'canaryWordOfEveryTable'

test('erasing leaves no word of any table in the database', async () => {
  const folder = temporaryHome()
  try {
    await withStore(folder.home, (store) => {
      // Written beside the open store, as whatever works with it is.
      const db = new Database(join(folder.home, 'library.db'))
      db.pragma('foreign_keys = OFF')
      let filled = 0
      for (const name of tablesOf(db)) filled += addCanary(db, name)
      db.close()
      expect(filled).toBeGreaterThan(50)
      store.erase()
    })
    const left = filesBelow(folder.home).filter((path) => readFileSync(path).includes(canary))
    expect(left).toEqual([])
  } finally {
    folder.remove()
  }
})

/** A row in which every text is the canary; gives the rows written. */
function addCanary(db: Database.Database, table: string): number {
  const columns = db
    .prepare<[string], { name: string; type: string }>(
      'SELECT name, type FROM pragma_table_xinfo(?) WHERE hidden = 0',
    )
    .all(table)
  const values = columns.map(({ type }) => {
    if (/INT/.test(type)) return 7
    if (type === 'REAL') return 0.5
    return type === 'BLOB' ? Buffer.from(canary) : canary
  })
  const names = columns.map((column) => `"${column.name}"`).join(', ')
  const marks = columns.map(() => '?').join(', ')
  return db.prepare(`INSERT OR IGNORE INTO "${table}"(${names}) VALUES (${marks})`).run(...values)
    .changes
}

test('erasing everything leaves no file of any folder, known or new', async () => {
  const app = await testApp()
  apps.push(app)
  const known = readdirSync(app.home).filter((name) => statSync(join(app.home, name)).isDirectory())
  const more = ['media/aa', 'meetings/m', 'quarantine', 'backups', 'speech', 'a-new-part/deep']
  for (const folder of [...known, ...more]) {
    mkdirSync(join(app.home, folder), { recursive: true })
    writeFileSync(join(app.home, folder, 'canary'), canary)
  }
  writeFileSync(join(app.home, 'take-in.json'), JSON.stringify({ id: canary }))
  await app.call('app.eraseAll', { confirm: 'erase everything' })
  await app.stop()
  expect(filesBelow(app.home).filter((path) => readFileSync(path).includes(canary))).toEqual([])
  expect(existsSync(join(app.home, 'a-new-part'))).toBe(false)
})

test('room is told by kind, shared files once; a clean-up frees what it says and nothing that is kept', async () => {
  const app = await testApp()
  apps.push(app)
  await app.stop()
  const random = randomFrom(1)
  fillLibrary({ home: app.home, random, each: 2, bytes: 5000, kinds: ['recording', 'meeting'] })
  const db = new Database(join(app.home, 'library.db'))
  db.pragma('foreign_keys = OFF')
  for (const table of ['documents', 'document_versions', 'voice_samples', 'speeches'])
    db.exec(`DELETE FROM ${table}`)
  db.exec('UPDATE items SET deleted_at = 5 WHERE seq IN (SELECT min(seq) FROM items GROUP BY kind)')
  db.close()
  const stray = writeMedia(app.home, random, 3000)
  const look = { home: app.home, computer: join(app.home, 'this-computer'), now: Date.now() }
  const kinds = await lookAtStorage(look)
  const of = (kind: string): number => kinds.find((one) => one.kind === kind)?.bytes ?? 0
  expect(of('strays')).toBe(3000)
  expect(of('bin')).toBeGreaterThan(2500)
  expect(of('meetings')).toBeGreaterThan(2500)
  const media = filesBelow(join(app.home, 'media')).reduce(
    (sum, path) => sum + statSync(path).size,
    0,
  )
  const sound = filesBelow(join(app.home, 'meetings')).reduce(
    (sum, path) => sum + statSync(path).size,
    0,
  )
  const told = [
    'recordings',
    'meetings',
    'documents',
    'pictures',
    'chats',
    'voices',
    'knowledge',
    'runs',
    'bin',
    'strays',
  ]
  expect(told.reduce((sum, kind) => sum + of(kind), 0)).toBe(media + sound)
  expect(existsSync(mediaPlace(app.home, stray.id))).toBe(true)
})
