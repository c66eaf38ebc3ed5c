import { expect, test } from 'vitest'
import { useLibrary } from '../../../../src/renderer/src/domains/library/entries/library-store.ts'
import { useToasts } from '../../../../src/renderer/src/kit/toasts.ts'
import type { RequestOf } from '../../../../src/shared/contract/routes.ts'
import type { ItemFolder, ItemSummary, ListFacets } from '../../../../src/shared/model/library.ts'
import { failure, meetings } from '../../fake-data.ts'
import { rendererSetup } from '../../stores.ts'

interface Query {
  readonly starred?: true
  readonly folderId?: string | null
  readonly tag?: string
}

const [model] = meetings()
if (!model) throw new Error('no fixture')
const meeting = (id: string, more: Partial<ItemSummary>): ItemSummary => ({
  ...model,
  id,
  title: id,
  ...more,
})

/** Meetings in main, which `organize` changes. */
async function open(fail: Record<string, ReturnType<typeof failure>> = {}) {
  const app = rendererSetup({ fail })
  let items = [
    meeting('a', { createdAt: 5, folderId: 'f', tags: ['deep'] }),
    meeting('b', { createdAt: 4, folderId: 'f' }),
    meeting('c', { createdAt: 3, starred: true }),
    meeting('d', { createdAt: 2, tags: ['deep'] }),
  ]
  let folders: readonly Omit<ItemFolder, 'items'>[] = [{ id: 'f', kind: 'meeting', name: 'Coast' }]
  const change = (ids: readonly string[], more: Partial<ItemSummary>): void => {
    items = items.map((item) => (ids.includes(item.id) ? { ...item, ...more } : item))
  }
  const fits = (item: ItemSummary, { starred, folderId, tag }: Query): boolean =>
    (!starred || item.starred) &&
    (folderId === undefined || item.folderId === folderId) &&
    (tag === undefined || item.tags.includes(tag))
  app.main.answer('library.facets', (): ListFacets => ({
    folders: folders.map((folder) => ({
      ...folder,
      items: items.filter(({ folderId }) => folderId === folder.id).length,
    })),
    starred: items.some((item) => item.starred),
    tags: [...new Set(items.flatMap((item) => item.tags))],
  }))
  app.main.answer('library.list', (query: Query) => {
    const found = items
      .filter((item) => fits(item, query))
      .toSorted((x, y) => Number(y.starred) - Number(x.starred) || y.createdAt - x.createdAt)
    return { items: found, next: null, total: items.length }
  })
  app.main.answer('library.summary', ({ id }: { id: string }) =>
    items.find((item) => item.id === id),
  )
  app.main.answer(
    'library.organize',
    ({ ids, ...more }: RequestOf<'library.organize'> & { ids: string[] }) => {
      const { folderId, starred, addTags = [], removeTags = [] } = more
      items = items.map((item) =>
        ids.includes(item.id)
          ? { ...item, tags: [...item.tags.filter((tag) => !removeTags.includes(tag)), ...addTags] }
          : item,
      )
      change(ids, {
        ...(folderId !== undefined && { folderId }),
        ...(starred !== undefined && { starred }),
      })
      app.main.app({ type: 'library.changed', itemIds: ids })
      app.main.app({ type: 'library.organized' })
      return {}
    },
  )
  app.main.answer('library.removeFolder', ({ id }: { id: string }) => {
    const itemIds = items.filter(({ folderId }) => folderId === id).map((item) => item.id)
    folders = folders.filter((folder) => folder.id !== id)
    change(itemIds, { folderId: null })
    app.main.app({ type: 'library.changed', itemIds })
    app.main.app({ type: 'library.organized' })
    return { itemIds }
  })
  app.main.answer('library.saveFolder', ({ name }: { name: string }) => {
    folders = [...folders, { id: 'f2', kind: 'meeting', name }]
    app.main.app({ type: 'library.organized' })
    return { id: 'f2', kind: 'meeting', name, items: 0 }
  })
  const library = app.run(useLibrary)
  const section = library.section('meeting')
  await section.load()
  return {
    ...app,
    section,
    toasts: app.run(useToasts),
    ids: () => section.items.map(({ id }) => id),
    /** Changes in main are loaded after a pause. */
    async settled() {
      await new Promise((resolve) => setTimeout(resolve, 200))
      await app.settle()
    },
  }
}

test('shows folders as rows with their items, and all other items below, starred ones first', async () => {
  const { section, ids } = await open()
  expect(section.hasFolders).toBe(true)
  expect(ids()).toEqual(['c', 'd'])
  await section.toggle('f')
  expect(ids()).toEqual(['a', 'b', 'c', 'd'])
  await section.toggle('f')
  expect(ids()).toEqual(['c', 'd'])
})

test('filters by star, folder and tag, whatever the folder', async () => {
  const { section, ids } = await open()
  await section.setFilter({ by: 'tag', value: 'deep' })
  expect(ids()).toEqual(['a', 'd'])
  expect(section.hasFolders).toBe(false)
  await section.setFilter({ by: 'starred', value: '' })
  expect(ids()).toEqual(['c'])
  await section.setFilter({ by: 'folder', value: 'f' })
  expect(ids()).toEqual(['a', 'b'])
})

test('moves rows between the folders when this or another page organizes them', async () => {
  const { section, ids, settled } = await open()
  await section.toggle('f')
  await section.organize(['d'], { folderId: 'f', starred: true })
  await settled()
  expect(ids()).toEqual(['d', 'a', 'b', 'c'])
  expect(section.facets.folders).toMatchObject([{ items: 3 }])
  await section.organize(['a', 'b', 'd'], { folderId: null })
  await settled()
  expect(section.open.get('f')?.items).toEqual([])
  expect(ids()).toEqual(['c', 'd', 'a', 'b'])
})

test('keeps the items of a deleted folder, and restores it with them', async () => {
  const { section, ids, toasts, settled } = await open()
  const [folder] = section.facets.folders
  if (!folder) throw new Error('no folder')
  await section.removeFolder(folder)
  await settled()
  expect(section.hasFolders).toBe(false)
  expect(ids()).toEqual(['c', 'a', 'b', 'd'])
  toasts.toasts.find(({ action }) => action)?.action?.run()
  await settled()
  await settled()
  expect(section.facets.folders).toMatchObject([{ name: 'Coast', items: 2 }])
  expect(ids()).toEqual(['c', 'd'])
})

test('moves items back to the folder that each was in', async () => {
  const { section, ids, toasts, settled } = await open()
  await section.toggle('f')
  await section.move(section.items, null)
  await settled()
  expect(ids()).toEqual(['c', 'a', 'b', 'd'])
  expect(toasts.toasts).toMatchObject([{ key: 'organize.moved', count: 2 }])
  toasts.actNewest()
  await settled()
  expect(ids()).toEqual(['a', 'b', 'c', 'd'])
  // An item that is there already is not moved, which cannot be undone either.
  await section.move(section.items.slice(0, 1), 'f')
  expect(toasts.toasts).toEqual([])
})

test('restores the tags of each item after tagging several', async () => {
  const { section, toasts, settled } = await open()
  const tags = () => section.items.map((item) => item.tags)
  await section.toggle('f')
  expect(tags()).toEqual([['deep'], [], [], ['deep']])
  await section.tag(section.items, { addTags: ['new'], removeTags: ['deep'] })
  await settled()
  expect(tags()).toEqual([['new'], ['new'], ['new'], ['new']])
  toasts.actNewest()
  await settled()
  expect(tags()).toEqual([['deep'], [], [], ['deep']])
})

test('offers no undo for a move that main refused', async () => {
  const { section, toasts } = await open({ 'library.organize': failure('READ_ONLY') })
  await section.move(section.items, 'f')
  expect(section.failure?.code).toBe('READ_ONLY')
  expect(toasts.toasts).toEqual([])
})

test('organizes many items in several requests, and says why main refused', async () => {
  const { section, main } = await open()
  const many = Array.from({ length: 1200 }, (_, n) => `m${n}`)
  await section.organize(many, { addTags: ['x'] })
  const sizes = main.requests.flatMap(({ route, payload }) =>
    route === 'library.organize' ? [(payload as { ids: string[] }).ids.length] : [],
  )
  expect(sizes).toEqual([500, 500, 200])
  const refused = await open({ 'library.organize': failure('READ_ONLY') })
  expect(await refused.section.organize(['a'], { starred: true })).toBe(false)
  expect(refused.section.failure?.code).toBe('READ_ONLY')
})

test('shows all items while the folders are unknown', async () => {
  const { section, ids } = await open({ 'library.facets': failure('INTERNAL') })
  expect(section.hasFolders).toBe(false)
  expect(ids()).toEqual(['c', 'a', 'b', 'd'])
})

test('shows no item of another filter while the items of the new one are loading', async () => {
  const { section, ids } = await open()
  await section.setFilter({ by: 'tag', value: 'deep' })
  const loaded = section.setFilter({ by: 'all', value: '' })
  expect(ids()).toEqual(['d'])
  await loaded
  expect(ids()).toEqual(['c', 'd'])
})

test('renames an item from its row, and reports a failure with the list', async () => {
  const { main, section } = await open({ 'library.rename': failure('NOT_FOUND') })
  await section.rename('a', 'Cape')
  expect(main.requests.at(-1)).toMatchObject({
    route: 'library.rename',
    payload: { id: 'a', title: 'Cape' },
  })
  expect(section.failure?.code).toBe('NOT_FOUND')
})
