import { expect, test } from 'vitest'
import { plainWords } from '../../../../src/shared/documents/plain-text.ts'
import type { SourcePlace } from '../../../../src/shared/chats/places.ts'
import { nowhere } from '../../../../src/shared/chats/places.ts'
import type { Block, Box } from '../../../../src/shared/model/document.ts'
import {
  findLights,
  queriesOf,
  batchPages,
  type SearchedDocument,
} from '../../../../src/renderer/src/domains/documents/cited-sources/find-highlights.ts'

const sentence = (page: number): string =>
  `On page ${page} the keeper number ${page * 7} notes ${page * 13} ships that passed the ${page}th rock.`
const box: Box = [0.1, 0.1, 0.9, 0.2]
const blockOf = (page: number, content = sentence(page)): Block => ({
  id: `b${page}`,
  page,
  order: 0,
  kind: 'text',
  label: 'text',
  nativeLabel: null,
  content,
  edited: null,
  box,
  raw: null,
  guessed: false,
})

/** Document in memory that records requests. */
function inMemory(count: number, more: Partial<SearchedDocument> = {}, blocks = true) {
  const all = blocks ? Array.from({ length: count }, (_, at) => blockOf(at + 1)) : []
  const requestedRanges: (readonly [number, number])[] = []
  const document: SearchedDocument = {
    pages: count,
    blocks(first, last) {
      requestedRanges.push([first, last])
      return Promise.resolve(all.filter(({ page }) => page >= first && page <= last))
    },
    find: (query) =>
      Promise.resolve(
        all
          .filter((block) => query.split(' ').every((word) => plainWords(block).includes(word)))
          .map(({ page }) => page),
      ),
    words: () => Promise.resolve(null),
    aspect: () => null,
    ...more,
  }
  return { document, requestedRanges }
}
const at = (boxes: SourcePlace['boxes'], more: Partial<SourcePlace> = {}): SourcePlace => ({
  ...nowhere,
  boxes,
  ...more,
})
const find = (text: string, place: SourcePlace, document: SearchedDocument) =>
  findLights({ text, place }, document)

test('shows the page or the words instead of a rectangle from a page of another shape', async () => {
  const tall = { aspect: () => 0.7 }
  const place = at([{ page: 2, box, aspect: 1.4 }], { firstPage: 1 })
  const parsed = await find(sentence(2), place, inMemory(3, tall).document)
  expect([parsed.by, parsed.page, parsed.places]).toEqual(['words', 2, [{ page: 2, box }]])
  const bare = await find(sentence(2), place, inMemory(3, tall, false).document)
  expect([bare.by, bare.page, bare.places]).toEqual(['page', 2, []])
  const same = at([{ page: 2, box, aspect: 0.71 }], { firstPage: 1 })
  expect((await find(sentence(2), same, inMemory(3, tall).document)).by).toBe('positions')
})

test('highlights rectangles in page order, with the blocks they refer to', async () => {
  const { document } = inMemory(9)
  const place = at(
    [
      { page: 3, box: [0.1, 0.1, 0.9, 0.21] },
      { page: 2, box: [0.1, 0.5, 0.9, 0.6] },
      { page: 2, box: [0.1, 0.1, 0.9, 0.2] },
    ],
    { firstPage: 1 },
  )
  const lights = await find(`${sentence(2)} ${sentence(3)}`, place, document)
  expect(lights.by).toBe('positions')
  expect(lights.page).toBe(2)
  expect(lights.places.map(({ page, box: [, top] }) => [page, top])).toEqual([
    [2, 0.1],
    [2, 0.5],
    [3, 0.1],
  ])
  expect(lights.blocks.map(({ id }) => id)).toEqual(['b2', 'b3'])
})

test('detects pages that count from 0 only by a page 0 or by the words', async () => {
  const { document } = inMemory(9)
  const pageOf = async (reportedPage: number, text: string, more: Partial<SourcePlace> = {}) =>
    (await find(text, at([{ page: reportedPage, box }], more), document)).page
  expect(await pageOf(4, sentence(5), { firstPage: 0 })).toBe(5)
  expect(await pageOf(4, sentence(5))).toBe(5)
  expect(await pageOf(4, sentence(4))).toBe(4)
  expect(await pageOf(4, 'Words that stand nowhere')).toBe(4)
  expect(await pageOf(9, sentence(9))).toBe(9)
})

test('uses the file’s own text if nothing was parsed', async () => {
  const words = (page: number) => Promise.resolve(sentence(page))
  const { document } = inMemory(9, { words }, false)
  expect((await find(sentence(6), at([{ page: 5, box }]), document)).page).toBe(6)
  expect(await find(sentence(6), nowhere, document)).toMatchObject({ by: 'page', page: 6 })
})

test('highlights matching blocks of a page without a rectangle, otherwise only the page', async () => {
  const { document } = inMemory(9)
  const place = at([{ page: 4, box: null }], { firstPage: 1 })
  expect(await find(sentence(4), place, document)).toMatchObject({
    by: 'words',
    places: [{ page: 4, box }],
  })
  expect(await find('Nothing of this', place, document)).toMatchObject({ by: 'page', page: 4 })
})

test('searches for the words without any position, also if none is found', async () => {
  const { document, requestedRanges } = inMemory(400)
  const found = await find(sentence(333), nowhere, document)
  expect(found).toMatchObject({ by: 'words', page: 333, places: [{ page: 333, box }] })
  // Only the surroundings of the match were read, not the whole document.
  expect(requestedRanges.reduce((sum, [first, last]) => sum + last - first + 1, 0)).toBeLessThan(40)
  const deaf = inMemory(400, { find: () => Promise.resolve([]) })
  expect(await find(sentence(120), nowhere, deaf.document)).toMatchObject({ page: 120 })
  expect(await find('Nothing of all this', nowhere, deaf.document)).toMatchObject({ by: 'nothing' })
  for (const [first, last] of [...requestedRanges, ...deaf.requestedRanges])
    expect(last - first + 1).toBeLessThanOrEqual(batchPages)
})

test('does not search for a hidden position', async () => {
  const { document, requestedRanges } = inMemory(3)
  const hidden = at([{ page: 1, box }], { hidden: true })
  expect(await find(sentence(1), hidden, document)).toMatchObject({ by: 'nothing', places: [] })
  expect(requestedRanges).toEqual([])
})

test('ignores a position outside the document, and searches for the words', async () => {
  const { document } = inMemory(3)
  expect(await find(sentence(2), at([{ page: 90, box }]), document)).toMatchObject({
    by: 'words',
    page: 2,
  })
})

test('searches for the beginnings of the longest sentences, without punctuation', () => {
  expect(
    queriesOf('One. # The **lamp** of the lighthouse is lit at dusk and dawn! 灯塔的灯'),
  ).toEqual(['The lamp of the lighthouse is lit at', '灯塔的灯'])
  expect(queriesOf('a. b. c')).toEqual([])
})
