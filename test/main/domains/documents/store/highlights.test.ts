import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Store } from '../../../../../src/main/library-database/store.ts'
import type { NewHighlight } from '../../../../../src/shared/model/highlight.ts'
import { codeOf, temporaryHome, withStore } from '../../../platform/database/fixture.ts'
import { newDocument } from './fixture.ts'

let folder: ReturnType<typeof temporaryHome>
beforeEach(() => {
  folder = temporaryHome()
})
afterEach(() => folder.remove())

const aHighlight = (id: string, change: Partial<NewHighlight> = {}) => ({
  id,
  page: 1,
  boxes: [[0.1, 0.5, 0.9, 0.52]] as const,
  quote: `quote of ${id}`,
  note: '',
  color: 'yellow' as const,
  ...change,
})
const idsOf = (store: Store, documentId = 'd'): readonly string[] =>
  store.highlights.ofDocument(documentId).map(({ id }) => id)

test('lists highlights from the top of the first page to the end of the last, also after a restart', async () => {
  await withStore(folder.home, (store) => {
    newDocument(store, 'd')
    newDocument(store, 'other')
    store.highlights.add(
      'd',
      [
        aHighlight('below', { boxes: [[0.1, 0.7, 0.9, 0.72]] }),
        aHighlight('later', { page: 3, note: 'a note', color: 'blue' }),
        aHighlight('right', { boxes: [[0.6, 0.2, 0.9, 0.22]] }),
        aHighlight('left', { boxes: [[0.1, 0.2, 0.4, 0.22]] }),
      ],
      5000,
    )
    store.highlights.add('other', [aHighlight('elsewhere')], 5000)
  })
  await withStore(folder.home, async (store) => {
    expect(idsOf(store)).toEqual(['left', 'right', 'below', 'later'])
    expect(store.highlights.get('later')).toEqual({
      ...aHighlight('later', { page: 3, note: 'a note', color: 'blue' }),
      documentId: 'd',
      createdAt: 5000,
      updatedAt: 5000,
    })
    expect(await codeOf(() => store.highlights.ofDocument('none'))).toBe('NOT_FOUND')
    expect(await codeOf(() => store.highlights.add('none', [aHighlight('x')], 1))).toBe('NOT_FOUND')
  })
})

test('changes the color and the note on their own, and does not count it as a change of the document', async () => {
  await withStore(folder.home, async (store) => {
    newDocument(store, 'd')
    const before = store.documents.get('d')?.updatedAt
    store.highlights.add('d', [aHighlight('h')], 5000)
    store.highlights.change('h', { color: 'red' }, 6000)
    expect(store.highlights.change('h', { note: 'why' }, 7000)).toMatchObject({
      color: 'red',
      note: 'why',
      quote: 'quote of h',
      createdAt: 5000,
      updatedAt: 7000,
    })
    expect(store.highlights.change('h', { note: '' }, 8000)).toMatchObject({ note: '' })
    expect(await codeOf(() => store.highlights.change('none', { note: '' }, 9000))).toBe(
      'NOT_FOUND',
    )
    store.highlights.setRemoved(['h'], 9000, 9000)
    expect(store.documents.get('d')?.updatedAt).toBe(before)
  })
})

test('restores removed highlights until they are purged', async () => {
  await withStore(folder.home, async (store) => {
    newDocument(store, 'd')
    store.highlights.add('d', [aHighlight('a'), aHighlight('b'), aHighlight('c')], 5000)
    expect(store.highlights.setRemoved(['a', 'b'], 6000, 6000)).toEqual(['d'])
    expect(idsOf(store)).toEqual(['c'])
    expect(await codeOf(() => store.highlights.change('a', { note: 'x' }, 6500))).toBe('NOT_FOUND')
    store.highlights.setRemoved(['a'], null, 7000)
    expect(idsOf(store)).toEqual(['a', 'c'])
    store.highlights.purge(6001)
    store.highlights.setRemoved(['b'], null, 8000)
    expect(idsOf(store)).toEqual(['a', 'c'])
  })
})

test('finds quotes and notes in the Library, as entries of their document', async () => {
  await withStore(folder.home, async (store) => {
    newDocument(store, 'd')
    store.highlights.add(
      'd',
      [
        aHighlight('quoted', { quote: 'The lighthouse looks over a quiet sea' }),
        aHighlight('noted', { page: 2, quote: 'its keeper', note: '问守望者：为什么写信？' }),
        aHighlight('removed', { quote: 'a dark lighthouse' }),
      ],
      5000,
    )
    store.highlights.setRemoved(['removed'], 6000, 6000)
    const found = async (query: string) => (await store.search.entries({ query, limit: 9 })).hits
    const owner = (at: string) => ({ kind: 'document', id: 'd', at })
    expect(await found('lighthouse')).toMatchObject([
      { kind: 'highlight', id: 'quoted', owner: owner('quoted'), field: 'title' },
    ])
    expect(await found('写信')).toMatchObject([
      { kind: 'highlight', id: 'noted', title: 'its keeper', owner: owner('noted'), field: 'text' },
    ])
    const listed = () =>
      store.entries.list({ order: 'newest', limit: 9, kinds: ['highlight'] }).entries
    expect(listed().map(({ id }) => id)).toEqual(['noted', 'quoted'])
    // A document in Trash takes them along.
    store.items.remove(['d'], 7000)
    expect(await found('lighthouse')).toEqual([])
    expect(listed()).toEqual([])
  })
})
