import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { recount } from '../../../../../src/main/library-database/counts.ts'
import { migrate } from '../../../../../src/main/platform/database/migrate.ts'
import { rebuildDatabase } from '../../../../../src/main/library-database/rebuild.ts'
import { salvage } from '../../../../../src/main/library-database/salvage.ts'
import { aMedia, temporaryHome, withStore } from '../../../platform/database/fixture.ts'
import { aPage, aPart, aReply, aVersion, assertComplete, newDocument, parse } from './fixture.ts'

const tables = [
  'documents',
  'document_versions',
  'document_parts',
  'document_replies',
  'document_pages',
  'document_blocks',
  'document_pictures',
  'document_remote',
]

const rowsOf = (db: Database.Database) =>
  Object.fromEntries(tables.map((table) => [table, db.prepare(`SELECT * FROM ${table}`).all()]))

/** Creates a library with data in every document table: an edit, a choice, a running part. */
const make = (home: string): Promise<void> =>
  withStore(home, (store) => {
    newDocument(store, 'd')
    parse(store, 'd', 'v1', 1, [['as returned', '第一页'], ['second']])
    parse(store, 'd', 'v2', 1, [['newer one'], ['newer two']])
    store.documents.choose('d', [1], 'v1')
    store.documents.edit('d', store.documents.blocks('d')[0]?.id ?? '', 'edited by hand')
    store.documents.begin(aVersion('v3', 'd', [aPart('p', 3, 4), aPart('q', 5)]))
    store.documents.sent('q')
    store.documents.reply('q', aReply([aPage(5, 'fifth')], { addresses: ['https://x/1'] }))
    store.documents.sent('p')
    store.media.put(aMedia('t'))
    store.documents.putPageImage('d', { page: 1, width: 160, height: 220, mediaId: 't' })
    store.documents.putRemote('d', 'https://x/1', 't')
  })

/** Deletes rows as if they were unreadable, and opens the repaired library. */
async function afterLoss(
  loss: string,
  inspect: (store: Parameters<Parameters<typeof withStore>[1]>[0]) => unknown,
): Promise<void> {
  const folder = temporaryHome()
  const other = temporaryHome()
  try {
    await make(folder.home)
    await withStore(other.home, () => undefined)
    const source = new Database(join(folder.home, 'library.db'))
    source.pragma('foreign_keys = OFF')
    source.exec(loss)
    const into = new Database(join(other.home, 'library.db'))
    salvage(source, into)
    expect(into.pragma('foreign_key_check')).toEqual([])
    source.close()
    into.close()
    await withStore(other.home, async (store) => {
      while (store.documents.settle()) continue
      await inspect(store)
    })
  } finally {
    folder.remove()
    other.remove()
  }
}

test('rebuilds documents completely: rows, edits, choices, numbers and search', async () => {
  const folder = temporaryHome()
  try {
    await make(folder.home)
    const path = join(folder.home, 'library.db')
    const target = join(folder.home, 'rebuilt.db')
    rebuildDatabase({ damaged: path, backup: null, target })
    const [old, made] = [new Database(path), new Database(target)]
    expect(rowsOf(made)).toEqual(rowsOf(old))
    for (const table of tables) expect(rowsOf(made)[table], table).not.toEqual([])
    expect(made.pragma('foreign_key_check')).toEqual([])
    const uses = (db: Database.Database) =>
      db.prepare('SELECT id, uses FROM media ORDER BY id').all()
    expect(uses(made)).toEqual(uses(old))
    expect(uses(made)).toContainEqual({ id: 't', uses: 2 })
    const savedRows = rowsOf(made)
    recount(made)
    expect(rowsOf(made)).toEqual(savedRows)
    for (const [query, found] of [
      ['edited', 1],
      ['"第一 一页"', 1],
      ['two', 1],
      ['second', 0],
      ['document', 3],
    ] as const)
      expect(
        made.prepare('SELECT count(*) AS n FROM search_text WHERE search_text MATCH ?').get(query),
        query,
      ).toEqual({ n: found })
    old.close()
    made.close()
  } finally {
    folder.remove()
  }
})

test('keeps blocks, including edited ones, whose document, version and pages are unreadable', () =>
  afterLoss(
    'DELETE FROM documents; DELETE FROM document_versions; DELETE FROM document_pages; DELETE FROM document_parts',
    (store) => {
      expect(store.documents.get('d')).toMatchObject({
        title: 'Document d',
        name: 'Document d',
        facts: null,
        mediaId: 'm-d',
        versions: [{ number: 3, state: 'done' }, { number: 2 }, { number: 1 }],
      })
      assertComplete(store, 'd')
      const [, , oldest] = store.documents.get('d')?.versions ?? []
      expect(
        store.documents.blocks('d', { versionId: oldest?.id }).map((block) => block.edited),
      ).toEqual(['edited by hand', null, null])
      expect(store.documents.blocks('d').map((block) => block.content)).toEqual([
        'newer one',
        'newer two',
        'fifth',
      ])
    },
  ))

test('marks pages whose blocks are lost as failed, so that they can be requested again', () =>
  afterLoss(`DELETE FROM document_blocks WHERE content IN ('newer two', 'second')`, (store) => {
    assertComplete(store, 'd')
    expect(store.documents.version('v2')).toMatchObject({
      state: 'partial',
      error: { code: 'DATABASE_DAMAGED' },
    })
    expect(store.documents.pages('d', { last: 2 })).toMatchObject([
      { state: 'returned', versionId: 'v1' },
      { state: 'failed' },
    ])
    store.documents.plan('v2', [aPart('again', 2)])
    assertComplete(store, 'd')
  }))

test('requeues pages whose part is lost, and fails a part whose pages are lost', async () => {
  await afterLoss(`DELETE FROM document_parts WHERE id = 'p'`, (store) => {
    assertComplete(store, 'd')
    expect(store.documents.unplanned('v3')).toEqual([{ first: 3, last: 4 }])
  })
  await afterLoss(`DELETE FROM document_pages WHERE page = 3`, (store) => {
    assertComplete(store, 'd')
    expect(store.documents.part('p')?.state).toBe('failed')
    expect(store.documents.unplanned('v3')).toEqual([{ first: 4, last: 4 }])
  })
})

test('keeps files whose rows are lost, and removes orphaned rows', () =>
  afterLoss(`DELETE FROM media; DELETE FROM items WHERE id = 'none'`, (store) => {
    expect(store.media.get('t')).toBeDefined()
    expect(store.documents.get('d')?.mediaId).toBe('m-d')
    expect(store.media.remove('t')).toBe(false)
    store.items.purge(['d'])
    while (store.documents.settle()) continue
    expect(store.media.remove('t')).toBe(true)
  }))

test('removes rows of a document whose item is lost', async () => {
  const folder = temporaryHome()
  try {
    await make(folder.home)
    const source = new Database(join(folder.home, 'library.db'))
    source.pragma('foreign_keys = OFF')
    source.exec('DROP TRIGGER items_uncounted; DROP TRIGGER items_deleted; DELETE FROM items')
    const into = new Database(':memory:')
    migrate(into)
    salvage(source, into)
    expect(into.prepare('SELECT DISTINCT kind FROM document_leftovers ORDER BY 1').all()).toEqual([
      { kind: 'item' },
      { kind: 'part' },
      { kind: 'version' },
    ])
    source.close()
    into.close()
  } finally {
    folder.remove()
  }
})

test('leaves nothing of a document after purging and erasing', async () => {
  const folder = temporaryHome()
  try {
    await make(folder.home)
    await withStore(folder.home, async (store) => {
      newDocument(store, 'other')
      parse(store, 'other', 'w', 1, [['still here']])
      store.items.purge(['d'])
      expect((await store.search.search({ query: 'newer', limit: 5 })).hits).toEqual([])
      expect(store.documents.next({ accountId: 'a1', at: 9 })).toBeUndefined()
      while (store.documents.settle()) continue
      expect((await store.search.search({ query: 'still', limit: 5 })).hits).toHaveLength(1)
      store.items.purge(['other'])
      while (store.documents.settle()) continue
    })
    const everything = [...tables, 'document_stale', 'document_leftovers', 'search_text', 'items']
    const left = (db: Database.Database) =>
      everything.filter((table) => db.prepare(`SELECT rowid FROM "${table}" LIMIT 1`).get())
    const rowless = (db: Database.Database) =>
      ['document_stale', 'document_leftovers'].map((table) =>
        db.prepare(`SELECT count(*) AS n FROM ${table}`).get(),
      )
    const db = new Database(join(folder.home, 'library.db'))
    everything.splice(everything.indexOf('document_stale'), 2)
    expect(left(db)).toEqual([])
    expect(rowless(db)).toEqual([{ n: 0 }, { n: 0 }])
    db.close()
    await withStore(folder.home, async (store) => {
      newDocument(store, 'd')
      parse(store, 'd', 'v', 1, [['secret']])
      store.erase()
      expect(store.documents.get('d')).toBeUndefined()
      expect((await store.search.search({ query: 'secret', limit: 5 })).hits).toEqual([])
      newDocument(store, 'd')
      parse(store, 'd', 'v', 1, [['fresh']])
      expect((await store.search.search({ query: 'fresh', limit: 5 })).hits).toHaveLength(1)
    })
  } finally {
    folder.remove()
  }
})
