import { expect, test } from 'vitest'
import {
  highlightRequests,
  joinLines,
  mergeLines,
  positionIn,
  quotePart,
} from '../../../../src/renderer/src/domains/documents/highlights/passages.ts'
import { withNotes } from '../../../../src/renderer/src/domains/documents/find/match-reader.ts'
import type { FoundPlace } from '../../../../src/renderer/src/domains/documents/find/match-places.ts'
import type { Box } from '../../../../src/shared/model/document.ts'
import type { Highlight } from '../../../../src/shared/model/highlight.ts'

test('merges the pieces of a line, and no others', () => {
  const shape = 0.7
  expect(
    mergeLines(
      [
        // Words of one line, of which one is higher.
        [0.1, 0.2, 0.3, 0.22],
        [0.305, 0.195, 0.4, 0.22],
        // The next line.
        [0.1, 0.23, 0.2, 0.25],
        // The same height in another column.
        [0.6, 0.23, 0.8, 0.25],
      ],
      shape,
    ),
  ).toEqual([
    [0.1, 0.195, 0.4, 0.22],
    [0.1, 0.23, 0.2, 0.25],
    [0.6, 0.23, 0.8, 0.25],
  ])
  expect(mergeLines([], shape)).toEqual([])
  // Text outside of the visible part of the page.
  expect(
    mergeLines(
      [
        [0, 0, 0.3, 0],
        [0.1, 0.2, 0.3, 0.22],
        [1, 0.2, 1, 0.22],
      ],
      shape,
    ),
  ).toEqual([[0.1, 0.2, 0.3, 0.22]])
})

test('saves any selection, in requests within their limits', () => {
  const boxes = Array.from({ length: 1001 }, (_, at): Box => [0, at / 2000, 1, (at + 1) / 2000])
  const passages = Array.from({ length: 60 }, (_, at) => ({
    page: at + 1,
    boxes: at === 0 ? boxes : boxes.slice(0, 1),
    quote: 'q'.repeat(60_000),
  }))
  const requests = highlightRequests(passages)
  expect(requests.map((parts) => parts.length)).toEqual([50, 11])
  const parts = requests.flat()
  expect(parts.map(({ page }) => page)).toEqual([1, ...passages.map(({ page }) => page)])
  expect(parts.slice(0, 3).map((part) => [part.boxes.length, part.quote.length])).toEqual([
    [1000, 50_000],
    [1, 0],
    [1, 50_000],
  ])
  for (const { boxes: none } of [{ boxes: [] }, { boxes: [[0.2, 0, 0.2, 1] as const] }])
    expect(highlightRequests([{ page: 1, boxes: none, quote: 'outside' }])).toEqual([])
})

test('truncates a quote between characters', () => {
  const quote = `${'q'.repeat(49_999)}😀`
  const [[part] = []] = highlightRequests([{ page: 1, boxes: [[0, 0, 1, 1]], quote }])
  expect(part?.quote).toBe('q'.repeat(49_999))
})

test('marks the part of a quote that is in a block', () => {
  const part = (text: string, quote: string, position = 0): string | null => {
    const found = quotePart(text, quote, position)
    return found && `${found[0]} ${text.slice(...found)}`
  }
  // Of several occurrences the one at the highlight.
  expect(part('isthereis', 'is', 0)).toBe('0 is')
  expect(part('isthereis', 'is', 0.9)).toBe('7 is')
  // The beginning, the middle and the end of a quote over three blocks.
  const quote = 'andthenMiddleofitatlast'
  expect(part('firstandthen', quote)).toBe('5 andthen')
  expect(part('Middleofit', quote)).toBe('0 Middleofit')
  expect(part('atlastnothing', quote)).toBe('0 atlast')
  expect(part('somethingelse', quote)).toBeNull()
  expect(part('', quote)).toBeNull()
})

test('finds where in a block a highlight begins', () => {
  const block: Box = [0.1, 0.2, 0.9, 0.4]
  expect(positionIn(block, [[0.1, 0.2, 0.3, 0.25]])).toBeCloseTo(0)
  // The middle of the last of four lines.
  expect(positionIn(block, [[0.5, 0.35, 0.6, 0.4]])).toBeCloseTo(0.875)
  // The first box that is in the block.
  expect(
    positionIn(block, [
      [0.1, 0.1, 0.9, 0.15],
      [0.1, 0.3, 0.9, 0.35],
    ]),
  ).toBeCloseTo(0.5)
  expect(positionIn(block, [[0.1, 0.5, 0.3, 0.55]])).toBeNull()
  expect(positionIn(block, [[0.92, 0.2, 0.95, 0.25]])).toBeNull()
})

test('joins lines as they are read', () => {
  expect(joinLines(['The light-', 'house looks over', 'a quiet sea.'])).toBe(
    'The lighthouse looks over a quiet sea.',
  )
  expect(joinLines(['灯塔看着', '安静的海。'])).toBe('灯塔看着安静的海。')
  expect(joinLines(['the years 1914-', '1918', 'Anglo-', 'Saxon'])).toBe(
    'the years 1914- 1918 Anglo- Saxon',
  )
})

const note = (id: string, page: number, text: string): Highlight => ({
  id,
  documentId: 'd',
  page,
  boxes: [[0, 0, 1, 1]],
  quote: 'quiet sea',
  note: text,
  color: 'yellow',
  createdAt: 0,
  updatedAt: 0,
})

test('finds notes between the matches in the text, in the order of the pages', async () => {
  async function* places(): AsyncGenerator<readonly FoundPlace[]> {
    yield [5, 8].map((page) => ({ page, blockId: null, nth: 0 }))
    yield [2].map((page) => ({ page, blockId: null, nth: 0 }))
  }
  const highlights = [
    note('first', 1, 'a lighthouse'),
    note('other', 5, 'nothing'),
    note('sixth', 6, 'The LIGHTHOUSE again'),
    note('ninth', 9, 'lighthouse'),
    note('third', 3, 'lighthouse'),
  ].toSorted((a, b) => a.page - b.page)
  const found: string[] = []
  for await (const some of withNotes(places(), highlights, 'lighthouse', 5))
    found.push(...some.map(({ page, highlightId }) => highlightId ?? String(page)))
  expect(found).toEqual(['5', 'sixth', '8', 'ninth', 'first', '2', 'third'])
})
