import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { migrations } from '../../../../src/main/store/migrations/index.ts'
import type { Store } from '../../../../src/main/store/types.ts'
import { addItem, aJob, codeOf, temporaryHome, withStore } from '../fixture.ts'
import { aMeeting, transcribeAt } from './fixture.ts'

const before = migrations.filter((step) => step.version <= 50)
const tables = ['items', 'media', 'transcripts', 'jobs', 'replies', 'item_counts'] as const

/** Creates a library of version 50 with data in every table that belongs to items. */
const makeOld = (home: string): Promise<void> =>
  withStore(
    home,
    (store) => {
      for (let n = 0; n < 20; n++) {
        addItem(store, `i${n}`, `Title ${n}`, `words of number${n} 会议`, n)
        store.jobs.create(aJob(`j${n}`, `i${n}`))
        store.replies.add({
          id: `r${n}`,
          itemId: `i${n}`,
          operation: 'o',
          status: 200,
          contentType: 'text/plain',
          body: 'body',
          at: n,
        })
      }
      store.items.remove(['i3', 'i4'], 100)
      store.items.purge(['i19'])
    },
    { migrations: before },
  )

function readRows(home: string): Record<string, unknown> {
  const db = new Database(join(home, 'library.db'))
  const rows = Object.fromEntries(
    tables.map((table) => [table, db.prepare(`SELECT * FROM ${table}`).all()]),
  )
  const next = db.prepare(`SELECT seq FROM sqlite_sequence WHERE name = 'items'`).get()
  const version = db.pragma('user_version', { simple: true })
  expect(db.pragma('integrity_check', { simple: true })).toBe('ok')
  expect(db.pragma('foreign_key_check')).toEqual([])
  db.close()
  return { ...rows, next, version }
}

const findsAll = async (store: Store): Promise<void> => {
  for (const query of ['number7', 'title 7', '会议'])
    expect(
      (await store.search.search({ query, limit: 50 })).hits.map((hit) => hit.itemId),
    ).toContain('i7')
}

test('migrates a library of version 50 with all its data and derived values', async () => {
  const folder = temporaryHome()
  try {
    await makeOld(folder.home)
    const old = readRows(folder.home)
    expect(old['version']).toBe(50)
    await withStore(folder.home, async (store) => {
      expect(store.notice).toEqual({ state: 'ok' })
      await findsAll(store)
    })
    const now = readRows(folder.home)
    const origin: unknown = expect.stringMatching(/^(imported|received)$/)
    const media = (old['media'] as object[]).map((row) => ({ ...row, origin }))
    expect(now).toEqual({ ...old, media, version: now['version'] })
    expect(now['version']).toBeGreaterThanOrEqual(60)
    await withStore(folder.home, async (store) => {
      // An item's transcripts, job, response, search row, count and file use are deleted with it.
      expect(store.items.purge(['i7'])).toEqual(['m-i7'])
      expect(store.transcripts.get('t-i7')).toBeUndefined()
      expect(store.jobs.get('j7')).toBeUndefined()
      expect(store.replies.get('r7')).toBeUndefined()
      expect((await store.search.search({ query: 'number7', limit: 5 })).hits).toEqual([])
      expect(store.items.list({ bin: false, limit: 1 }).total).toBe(16)
      expect(store.items.list({ bin: true, limit: 9 }).items.map((item) => item.id)).toEqual([
        'i4',
        'i3',
      ])
      // An item needs a known file, or none.
      const unknown = { id: 'x', kind: 'recording', title: 'x', mediaId: 'none', at: 1 } as const
      expect(await codeOf(() => store.items.create(unknown))).toMatch(/FOREIGNKEY/)
      store.meetings.create(aMeeting('new'))
      transcribeAt(store, 'new', 's', 0, 0, ['something new'])
      expect(store.items.purge(['new'])).toEqual([])
      expect(store.items.list({ bin: false, limit: 1 }).total).toBe(16)
      expect((await store.search.search({ query: 'something', limit: 5 })).hits).toEqual([])
    })
    readRows(folder.home)
  } finally {
    folder.remove()
  }
})

test('leaves a complete library of version 50 when killed during the migration', async () => {
  const folder = temporaryHome()
  try {
    await makeOld(folder.home)
    const old = readRows(folder.home)
    const path = join(folder.home, 'library.db')
    const child = spawn(process.execPath, [join(import.meta.dirname, 'stuck-migration.ts'), path], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(child.stdout, 'data')
    // Pages of the migration are already in the WAL.
    expect(statSync(`${path}-wal`).size).toBeGreaterThan(100_000)
    child.kill('SIGKILL')
    await once(child, 'close')
    expect(readRows(folder.home)).toEqual(old)
    await withStore(folder.home, findsAll)
    expect(readRows(folder.home)).toMatchObject({ items: old['items'] })
  } finally {
    folder.remove()
  }
})

test('lists a read-only library of version 50, without meetings', async () => {
  const folder = temporaryHome()
  try {
    await makeOld(folder.home)
    const fails = {
      version: 60,
      up: () => {
        throw new Error('not today')
      },
    }
    await withStore(
      folder.home,
      async (store) => {
        expect(store.writable).toBe(false)
        expect(store.items.list({ bin: false, limit: 50 }).items).toHaveLength(17)
        expect(store.items.summary('i7')).toMatchObject({ meeting: null, duration: 1.5 })
        expect(store.items.get('i7')?.transcripts).toHaveLength(1)
        await findsAll(store)
        const { meetings } = store
        expect(meetings.get('i7')).toBeUndefined()
        expect(meetings.segment('s')).toBeUndefined()
        expect(meetings.version('r')).toBeUndefined()
        expect(meetings.byMedia('m-i7')).toBeUndefined()
        for (const list of [meetings.withWork(), meetings.unlooked(), meetings.templates()])
          expect(list).toEqual([])
        expect(meetings.inState(['recording'])).toEqual([])
        for (const read of [
          () => meetings.lines('i7'),
          () => meetings.segments('i7'),
          () => meetings.work('i7', ['pending']),
          () => meetings.versions('i7'),
          () => meetings.analysed('i7'),
          () => meetings.find('i7', 'words'),
          () => meetings.corrections('i7', 5),
          () => meetings.before('s', 5),
        ])
          expect(await codeOf(read)).toBe('NOT_FOUND')
        expect(await codeOf(() => meetings.create(aMeeting('m')))).toBe('READ_ONLY')
        expect(await codeOf(() => meetings.update('m', { notes: 'x' }))).toBe('READ_ONLY')
      },
      { migrations: [...before, fails] },
    )
    expect(readRows(folder.home)['version']).toBe(50)
  } finally {
    folder.remove()
  }
})
