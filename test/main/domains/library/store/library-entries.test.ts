import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { itemKinds } from '../../../../../src/shared/model/library.ts'
import {
  otherKinds,
  type EntryOrder,
  type LibraryEntry,
} from '../../../../../src/shared/model/library-entry.ts'
import type { Store } from '../../../../../src/main/library-database/store.ts'
import { fillLibrary } from '../../../../fixtures/full-library.ts'
import { randomFrom } from '../../../../fixtures/random.ts'
import { temporaryHome, withStore } from '../../../platform/database/fixture.ts'

let folder: ReturnType<typeof temporaryHome>
beforeEach(() => {
  folder = temporaryHome()
})
afterEach(() => folder.remove())

/** Returns every row, page by page. */
function all(store: Store, order: EntryOrder, limit: number, more = {}): readonly string[] {
  const rows: string[] = []
  let cursor: string | undefined
  do {
    const page = store.entries.list({ order, limit, ...more, ...(cursor && { cursor }) })
    rows.push(
      ...page.entries.map(
        ({ kind, id, owner }) => `${kind} ${id} ${owner?.id ?? ''} ${owner?.at ?? ''}`,
      ),
    )
    cursor = page.next ?? undefined
  } while (cursor !== undefined)
  return rows
}

test('lists everything once, for every page size and order', async () => {
  fillLibrary({ home: folder.home, random: randomFrom(1), each: 5, bytes: 200 })
  // Several entries with the same time, in one table and in several.
  const db = new Database(join(folder.home, 'library.db'))
  db.exec(`UPDATE items SET created_at = 5000 WHERE seq % 2 = 0; UPDATE runs SET created_at = 5000;
    UPDATE tasks SET created_at = 5000, removed_at = NULL; UPDATE rankings SET removed_at = NULL; UPDATE embedding_runs SET removed_at = NULL;
    UPDATE slice_lookups SET removed_at = NULL; UPDATE document_highlights SET removed_at = NULL; UPDATE retrieval_runs SET removed_at = NULL, item_seq = NULL;
    UPDATE kept_files SET owner_id = (SELECT id FROM tasks), media_id = (SELECT max(id) FROM media), role = 'file' WHERE place = (SELECT min(place) FROM kept_files);
    UPDATE lookups SET removed_at = NULL, kind = 'response'; UPDATE items SET title = 'Same' WHERE seq % 3 = 0`)
  db.close()
  await withStore(folder.home, (store) => {
    const whole = all(store, 'newest', 200)
    expect(new Set(whole).size).toBe(whole.length)
    const kinds = new Set(whole.map((row) => row.split(' ')[0]))
    expect([...kinds].map(String).toSorted()).toEqual([
      'base',
      'conversation',
      'document',
      'embedding',
      'file',
      'highlight',
      'listed',
      'meeting',
      'note',
      'picture',
      'question',
      'ranking',
      'response',
      'retrieval',
      'run',
      'slices',
      'source',
      'speech',
      'summary',
      'task',
      'upload',
      'voice',
    ])
    for (const limit of [1, 2, 3, 7]) {
      expect(all(store, 'newest', limit)).toEqual(whole)
      expect(all(store, 'oldest', limit)).toEqual(whole.toReversed())
      expect(all(store, 'title', limit)).toEqual(all(store, 'title', 200))
    }
    expect(all(store, 'title', 3).toSorted()).toEqual(whole.toSorted())
    const byKind = all(store, 'kind', 200)
    for (const limit of [1, 3, 7]) expect(all(store, 'kind', limit)).toEqual(byKind)
    const order = [...itemKinds, ...otherKinds]
    expect(byKind).toEqual(
      order.flatMap((kind) => whole.filter((row) => row.startsWith(`${kind} `))),
    )
    expect(all(store, 'kind', 2, { kinds: ['run', 'voice'] })).toEqual(
      byKind.filter((row) => /^(run|voice) /.test(row)),
    )
    expect(all(store, 'newest', 3, { kinds: ['run', 'voice'] })).toEqual(
      whole.filter((row) => /^(run|voice) /.test(row)),
    )
    expect(all(store, 'newest', 3, { from: 5000, to: 5001 }).length).toBeGreaterThan(5)
  })
})

test('adds, lists, filters by and removes tags of entries of every kind', async () => {
  fillLibrary({ home: folder.home, random: randomFrom(2), each: 2, bytes: 200 })
  await withStore(folder.home, (store) => {
    const { items } = store.items.list({ bin: false, limit: 100 })
    const base = store.entries.list({ order: 'newest', limit: 1, kinds: ['base'] }).entries[0]?.id
    if (base === undefined) throw new Error('no base')
    const ids = items.filter(({ kind }) => /meeting|voice/.test(kind)).map(({ id }) => id)
    const others = [{ kind: 'base', id: base }] as const
    store.entries.organize({
      ids,
      others,
      addTags: ['field work', '野外'],
      removeTags: [],
    })
    expect(store.entries.tags().find(({ tag }) => tag === '野外')).toEqual({
      tag: '野外',
      items: 5,
    })
    const found = store.entries.list({ order: 'newest', limit: 50, tag: 'field work' })
    expect(found.entries.map(({ kind }) => kind).toSorted()).toEqual([
      'base',
      'meeting',
      'meeting',
      'voice',
      'voice',
    ])
    for (const { tags } of found.entries)
      expect(tags).toEqual(expect.arrayContaining(['field work', '野外']))
    store.entries.organize({
      ids: ids.slice(1),
      others,
      addTags: [],
      removeTags: ['field work'],
    })
    expect(all(store, 'newest', 9, { tag: 'field work' })).toHaveLength(1)
    expect([...store.entries.among(ids, { tag: 'field work' })]).toEqual(ids.slice(0, 1))
  })
})

test('hides tags of removed entries until they are restored', async () => {
  fillLibrary({ home: folder.home, random: randomFrom(2), each: 1, bytes: 200 })
  const db = new Database(join(folder.home, 'library.db'))
  db.exec('UPDATE tasks SET removed_at = NULL')
  db.close()
  await withStore(folder.home, (store) => {
    const task = store.entries.list({ order: 'newest', limit: 1, kinds: ['task'] }).entries[0]?.id
    if (task === undefined) throw new Error('no task')
    const others = [{ kind: 'task', id: task }] as const
    store.entries.organize({ ids: [], others, addTags: ['mine'], removeTags: [] })
    const hasTag = (): boolean => store.entries.tags().some(({ tag }) => tag === 'mine')
    expect(hasTag()).toBe(true)
    store.tasks.forget(task, 10)
    expect(hasTag()).toBe(false)
    store.tasks.restore(task)
    expect(hasTag()).toBe(true)
  })
})

test('pages through 100,000 entries in every order without duplicates', async () => {
  fillLibrary({ home: folder.home, random: randomFrom(3), each: 1, bytes: 100 })
  const db = new Database(join(folder.home, 'library.db'))
  db.exec(`WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 100000)
    INSERT INTO items(id, kind, title, created_at, updated_at)
    SELECT 'x' || x, 'meeting', 't' || (x * 7919 % 100003), x, x FROM n`)
  db.close()
  await withStore(folder.home, (store) => {
    for (const order of ['newest', 'oldest', 'title'] as const) {
      const seen: LibraryEntry[] = []
      let cursor: string | undefined
      for (let page = 0; page < 20; page++) {
        const reply = store.entries.list({ order, limit: 100, ...(cursor && { cursor }) })
        seen.push(...reply.entries)
        cursor = reply.next ?? undefined
      }
      expect(new Set(seen.map(({ kind, id }) => `${kind} ${id}`)).size).toBe(2000)
      const keys = seen.map(({ title, createdAt }) => (order === 'title' ? title : createdAt))
      const inOrder = keys.toSorted((one, other) => {
        if (typeof one === 'string') return one.toLowerCase() < String(other).toLowerCase() ? -1 : 1
        return order === 'newest' ? Number(other) - one : one - Number(other)
      })
      expect(keys).toEqual(inOrder)
    }
  })
})

test('rejects a cursor of another order or an invalid one', async () => {
  await withStore(folder.home, (store) => {
    for (const cursor of ['x', '[1,2]', '["a",0,1]', '[1,null,2]'])
      expect(() => store.entries.list({ order: 'newest', limit: 1, cursor })).toThrow(/cursor/)
    for (const cursor of ['x', '["run"]', '["other",null]', '["run",1]'])
      expect(() => store.entries.list({ order: 'kind', limit: 1, cursor })).toThrow(/cursor/)
  })
})
