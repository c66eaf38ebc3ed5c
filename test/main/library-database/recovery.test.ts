import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
  closeSync,
} from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { expectPrivate } from '../../fixtures/private.ts'
import type { StorageNotice } from '../../../src/shared/contract/app.ts'
import { supportedVersion } from '../../../src/main/platform/database/migrate.ts'
import { openStore } from '../../../src/main/library-database/open.ts'
import type { Store } from '../../../src/main/library-database/store.ts'
import {
  addItem,
  codeOf,
  storeOptions,
  temporaryHome,
  textOf,
  withStore,
} from '../platform/database/fixture.ts'
import { openFile, prepareForWriting } from '../../../src/main/platform/database/open-file.ts'

let folder: ReturnType<typeof temporaryHome>
let database: string

beforeEach(() => {
  folder = temporaryHome()
  database = join(folder.home, 'library.db')
})

afterEach(() => folder.remove())

const long = (n: number): string => `text number ${n} 时间 ${'lorem ipsum dolor '.repeat(60)}`

function fill(store: Store, from: number, to: number): void {
  for (let n = from; n < to; n++) addItem(store, `i${n}`, `Item ${n}`, long(n), n)
}

const count = (store: Store): number => store.items.list({ bin: false, limit: 1 }).total

/** Overwrites some leaf pages of a table with noise, as a failing disk does. */
function damage(table: string, pages: number): void {
  const db = new Database(database, { readonly: true })
  const leaves = db
    .prepare<[string], { pageno: number }>(
      `SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf' ORDER BY pageno`,
    )
    .all(table)
  db.close()
  expect(leaves.length).toBeGreaterThan(pages * 3)
  const file = openSync(database, 'r+')
  const middle = Math.floor(leaves.length / 2)
  for (const { pageno } of leaves.slice(middle, middle + pages))
    writeSync(file, Buffer.alloc(4096, 0xa5), 0, 4096, (pageno - 1) * 4096)
  closeSync(file)
}

async function works(store: Store): Promise<void> {
  addItem(store, 'new', 'Brandnew thing', 'hello afterwards', 99_999)
  const { hits } = await store.search.search({ query: 'brandnew afterwards', limit: 5 })
  expect(hits.map((hit) => hit.itemId)).toEqual(['new'])
  const db = new Database(database, { readonly: true })
  expect(db.pragma('integrity_check', { simple: true })).toBe('ok')
  expect(db.pragma('foreign_key_check')).toEqual([])
  db.close()
}

test('restricts the folder and its files to their owner', async () => {
  await withStore(folder.home, async (store) => {
    fill(store, 0, 2)
    await store.backup()
    expectPrivate(folder.home)
    for (const path of [database, `${database}-wal`, `${database}-shm`]) expectPrivate(path)
    const [backup = ''] = readdirSync(join(folder.home, 'backups'))
    expectPrivate(join(folder.home, 'backups', backup))
  })
})

test('quarantines an invalid file without a backup unchanged, and starts empty', async () => {
  mkdirSync(folder.home, { recursive: true })
  const junk = Buffer.from('This is my shopping list, not a database. '.repeat(300))
  writeFileSync(database, junk)
  await withStore(folder.home, async (store) => {
    expect(store.notice.state).toBe('started-empty')
    const { quarantine } = store.notice as Extract<StorageNotice, { state: 'started-empty' }>
    expect(readFileSync(quarantine).equals(junk)).toBe(true)
    expect(count(store)).toBe(0)
    await works(store)
  })
  await withStore(folder.home, (store) => expect(store.notice).toEqual({ state: 'ok' }))
})

test('restores the backup for an invalid file', async () => {
  const at = await withStore(folder.home, async (store) => {
    fill(store, 0, 20)
    expect((await store.backup()).ok).toBe(true)
    return statSync(join(folder.home, 'backups')).mtimeMs
  })
  expect(at).toBeGreaterThan(0)
  writeFileSync(database, 'junk'.repeat(5000))
  await withStore(folder.home, async (store) => {
    expect(store.notice).toMatchObject({ state: 'restored' })
    expect(count(store)).toBe(20)
    expect((await store.search.search({ query: '时间 number', limit: 50 })).hits).toHaveLength(20)
    await works(store)
  })
})

test('skips a damaged backup and uses the older good one', async () => {
  await withStore(folder.home, async (store) => {
    fill(store, 0, 5)
    await store.backup()
    fill(store, 5, 9)
    await store.backup()
  })
  const [, newest = ''] = readdirSync(join(folder.home, 'backups')).toSorted()
  writeFileSync(join(folder.home, 'backups', newest), 'broken'.repeat(2000))
  writeFileSync(database, 'junk'.repeat(5000))
  await withStore(folder.home, (store) => {
    expect(store.notice.state).toBe('restored')
    expect(count(store)).toBe(5)
  })
})

test('recovers the readable part of a truncated file without a backup', async () => {
  await withStore(folder.home, (store) => fill(store, 0, 900))
  truncateSync(database, Math.floor(statSync(database).size * 0.7))
  await withStore(folder.home, async (store) => {
    expect(store.notice.state).toBe('restored')
    expect(count(store)).toBeGreaterThan(300)
    await works(store)
  })
  expect(readdirSync(join(folder.home, 'quarantine')).length).toBeGreaterThan(0)
})

test('opens a working library from a file truncated at any length', async () => {
  await withStore(folder.home, (store) => fill(store, 0, 30))
  const whole = readFileSync(database)
  for (const length of [1, 99, 100, 4095, 4096, 4097, 20_000, whole.length - 1]) {
    writeFileSync(database, whole.subarray(0, length))
    await withStore(folder.home, async (store) => {
      expect(store.writable, `cut to ${length}`).toBe(true)
      await works(store)
    })
  }
})

test('reports a damaged page met by a query, and repairs the file from backup and readable data', async () => {
  await withStore(folder.home, async (store) => {
    fill(store, 0, 150)
    await store.backup()
    fill(store, 150, 200)
    store.items.rename('i3', 'Renamed after the backup', 7)
  })
  damage('meeting_lines', 3)
  let reportedNotice: StorageNotice | undefined
  const notices: StorageNotice[] = []
  await withStore(
    folder.home,
    async (store) => {
      expect(store.notice).toEqual({ state: 'ok' })
      expect(await codeOf(() => readAll(store))).toBe('DATABASE_DAMAGED')
      // The rest of this turn, and until it is repaired: a clear, retriable error.
      await until(() => notices.length > 0)
      reportedNotice = store.notice
      expect(store.writable).toBe(true)
      // The items table was completely readable, so nothing in it is older than it was. Texts: all of the backup's, and
      // the readable new ones.
      expect(count(store)).toBe(200)
      expect(store.items.summary('i3')?.title).toBe('Renamed after the backup')
      for (let n = 0; n < 150; n++) expect(textOf(store, `i${n}`)).toBe(long(n))
      expect(textOf(store, 'i199')).toBe(long(199))
      await works(store)
    },
    { onNotice: (notice) => notices.push(notice) },
  )
  expect(reportedNotice).toMatchObject({ state: 'restored' })
})

test('prefers readable rows of a damaged table to the backup', async () => {
  const half = 'half of it '.repeat(100)
  await withStore(folder.home, async (store) => {
    for (let n = 0; n < 60; n++) addItem(store, `i${n}`, `Item ${n}`, half, n)
    await store.backup()
    for (let n = 0; n < 60; n++) {
      const [line] = store.meetings.lines(`i${n}`)
      const text = `${half}and the rest`
      store.meetings.edit(`i${n}`, { type: 'text', lineId: line?.id ?? '', text })
    }
  })
  damage('meeting_lines', 1)
  const notices: StorageNotice[] = []
  await withStore(
    folder.home,
    async (store) => {
      await until(() => notices.length > 0)
      const texts = Array.from({ length: 60 }, (_, n) => textOf(store, `i${n}`))
      const whole = texts.filter((each) => each === `${half}and the rest`)
      // One page contains at most three of them; those are from the backup.
      expect(whole.length).toBeGreaterThanOrEqual(57)
      expect(texts.filter((each) => each === half)).toHaveLength(60 - whole.length)
      await works(store)
    },
    { checkAfterMs: 10, onNotice: (notice) => notices.push(notice) },
  )
})

test('finds damage in an unused page when idle', async () => {
  await withStore(folder.home, (store) => fill(store, 0, 200))
  damage('meeting_lines', 2)
  const notices: StorageNotice[] = []
  await withStore(
    folder.home,
    async (store) => {
      await until(() => notices.length > 0)
      expect(store.notice.state).toBe('restored')
      expect(count(store)).toBe(200)
      const left = Array.from({ length: 200 }, (_, n) => textOf(store, `i${n}`)).filter(Boolean)
      // Two pages contain at most a few of these texts.
      expect(left.length).toBeGreaterThan(180)
      await works(store)
    },
    { checkAfterMs: 10, onNotice: (notice) => notices.push(notice) },
  )
})

test('loses no item with a damaged search index', async () => {
  await withStore(folder.home, (store) => fill(store, 0, 300))
  damage('search_text_data', 4)
  const notices: StorageNotice[] = []
  await withStore(
    folder.home,
    async (store) => {
      await until(() => notices.length > 0)
      expect(count(store)).toBe(300)
      expect((await store.search.search({ query: '时间', limit: 500 })).hits).toHaveLength(300)
    },
    { checkAfterMs: 10, onNotice: (notice) => notices.push(notice) },
  )
})

test('repairs damage first met by a search', async () => {
  await withStore(folder.home, (store) => fill(store, 0, 300))
  damage('search_text_data', 12)
  const notices: StorageNotice[] = []
  await withStore(
    folder.home,
    async (store) => {
      const codes = new Set<string>()
      for (const query of ['时间', 'lorem', 'ipsum', 'dolor', 'text', 'number', 'item'])
        codes.add(await codeOf(() => store.search.search({ query, limit: 500 })))
      expect(codes).toContain('DATABASE_DAMAGED')
      await until(() => notices.length > 0)
      expect((await store.search.search({ query: 'lorem', limit: 500 })).hits).toHaveLength(300)
    },
    { onNotice: (notice) => notices.push(notice) },
  )
})

test('finishes a recovery at the next start that was interrupted by a crash', async () => {
  await withStore(folder.home, (store) => fill(store, 0, 4))
  copyFileSync(database, `${database}.rebuilt`)
  rmSync(database)
  writeFileSync(`${database}.rebuilt.building`, 'half')
  await withStore(folder.home, (store) => {
    expect(count(store)).toBe(4)
    expect(existsSync(`${database}.rebuilt`)).toBe(false)
    expect(existsSync(`${database}.rebuilt.building`)).toBe(false)
  })
})

test('opens a database of a newer version read-only and reports it', async () => {
  await withStore(folder.home, (store) => fill(store, 0, 3))
  const db = new Database(database)
  db.pragma('user_version = 99990')
  db.close()
  const before = readFileSync(database)
  await withStore(folder.home, async (store) => {
    expect(store.notice).toEqual({
      state: 'from-future',
      version: 99_990,
      supported: supportedVersion(),
    })
    expect(store.writable).toBe(false)
    expect(count(store)).toBe(3)
    expect((await store.search.search({ query: 'number', limit: 5 })).hits).toHaveLength(3)
    expect(await codeOf(() => addItem(store, 'x', 'x', 'x'))).toBe('READ_ONLY')
    expect(await codeOf(() => store.settings.update({ theme: 'dark' }))).toBe('READ_ONLY')
    expect(await codeOf(() => store.erase())).toBe('READ_ONLY')
    expect(await store.backup()).toMatchObject({ ok: false, error: { code: 'READ_ONLY' } })
  })
  expect(readFileSync(database).equals(before)).toBe(true)
})

test('reports another program that locks the database, for writes and at startup', async () => {
  await withStore(folder.home, async (store) => {
    fill(store, 0, 1)
    const other = new Database(database)
    other.exec('BEGIN IMMEDIATE')
    expect(await codeOf(() => addItem(store, 'x', 'x', 'x'))).toBe('DATABASE_BUSY')
    other.exec('ROLLBACK')
    addItem(store, 'x', 'x', 'x')
    other.close()
  })
  const other = new Database(database)
  other.pragma('locking_mode = EXCLUSIVE')
  other.exec('BEGIN EXCLUSIVE; CREATE TABLE mine(a); COMMIT')
  expect(await codeOf(() => openStore(storeOptions(folder.home)))).toBe('DATABASE_BUSY')
  other.close()
})

test('waits a tenth of a second for another program, because the page waits with main', async () => {
  await withStore(folder.home, () => undefined)
  const db = openFile(database)
  try {
    prepareForWriting(db)
    expect(db.pragma('busy_timeout', { simple: true })).toBe(100)
  } finally {
    db.close()
  }
})

function readAll(store: Store): void {
  for (let n = 0; n < 200; n++) textOf(store, `i${n}`)
}

async function until(condition: () => boolean): Promise<void> {
  await expect.poll(condition).toBe(true)
}

test('ignores garbage after the end of the file', async () => {
  await withStore(folder.home, (store) => fill(store, 0, 3))
  appendFileSync(database, Buffer.alloc(5000, 7))
  await withStore(folder.home, async (store) => {
    expect(count(store)).toBe(3)
    await works(store)
  })
})
