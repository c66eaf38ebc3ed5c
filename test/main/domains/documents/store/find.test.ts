import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { locate } from '../../../../../src/shared/text/locate.ts'
import { rebuildSearch } from '../../../../../src/main/domains/library/store/search-rebuild.ts'
import type { Store } from '../../../../../src/main/library-database/store.ts'
import { blockText } from '../../../../../src/shared/documents/block-text.ts'
import { parseQuery } from '../../../../../src/shared/text/query.ts'
import { eventually } from '../../../../fixtures/eventually.ts'
import { temporaryHome, withStore } from '../../../platform/database/fixture.ts'
import {
  aBlock,
  aPart,
  aReply,
  aVersion,
  facts,
  newDocument,
  parse,
  withLibrary,
} from './fixture.ts'

const settle = (store: Store): void => {
  while (store.documents.settle()) continue
}
const holds = (text: string, query: string): boolean =>
  locate(text, parseQuery(query)).every((ranges) => ranges.length > 0)

test('names page and block of a Library match, in English and in Chinese', () =>
  withLibrary(async (store) => {
    newDocument(store, 'd', { title: 'Geometry 几何学' })
    parse(store, 'd', 'v', 3, [
      ['Every surface is a sphere', 'with handles'],
      ['拓扑学研究空间的性质', 'a surface of genus two'],
    ])
    const first = async (query: string) => (await store.search.search({ query, limit: 5 })).hits[0]
    const [sphere, handles, chinese] = store.documents.blocks('d')
    expect(await first('sphere')).toMatchObject({
      itemId: 'd',
      kind: 'document',
      field: 'block',
      partId: sphere?.id,
      page: 3,
      offset: 19,
    })
    expect(await first('拓扑')).toMatchObject({ partId: chinese?.id, page: 4, offset: 0 })
    expect(await first('空间的')).toMatchObject({ partId: chinese?.id })
    expect(await first('性')).toMatchObject({ partId: chinese?.id })
    // At its first occurrence, and together with words of the title.
    expect(await first('surface')).toMatchObject({ partId: sphere?.id, page: 3 })
    expect(await first('geometry handles')).toMatchObject({ partId: handles?.id })
    expect(await first('geometry surface')).toMatchObject({ partId: sphere?.id, page: 3 })
    expect(await first('几何')).toMatchObject({ field: 'title', partId: null })
    expect(await first('几何')).not.toHaveProperty('page')
    const others = { query: 'sphere', kinds: ['meeting'], limit: 5 } as const
    expect((await store.search.search(others)).hits).toEqual([])
    store.items.rename('d', 'Manifolds', 9)
    expect(await first('manifolds handles')).toMatchObject({ partId: handles?.id })
    expect(await first('geometry')).toBeUndefined()
    store.documents.edit('d', handles?.id ?? '', 'mit Henkeln')
    expect(await first('handles')).toBeUndefined()
    expect(await first('henkeln')).toMatchObject({ partId: handles?.id })
    store.documents.edit('d', handles?.id ?? '', null)
    expect(await first('handles')).toMatchObject({ partId: handles?.id })
    store.items.remove(['d'], 5)
    expect(await first('sphere')).toBeUndefined()
  }))

test('finds only text of current versions', () =>
  withLibrary(async (store) => {
    newDocument(store, 'd')
    const found = async (query: string) =>
      (await store.search.search({ query, limit: 5 })).hits.map((hit) => hit.page)
    parse(store, 'd', 'v1', 1, [['ancient words'], ['stay']])
    parse(store, 'd', 'v2', 1, [['modern words']])
    expect([await found('ancient'), await found('modern'), await found('stay')]).toEqual([
      [],
      [1],
      [2],
    ])
    store.documents.choose('d', [1], 'v1')
    expect([await found('ancient'), await found('modern')]).toEqual([[1], []])
    store.documents.choose('d', [1], null)
    expect([await found('ancient'), await found('modern')]).toEqual([[], [1]])
    // A page that turns out to be empty removes its words.
    parse(store, 'd', 'v3', 2, [[]])
    expect(await found('stay')).toEqual([])
  }))

test('indexes cells, descriptions and formulas, but not tags, URLs and entities', () =>
  withLibrary((store) => {
    newDocument(store, 'd')
    const table =
      '<table border="1"><tr><td rowspan="2">R&amp;D</td><td>wo<b>rd</b></td></tr></table>'
    const blocks = [
      aBlock(0, table, { kind: 'table' }),
      aBlock(1, 'https://cdn.test/figure/cell.png', { kind: 'figure' }),
      aBlock(2, '![the map](https://cdn.test/x.png)', { kind: 'figure' }),
      aBlock(3, '\\frac{a}{b} <c>', { kind: 'formula' }),
    ]
    store.documents.begin(aVersion('v', 'd', [aPart('p', 1)]))
    store.documents.sent('p')
    store.documents.reply('p', aReply([{ page: 1, blocks, raster: null, regime: 'none' }]))
    const found = (query: string) => store.documents.find('d', query).hits.map((hit) => hit.snippet)
    expect(found('word')).toEqual(['R&D word'])
    expect(found('frac')).toEqual(['\\frac{a}{b} <c>'])
    expect(found('map')).toEqual(['the map'])
    for (const query of ['rowspan', 'table', 'cdn', 'figure', 'amp'])
      expect(found(query)).toEqual([])
    expect(store.documents.find('d', 'word').hits).toMatchObject([
      { ranges: [[4, 8]], marks: [[4, 8]] },
    ])
  }))

test('searches a document page by page in steps', () =>
  withLibrary((store) => {
    newDocument(store, 'd', { facts: facts(60) })
    const texts = Array.from({ length: 60 }, (_, at) => [
      `number ${at + 1}`,
      at % 2 === 0 ? '偶数页的内容' : 'odd page',
      ...(at === 40 ? ['number', 'odd'] : []),
    ])
    parse(store, 'd', 'v', 1, texts)
    settle(store)
    const all = (query: string): readonly number[] => {
      const pages: number[] = []
      for (let from: number | null = 1; from !== null;) {
        const step = store.documents.find('d', query, { from, limit: 7 })
        pages.push(...step.hits.map((hit) => hit.page))
        from = step.next
      }
      return pages
    }
    expect(all('偶数')).toEqual(Array.from({ length: 30 }, (_, at) => 2 * at + 1))
    expect(all('number').length).toBe(61)
    expect(all('number 33')).toEqual([33])
    // Words that two blocks of a page contain together are found in both.
    const together = store.documents.find('d', 'odd number', { from: 41, limit: 1 }).hits
    expect(together.map((hit) => [hit.page, hit.snippet])).toEqual([
      [41, 'number 41'],
      [41, 'number'],
      [41, 'odd'],
    ])
    expect(store.documents.find('d', '  ')).toEqual({ hits: [], next: null })
    expect(all('nowhere')).toEqual([])
  }))

test('finds what a scan of the blocks finds, also after page 4096 and after a rebuild', async () => {
  const folder = temporaryHome()
  const words = ['budget', 'café', 'torus', '预算', '上线', '几何图形', 'naïve', 'risk']
  const queries = [...words, 'cafe', 'bud', '预', '几何', 'torus risk', '"risk torus"']
  let state = 5
  const pick = (): string => {
    state = (state * 1103515245 + 12345) % 2 ** 31
    return words[Math.floor((state / 2 ** 31) * words.length)] ?? ''
  }
  const check = async (store: Store, ids: readonly string[]): Promise<void> => {
    for (const query of queries) {
      const { hits } = await store.search.search({ query, limit: 50 })
      const expected = ids.flatMap((id) => {
        const pages = Map.groupBy(store.documents.blocks(id), (block) => block.page)
        const page = Array.from(pages).find(([, blocks]) =>
          holds(blocks.map(blockText).join('\n'), query),
        )
        return page ? [{ id, page: page[0] }] : []
      })
      expect(hits.map((hit) => hit.itemId).toSorted(), query).toEqual(
        expected.map((each) => each.id).toSorted(),
      )
      for (const hit of hits) {
        const block = store.documents.block(hit.partId ?? '')
        expect(block?.page, query).toBe(hit.page)
        const offsets = locate(block ? blockText(block) : '', parseQuery(query)).flat()
        expect(Math.min(...offsets.map((range) => range[0])), query).toBe(hit.offset)
      }
      for (const id of ids) {
        const found = store.documents.find(id, query, { limit: 9999 }).hits
        const whole = store.documents.blocks(id).filter((block) => holds(blockText(block), query))
        for (const block of whole)
          expect(
            found.map((hit) => hit.blockId),
            query,
          ).toContain(block.id)
      }
    }
  }
  try {
    const ids = await withStore(folder.home, async (store) => {
      for (const [n, first] of [1, 40, 4090].entries()) {
        newDocument(store, `d${n}`, { facts: facts(4200) })
        const texts = Array.from({ length: 15 }, () => [
          `${pick()} ${pick()}`,
          `${pick()}${pick()} ${pick()}`,
        ])
        parse(store, `d${n}`, `v${n}`, first, texts)
      }
      parse(store, 'd2', 'again', 1, [['first page', 'torus'], ['second page budget']])
      settle(store)
      const made = ['d0', 'd1', 'd2']
      await check(store, made)
      return made
    })
    const db = new Database(join(folder.home, 'library.db'))
    rebuildSearch(db)
    db.close()
    await withStore(folder.home, (store) => check(store, ids))
  } finally {
    folder.remove()
  }
})

test('indexes bulk changes of many pages automatically while the library is open', () =>
  withLibrary(async (store) => {
    newDocument(store, 'd', { facts: facts(60) })
    parse(
      store,
      'd',
      'v',
      1,
      Array.from({ length: 60 }, (_, at) => [`page${at} words`]),
    )
    expect(store.documents.find('d', 'page59').hits).toEqual([])
    await eventually(() => {
      expect(store.documents.find('d', 'page59').hits).toMatchObject([{ page: 60 }])
    })
  }))

test('makes bulk changes of many pages searchable soon, also after a restart', async () => {
  const folder = temporaryHome()
  try {
    await withStore(folder.home, (store) => {
      newDocument(store, 'd', { facts: facts(200) })
      const texts = Array.from({ length: 100 }, (_, at) => [`page${at} words`])
      parse(store, 'd', 'v', 1, texts)
      store.items.rename('d', 'Quarterly', 5)
    })
    await withStore(folder.home, async (store) => {
      settle(store)
      for (const n of [0, 50, 99]) {
        const { hits } = await store.search.search({ query: `quarterly page${n}`, limit: 2 })
        expect(hits).toMatchObject([{ page: n + 1 }])
      }
      expect((await store.search.search({ query: 'document', limit: 2 })).hits).toEqual([])
    })
  } finally {
    folder.remove()
  }
})
