import {
  copyFileSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { StorageNotice } from '../../../../src/shared/contract/app.ts'
import type { Store } from '../../../../src/main/library-database/store.ts'
import { addItem, temporaryHome, withStore, textOf } from './fixture.ts'

let folder: ReturnType<typeof temporaryHome>
let database: string

beforeEach(() => {
  folder = temporaryHome()
  database = join(folder.home, 'library.db')
})

afterEach(() => folder.remove())

function fill(store: Store, from: number, to: number): void {
  for (let n = from; n < to; n++) addItem(store, `i${n}`, `Item ${n}`, `text number ${n}`, n)
}

const count = (store: Store): number => store.items.list({ bin: false, limit: 1 }).total

async function works(store: Store): Promise<void> {
  addItem(store, 'new', 'Brandnew thing', 'hello afterwards', 99_999)
  const { hits } = await store.search.search({ query: 'brandnew afterwards', limit: 5 })
  expect(hits.map((hit) => hit.itemId)).toEqual(['new'])
}

test('treats an empty file without WAL and backups as a first start', async () => {
  mkdirSync(folder.home, { recursive: true })
  writeFileSync(database, '')
  writeFileSync(`${database}-wal`, '')
  await withStore(folder.home, async (store) => {
    expect(store.notice).toEqual({ state: 'ok' })
    await works(store)
  })
})

test('quarantines a WAL without its database instead of deleting it', async () => {
  mkdirSync(folder.home, { recursive: true })
  writeFileSync(`${database}-wal`, 'left by somebody')
  await withStore(folder.home, async (store) => {
    expect(store.notice.state).toBe('started-empty')
    const { quarantine } = store.notice as Extract<StorageNotice, { state: 'started-empty' }>
    expect(readFileSync(quarantine, 'utf8')).toBe('left by somebody')
    await works(store)
  })
})

test.each(['empty', 'missing'])(
  'restores the newest good backup for a main file that is %s',
  async (how) => {
    await withStore(folder.home, async (store) => {
      fill(store, 0, 5)
      expect((await store.backup()).ok).toBe(true)
      expect((await store.backup()).ok).toBe(true)
    })
    rmSync(database)
    if (how === 'empty') writeFileSync(database, '')
    const copies = readdirSync(join(folder.home, 'backups'))
    await withStore(folder.home, async (store) => {
      expect(store.notice.state).toBe('restored')
      expect(count(store)).toBe(5)
      await works(store)
    })
    expect(readdirSync(join(folder.home, 'backups'))).toEqual(copies)
    await withStore(folder.home, (store) => expect(store.notice).toEqual({ state: 'ok' }))
  },
)

test('recovers a WAL without its main file, also after a crash in the middle', async () => {
  const savedWal = join(folder.home, 'kept-wal')
  await withStore(folder.home, (store) => {
    fill(store, 0, 5)
    copyFileSync(`${database}-wal`, savedWal)
  })
  for (const rebuiltAlready of [false, true]) {
    // The crash happened when the new database was ready and the old WAL not quarantined yet.
    if (rebuiltAlready) renameSync(database, `${database}.rebuilt`)
    else rmSync(database)
    copyFileSync(savedWal, `${database}-wal`)
    const before = rebuiltAlready ? 6 : 5
    await withStore(folder.home, async (store) => {
      expect(store.notice.state).toBe(rebuiltAlready ? 'ok' : 'restored')
      expect(count(store)).toBe(before)
      expect(textOf(store, 'i4')).toBe('text number 4')
      if (!rebuiltAlready) await works(store)
    })
    const logs = readdirSync(join(folder.home, 'quarantine')).filter((each) => each.endsWith('wal'))
    expect(logs).toHaveLength(rebuiltAlready ? 2 : 1)
  }
})

test('keeps an erased library empty', async () => {
  await withStore(folder.home, async (store) => {
    fill(store, 0, 5)
    await store.backup()
    store.erase()
  })
  await withStore(folder.home, (store) => {
    expect(store.notice).toEqual({ state: 'ok' })
    expect(count(store)).toBe(0)
  })
})
