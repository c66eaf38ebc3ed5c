import { expect, test } from 'vitest'
import {
  joinLines,
  mergeLines,
} from '../../../../src/renderer/src/domains/documents/highlights/passages.ts'
import { withNotes } from '../../../../src/renderer/src/domains/documents/find/match-reader.ts'
import type { FoundPlace } from '../../../../src/renderer/src/domains/documents/find/match-places.ts'
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
