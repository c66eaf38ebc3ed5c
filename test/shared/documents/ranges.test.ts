import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  countPages,
  pagesIn,
  rangesOf,
  rangesText,
  readRanges,
} from '../../../src/shared/documents/ranges.ts'

const pagesOf = (text: string, count = 30): number[] | string[] => {
  const read = readRanges(text, count)
  if (read.ok) return Array.from(pagesIn(read.ranges))
  return read.faults.map(({ part, problem }) => `${part}: ${problem}`)
}

const to = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, at) => first + at)

test.each<[string, number[]]>([
  ['1-3, 7, 28-', [1, 2, 3, 7, 28, 29, 30]],
  ['-5', to(1, 5)],
  ['- 5', to(1, 5)],
  ['10-', to(10, 30)],
  ['7 - ', to(7, 30)],
  ['', to(1, 30)],
  [' \n ', to(1, 30)],
  ['第3至5页，8', [3, 4, 5, 8]],
  ['１－３、5；7', [1, 2, 3, 5, 7]],
  ['2——4', [2, 3, 4]],
  ['2–4; 6 ~ 7', [2, 3, 4, 6, 7]],
  ['1 2 9-10', [1, 2, 9, 10]],
  ['9-7', [7, 8, 9]],
  ['30-28, 29, 28-28', [28, 29, 30]],
  ['4, 3, 3, 1', [1, 3, 4]],
  ['Page 7, pp. 3-4', [3, 4, 7]],
  [',2,,4,', [2, 4]],
])('accepts %j', (text, pages) => {
  expect(pagesOf(text)).toEqual(pages)
})

test.each<[string, string[]]>([
  ['abc, 2, 3x', ['abc: unreadable', '3x: unreadable']],
  ['1-2-3', ['1-2-3: unreadable']],
  ['-', ['-: unreadable']],
  ['1, - , 3', ['-: unreadable']],
  [',', [',: unreadable']],
  ['1.5', ['1.5: unreadable']],
  ['1e1', ['1e1: unreadable']],
  ['0', ['0: zero']],
  ['0-3', ['0-3: zero']],
  ['3-0', ['3-0: zero']],
  ['28-31, 5, 999999999999999999999', ['28-31: beyond', '999999999999999999999: beyond']],
  ['31-', ['31-: beyond']],
])('rejects %j with its invalid parts', (text, faults) => {
  expect(pagesOf(text)).toEqual(faults)
})

test('has no pages to choose in a document without any', () => {
  expect(readRanges('', 0)).toEqual({ ok: true, ranges: [] })
  expect(pagesOf('1-', 0)).toEqual(['1-: beyond'])
})

const selection = fc
  .integer({ min: 1, max: 400 })
  .chain((count) =>
    fc.tuple(
      fc.constant(count),
      fc.uniqueArray(fc.integer({ min: 1, max: count }), { minLength: 1 }),
    ),
  )

test('parses its own output, sorted and merged', () => {
  fc.assert(
    fc.property(selection, ([count, pages]) => {
      const ranges = rangesOf(pages)
      expect(Array.from(pagesIn(ranges))).toEqual(pages.toSorted((a, b) => a - b))
      expect(countPages(ranges)).toBe(pages.length)
      for (const text of [rangesText(ranges, count), rangesText(ranges)])
        expect(readRanges(text, count)).toEqual({ ok: true, ranges })
      for (const [at, range] of ranges.entries())
        expect(range.first).toBeGreaterThan((ranges[at - 1]?.last ?? -1) + 1)
    }),
  )
})

test('uses the shortest text for the document, and both ends for display', () => {
  const ranges = [
    { first: 1, last: 3 },
    { first: 7, last: 7 },
    { first: 20, last: 117 },
  ]
  expect(rangesText(ranges, 117)).toBe('-3, 7, 20-')
  expect(rangesText(ranges)).toBe('1-3, 7, 20-117')
  expect(rangesText([{ first: 1, last: 117 }], 117)).toBe('')
  expect(rangesText([], 117)).toBe('')
})

test('never throws or returns missing pages for any text', () => {
  const hostile = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc
      .array(fc.constantFrom('1', '9', '-', '—', ' ', ',', '，', '页', '第', 'p.', '0', '\t'))
      .map((parts) => parts.join('')),
  )
  fc.assert(
    fc.property(hostile, fc.integer({ min: 0, max: 12 }), (text, count) => {
      const read = readRanges(text, count)
      if (!read.ok) {
        expect(read.faults.length).toBeGreaterThan(0)
        return
      }
      for (const page of pagesIn(read.ranges)) {
        expect(page).toBeGreaterThanOrEqual(1)
        expect(page).toBeLessThanOrEqual(count)
      }
    }),
  )
})
