import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type {
  LayoutBlock,
  ParsedLayout,
} from '../../../../../../src/main/provider-client/layout-response.ts'
import {
  readPart,
  returnedDiffers,
} from '../../../../../../src/main/domains/documents/worker/reading/merge.ts'
import type { SentPart } from '../../../../../../src/main/domains/documents/worker/reading/merge.ts'

type Raw = readonly [number, number, number, number]

const letter = { width: 612, height: 792 }
const raster = { width: 2040, height: 2640 }
const sizes = Array.from({ length: 30 }, () => letter)

const block = (content: string, more: Partial<LayoutBlock> = {}): LayoutBlock => ({
  index: 0,
  label: 'text',
  nativeLabel: null,
  bbox: [204, 264, 1836, 1320],
  content,
  width: null,
  height: null,
  ...more,
})
const reply = (
  pages: readonly (readonly LayoutBlock[])[],
  more: Partial<ParsedLayout> = {},
): ParsedLayout => ({
  id: 'layout-1',
  model: 'gen-ocr',
  markdown: '',
  pages,
  visualisations: [],
  pageCount: pages.length,
  pageSizes: pages.map(() => raster),
  ...more,
})
const file = (first: number, last: number): SentPart => ({ first, last, as: 'file', pages: 30 })
const range = (first: number, last: number): SentPart => ({ first, last, as: 'range', pages: 30 })
const place: Raw = [431, 1762, 1061, 2189]
const figure = (bbox: Raw, content = ''): LayoutBlock => block(content, { label: 'image', bbox })

describe('a response that contains the requested pages', () => {
  test('assigns blocks, size and text to each page', () => {
    const read = readPart(
      reply([[block('Words', { index: 1 }), block('Heading', { nativeLabel: 'doc_title' })], []]),
      file(25, 26),
      sizes,
    )
    expect(read).toMatchObject({ missing: [], surplus: [], aligned: true, regime: 'pixels' })
    expect(read.pages.map(({ page }) => page)).toEqual([25, 26])
    expect(read.pages[0]).toMatchObject({
      raster,
      markdown: '# Heading\n\nWords',
      blocks: [
        { order: 0, kind: 'title', label: 'text', nativeLabel: 'doc_title', content: 'Heading' },
        { order: 1, kind: 'text', content: 'Words', raw: [204, 264, 1836, 1320], guessed: false },
      ],
    })
    expect(read.pages[0]?.blocks[0]?.box).toEqual([0.1, 0.1, 0.9, 0.5])
    expect(read.pages[1]).toMatchObject({ page: 26, blocks: [], markdown: '' })
  })

  test('keeps the list order where blocks have the same number', () => {
    const read = readPart(reply([[block('a'), block('b'), block('c')]]), file(1, 1), sizes)
    expect(read.pages[0]?.markdown).toBe('a\n\nb\n\nc')
  })

  test('has a layout image of each page when there is one for each', () => {
    const visualisations = ['https://host/1.jpg', 'https://host/2.jpg']
    const two = readPart(reply([[], []], { visualisations }), file(1, 2), sizes)
    expect(two.pages.map(({ layoutPicture: layoutImage }) => layoutImage)).toEqual(visualisations)
    const other = readPart(reply([[], [], []], { visualisations }), file(1, 3), sizes)
    expect(other.pages.map(({ layoutPicture: layoutImage }) => layoutImage)).toEqual([
      null,
      null,
      null,
    ])
  })

  test('supports ranges counted from their own or the document’s first page', () => {
    const parsed = readPart(reply([[block('three')], [block('four')]]), range(3, 4), sizes)
    expect(parsed.pages.map(({ page, markdown }) => [page, markdown])).toEqual([
      [3, 'three'],
      [4, 'four'],
    ])
    const lists = sizes.map((_, at) => (at === 2 || at === 3 ? [block(`page ${at + 1}`)] : []))
    const whole = readPart(reply(lists), range(3, 4), sizes)
    expect(whole.pages.map(({ page, markdown }) => [page, markdown])).toEqual([
      [3, 'page 3'],
      [4, 'page 4'],
    ])
    expect(whole).toMatchObject({ missing: [], surplus: [] })
  })

  test('reads sizes reported for the whole document at their own indexes', () => {
    const own = sizes.map((_, at) => ({ width: 2040, height: at === 2 ? 2640 : 2000 }))
    const read = readPart(
      reply([[block('three')]], { pageSizes: own, pageCount: 30 }),
      range(3, 3),
      sizes,
    )
    expect(read.pages[0]?.raster).toEqual({ width: 2040, height: 2640 })
  })
})

describe('a response with other pages', () => {
  test('reports the missing pages, and that any page may be missing', () => {
    const fewer = { pageCount: 4 }
    const read = readPart(reply([[block('a')], [block('b')]], fewer), file(5, 8), sizes)
    expect(read.pages.map(({ page }) => page)).toEqual([5, 6])
    expect(read).toMatchObject({ missing: [7, 8], aligned: false })
    expect(readPart(reply([[], []]), file(5, 8), sizes)).toMatchObject({
      missing: [7, 8],
      aligned: true,
    })
    expect(readPart(reply([]), file(5, 8), sizes)).toMatchObject({
      pages: [],
      missing: [5, 6, 7, 8],
    })
  })

  test('returns unrequested pages as surplus', () => {
    const read = readPart(reply([[block('a')], [block('b')], [block('c')]]), file(29, 30), sizes)
    expect(read.pages.map(({ page }) => page)).toEqual([29, 30])
    expect(read.surplus).toMatchObject([{ page: 31, blocks: [{ content: 'c' }] }])
    const lists = sizes.map((_, at) => (at > 0 && at < 4 ? [block(`page ${at + 1}`)] : []))
    const whole = readPart(reply(lists), range(3, 4), sizes)
    expect(whole.pages.map(({ page }) => page)).toEqual([3, 4])
    expect(whole.surplus.map(({ page }) => page)).toEqual([2])
  })
})

describe('image placeholders', () => {
  const named = (index: number): string => `![](page=${index},bbox=[431, 1762, 1061, 2189])`

  test('are numbered as in the document, in content and in the returned text', () => {
    const pages = [[block('a')], [figure(place), block(`see ${named(1)}`, { index: 1 })]]
    const read = readPart(reply(pages, { markdown: `a\n\n${named(1)}` }), file(25, 26), sizes)
    expect(read.returned).toBe(`a\n\n${named(1)}`)
    expect(read.renumbered).toBe(`a\n\n${named(25)}`)
    expect(read.pages[1]?.markdown).toBe(`${named(25)}\n\nsee ${named(25)}`)
  })

  test.each<[string, SentPart, number]>([
    ['from 0 in the response', file(5, 6), 1],
    ['from 1 in the response', file(5, 6), 2],
    ['from 0 in the document', range(5, 6), 5],
    ['from 1 in the document', range(5, 6), 6],
  ])('counted %s, are identified by the blocks they name', (_, part, index) => {
    const pages = [[figure([1, 2, 1503, 1904])], [figure(place)]]
    const read = readPart(reply(pages, { markdown: named(index) }), part, sizes)
    expect(read.renumbered).toBe(named(5))
  })

  test('without a matching block are identified by their numbers', () => {
    const pages = [[block('a')], [block('b')]]
    const read = (markdown: string): string =>
      readPart(reply(pages, { markdown }), range(11, 12), sizes).renumbered
    expect(read(`${named(0)} ${named(1)}`)).toBe(`${named(10)} ${named(11)}`)
    expect(read(`${named(1)} ${named(2)}`)).toBe(`${named(10)} ${named(11)}`)
    expect(read(`${named(10)} ${named(11)}`)).toBe(`${named(10)} ${named(11)}`)
  })
})

describe('the text of a page', () => {
  test('consists of its blocks', () => {
    const blocks = [
      block('running head', { nativeLabel: 'header' }),
      block('## Chapter', { nativeLabel: 'paragraph_title' }),
      block('x^2', { label: 'formula' }),
      block('$$ y $$', { label: 'formula' }),
      block('<table><tr><td>1</td></tr></table>', { label: 'table' }),
      figure(place),
      figure(place, 'https://host/a.png'),
      figure(place, 'words in it'),
      block('something', { label: 'unheard of' }),
    ]
    expect(readPart(reply([blocks]), file(3, 3), sizes).pages[0]?.markdown).toBe(
      [
        '## Chapter',
        '$$\nx^2\n$$',
        '$$ y $$',
        '<table><tr><td>1</td></tr></table>',
        '![](page=2,bbox=[431, 1762, 1061, 2189])',
        '![](https://host/a.png)',
        '![](page=2,bbox=[431, 1762, 1061, 2189])\n\nwords in it',
        'something',
      ].join('\n\n'),
    )
  })

  test.each<[string, boolean]>([
    ['# Title\n\nSome **words** here\n\n![](page=0,bbox=[1,2,3,4])', false],
    ['Title Some words here', false],
    ['head\n\nTitle\n\nSome words here', false],
    ['Title\n\nSome words', true],
    ['Some words here\n\nTitle', true],
    ['', false],
  ])('is compared with the returned text: %j', (markdown, differs) => {
    const blocks = [
      block('head', { nativeLabel: 'header' }),
      block('Title', { nativeLabel: 'doc_title' }),
      block('Some words\nhere'),
    ]
    const read = readPart(reply([blocks], { markdown }), file(1, 1), sizes)
    expect(returnedDiffers(read)).toBe(differs)
  })
})

test('compares hostile texts like others', () => {
  for (const fragment of ['![a](', '![', '<a ', '<', '](', '![](x)']) {
    const markdown = fragment.repeat(200_000 / fragment.length)
    const read = readPart(reply([[block(markdown)]], { markdown }), file(1, 1), sizes)
    expect(returnedDiffers(read)).toBe(false)
  }
})

describe('a text-only response', () => {
  const alone = (markdown: string, pageCount: number | null = null): ParsedLayout =>
    reply([], { markdown, pageCount, pageSizes: [] })
  const texts = (layout: ParsedLayout, part: SentPart): (string | undefined)[] =>
    readPart(layout, part, sizes).pages.map(({ blocks }) => blocks[0]?.content)

  test('is the one requested page', () => {
    const read = readPart(alone('# All'), file(7, 7), sizes)
    expect(read).toMatchObject({ unsplit: false, missing: [], regime: 'none' })
    expect(returnedDiffers(read)).toBe(false)
    expect(read.pages).toMatchObject([
      { page: 7, markdown: '# All', blocks: [{ kind: 'text', content: '# All', box: null }] },
    ])
  })

  test('is split at its page ends', () => {
    expect(texts(alone('a\fb\f'), file(1, 2))).toEqual(['a', 'b'])
    expect(texts(alone('<!-- page 1 -->\na\n<!-- page 2 -->\nb'), file(4, 5))).toEqual(['a', 'b'])
    expect(texts(alone('a\n\n---\n\nb\n\n---\n\nc'), file(1, 3))).toEqual(['a', 'b', 'c'])
    expect(texts(alone('a\f\fc'), file(1, 3))).toEqual(['a', undefined, 'c'])
  })

  test('is otherwise assigned to the first page, and reported', () => {
    const read = readPart(alone('a\n\n---\n\nb'), file(4, 6), sizes)
    expect(read).toMatchObject({ unsplit: true, missing: [] })
    expect(read.pages.map(({ page, markdown }) => [page, markdown])).toEqual([
      [4, 'a\n\n---\n\nb'],
      [5, ''],
      [6, ''],
    ])
  })

  test('does not contain more pages than it counts', () => {
    expect(readPart(alone('a', 1), file(4, 6), sizes)).toMatchObject({ missing: [5, 6] })
  })

  test('is read the same with empty lists', () => {
    const read = readPart(reply([[], []], { markdown: 'a\fb' }), file(4, 5), sizes)
    expect(read.pages.map(({ markdown }) => markdown)).toEqual(['a', 'b'])
    expect(read.pages[0]?.raster).toEqual(raster)
  })
})

test('splits requested pages into returned and missing ones, and loses no block', () => {
  const anyBlock = fc.record({
    index: fc.integer({ min: -2, max: 5 }),
    label: fc.constantFrom('text', 'image', 'table', 'formula', 'x'),
    nativeLabel: fc.constantFrom(null, 'header', 'doc_title'),
    bbox: fc.option(fc.tuple(fc.integer(), fc.integer(), fc.integer(), fc.integer())),
    content: fc.oneof(fc.string(), fc.constant('![](page=3,bbox=[1,2,3,4])')),
    width: fc.constant(null),
    height: fc.constant(null),
  })
  const lists = fc.array(fc.array(anyBlock, { maxLength: 3 }), { maxLength: 33 })
  const parts = fc.record({
    first: fc.integer({ min: 1, max: 30 }),
    length: fc.integer({ min: 0, max: 29 }),
    as: fc.constantFrom('file' as const, 'range' as const),
  })
  const counts = fc.option(fc.integer({ min: 0, max: 40 }))
  fc.assert(
    fc.property(lists, parts, fc.string(), counts, (pages, sent, markdown, pageCount) => {
      const { first, as } = sent
      const last = Math.min(30, first + sent.length)
      const layout = reply(pages, { markdown, pageCount })
      const read = readPart(layout, { first, last, as, pages: 30 }, sizes)
      const requested = Array.from({ length: last - first + 1 }, (_, at) => first + at)
      const reported = [...read.pages.map(({ page }) => page), ...read.missing]
      expect(reported.toSorted((a, b) => a - b)).toEqual(requested)
      const given = pages.flat().length
      const retained = [...read.pages, ...read.surplus].flatMap(({ blocks }) => blocks).length
      if (given > 0) expect(retained).toBe(given)
      expect(read.returned).toBe(markdown)
    }),
  )
})
