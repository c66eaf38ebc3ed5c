import { expect, test } from 'vitest'
import {
  blocksUnder,
  blocksWithWords,
  decideFirstPage,
  overlapOf,
  shareOf,
} from '../../../src/shared/chats/places-match.ts'
import { quotedRanges, quotesOf } from '../../../src/shared/chats/references-quotes.ts'
import type { Block, Box } from '../../../src/shared/model/document.ts'

const block = (id: string, page: number, content: string, box: Box | null = null): Block => ({
  id,
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
const pages = [
  'The lamp of the lighthouse is lit at dusk and burns until dawn.',
  'Every keeper writes the weather into the log three times a day.',
  'Oil is kept in the cellar below the stairs, never in the tower.',
  '灯塔的灯在黄昏点亮，一直燃烧到黎明。守塔人每天三次把天气写进日志。',
]
const blocks = pages.map((text, at) => block(`b${at + 1}`, at + 1, text))
const ids = (found: readonly Block[]) => found.map(({ id }) => id)

test('finds a passage in the block that contains it, and in the blocks it consists of', () => {
  expect(ids(blocksWithWords('writes the weather into the log', blocks))).toEqual(['b2'])
  expect(ids(blocksWithWords(`${pages[0]}\n${pages[1]}`, blocks))).toEqual(['b1', 'b2'])
  expect(ids(blocksWithWords('守塔人每天三次把天气写进日志', blocks))).toEqual(['b4'])
  expect(ids(blocksWithWords('THE LAMP of the **lighthouse** is lit', blocks))).toEqual(['b1'])
  expect(blocksWithWords('Nothing of all this stands anywhere here', blocks)).toEqual([])
  expect(blocksWithWords('', blocks)).toEqual([])
})

test('prefers the position with the longest match for repeated words, with the next pages', () => {
  const again = [...blocks, block('b9', 9, 'Every keeper writes the weather into the log.')]
  expect(ids(blocksWithWords(`${pages[1]} ${pages[2]}`, again))).toEqual(['b2', 'b3'])
})

test('maps rectangles to blocks covered by more than half, otherwise to those with the words', () => {
  const [a, b]: readonly [Box, Box] = [
    [0.1, 0.1, 0.9, 0.2],
    [0.1, 0.3, 0.9, 0.4],
  ]
  const page = [block('a', 1, pages[0] ?? '', a), block('b', 1, pages[1] ?? '', b)]
  expect(overlapOf(a, a)).toBeCloseTo(1)
  expect(overlapOf(a, b)).toBe(0)
  expect(overlapOf([0, 0, 0.2, 0.1], [0.1, 0, 0.3, 0.1])).toBeCloseTo(1 / 3)
  expect(ids(blocksUnder([0.1, 0.11, 0.9, 0.2], 'x', page))).toEqual(['a'])
  // It covers both and some white space: the words decide.
  expect(ids(blocksUnder([0, 0, 1, 1], pages[1] ?? '', page))).toEqual(['b'])
  expect(ids(blocksUnder([0.1, 0.8, 0.9, 0.9], pages[1] ?? '', page))).toEqual(['b'])
})

test('determines the first page number by the page count, otherwise by the words on the page', async () => {
  const document = { pages: 4, wordsOf: (page: number) => Promise.resolve(pages[page - 1] ?? null) }
  const decide = (reportedPages: readonly number[], passage: string) =>
    decideFirstPage(
      reportedPages.map((page) => ({ page })),
      passage,
      document,
    )
  expect(await decide([2], 'Every keeper writes the weather')).toBe(1)
  expect(await decide([1], 'Every keeper writes the weather')).toBe(0)
  expect(await decide([4], 'anything')).toBe(1)
  expect(await decide([0, 3], 'anything')).toBe(0)
  expect(await decide([2], 'Nothing that stands there')).toBeNull()
  expect(await decide([], 'x')).toBeNull()
  const blind = { pages: 9, wordsOf: () => Promise.resolve(null) }
  expect(await decideFirstPage([{ page: 2 }], 'x y z', blind)).toBeNull()
  expect(shareOf('the lamp of the lighthouse', pages[0] ?? '')).toBe(1)
})

test('marks the sentence before a citation in its passage', () => {
  const mark = (n: number): string => `<reference data-ref="${n}"></reference>`
  const answer = `Best:\n\n> The lamp is lit at *dusk*.${mark(1)}\n\nOil is  kept below.${mark(2)}${mark(1)} More.${mark(3)}`
  expect(quotesOf(answer, 1)).toEqual(['> The lamp is lit at *dusk*.', 'Oil is  kept below.'])
  expect(quotesOf(answer, 3)).toEqual(['More.'])
  expect(quotesOf(answer, 7)).toEqual([])
  const passage = 'Here: the LAMP is\nlit at dusk. Oil is kept below.'
  const marked = quotedRanges(passage, quotesOf(answer, 1)).map(([a, b]) => passage.slice(a, b))
  expect(marked).toEqual(['the LAMP is\nlit at dusk', 'Oil is kept below'])
  expect(quotedRanges(passage, ['a', 'not there at all'])).toEqual([])
  expect(quotedRanges('灯在黄昏点亮。', ['灯在黄昏点亮'])).toEqual([[0, 6]])
})
