import { expect, test } from 'vitest'
import type { Store } from '../../../../../src/main/library-database/store.ts'
import { codeOf, temporaryHome, withStore } from '../../../platform/database/fixture.ts'

type Change = Partial<Parameters<Store['entries']['organize']>[0]>

async function withItems(work: (store: Store) => unknown): Promise<void> {
  const folder = temporaryHome()
  try {
    await withStore(folder.home, async (store) => {
      for (let n = 1; n <= 5; n++)
        store.items.create({ id: `v${n}`, kind: 'voice', title: `Voice ${n}`, at: n })
      store.items.create({ id: 'test', kind: 'retrieval', title: 'Test set', at: 9 })
      store.entries.saveFolder({ id: 'f', kind: 'voice', name: 'Work', at: 1 })
      await work(store)
    })
  } finally {
    folder.remove()
  }
}
const organize = (store: Store, ids: readonly string[], change: Change): void =>
  store.entries.organize({ ids, others: [], addTags: [], removeTags: [], ...change })
const listed = (
  store: Store,
  query: Partial<Parameters<Store['items']['list']>[0]> = {},
): readonly string[] =>
  store.items
    .list({ bin: false, kinds: ['voice'], limit: 50, starredFirst: true, ...query })
    .items.map(({ id }) => id)

test('lists starred items first, in pages', () =>
  withItems((store) => {
    organize(store, ['v1', 'v3'], { starred: true })
    const order = ['v3', 'v1', 'v5', 'v4', 'v2']
    expect(listed(store)).toEqual(order)
    expect(listed(store, { starredFirst: false })).toEqual(['v5', 'v4', 'v3', 'v2', 'v1'])
    const pages: string[] = []
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = store.items.list({
        bin: false,
        kinds: ['voice'],
        limit: 2,
        starredFirst: true,
        ...(cursor !== undefined && { cursor }),
      })
      pages.push(...page.items.map(({ id }) => id))
      cursor = page.next
    }
    expect(pages).toEqual(order)
    expect(store.items.summary('v3')).toMatchObject({ starred: true })
    const cursor = '5.1'
    expect(() => listed(store, { cursor })).toThrow('Invalid list cursor')
  }))

test('does not count stars, folders and tags as changes of an item', () =>
  withItems((store) => {
    organize(store, ['v1'], { starred: true, folderId: 'f', addTags: ['deep'] })
    organize(store, ['v1'], { removeTags: ['deep'] })
    expect(store.items.summary('v1')).toMatchObject({ starred: true, folderId: 'f', updatedAt: 1 })
  }))

test('filters items by star, folder and tag, and reports by what they can be filtered', () =>
  withItems((store) => {
    expect(store.entries.facets('voice')).toMatchObject({ starred: false, tags: [] })
    organize(store, ['v1', 'v2'], { folderId: 'f', addTags: ['deep'] })
    organize(store, ['v2', 'v3'], { starred: true })
    expect(listed(store, { starred: true })).toEqual(['v3', 'v2'])
    expect(listed(store, { folderId: 'f' })).toEqual(['v2', 'v1'])
    expect(listed(store, { folderId: null })).toEqual(['v3', 'v5', 'v4'])
    expect(listed(store, { tag: 'deep' })).toEqual(['v2', 'v1'])
    store.items.remove(['v1'], 60)
    expect(store.entries.facets('voice')).toEqual({
      folders: [{ id: 'f', kind: 'voice', name: 'Work', items: 1 }],
      starred: true,
      tags: ['deep'],
    })
    expect(store.entries.facets('meeting')).toEqual({ folders: [], starred: false, tags: [] })
  }))

test('renames and deletes a folder, whose items stay', () =>
  withItems(async (store) => {
    organize(store, ['v1', 'v2'], { folderId: 'f' })
    const renamed = store.entries.saveFolder({ id: 'f', kind: 'voice', name: 'Home', at: 9 })
    expect(renamed).toEqual({ id: 'f', kind: 'voice', name: 'Home', items: 2 })
    expect(store.entries.removeFolder('f').toSorted()).toEqual(['v1', 'v2'])
    expect(store.items.summary('v1')?.folderId).toBeNull()
    expect(store.entries.facets('voice').folders).toEqual([])
    expect(await codeOf(() => store.entries.removeFolder('f'))).toBe('NOT_FOUND')
  }))

test('refuses a folder that does not exist or belongs to another list, and changes nothing', () =>
  withItems(async (store) => {
    const move = (folderId: string) => () =>
      organize(store, ['v1', 'test'], { folderId, starred: true })
    expect(await codeOf(move('none'))).toBe('NOT_FOUND')
    expect(await codeOf(move('f'))).toBe('BAD_REQUEST')
    expect(store.items.summary('v1')).toMatchObject({ starred: false, folderId: null })
  }))

test('shows starred items of all kinds, and no other entries', () =>
  withItems((store) => {
    organize(store, ['v2', 'test'], { starred: true })
    const { entries } = store.entries.list({ order: 'newest', limit: 9, starred: true })
    expect(entries.map(({ id }) => id)).toEqual(['test', 'v2'])
    expect([...store.entries.among(['v1', 'v2'], { starred: true })]).toEqual(['v2'])
  }))
