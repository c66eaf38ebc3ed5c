import fc from 'fast-check'
import { expect, test } from 'vitest'
import { halves, planOf, planParts } from '../../../src/shared/documents/plan.ts'
import { countPages, pagesIn, rangesOf } from '../../../src/shared/documents/ranges.ts'
import type { DocumentFacts } from '../../../src/shared/model/document.ts'
import { limits, limitsWith } from '../../../src/shared/provider/limits.ts'

const megabyte = 1024 * 1024

const pdf = (pages: number, bytes: number): Pick<DocumentFacts, 'mime' | 'bytes' | 'pages'> => ({
  mime: 'application/pdf',
  pages,
  bytes,
})
const all = (pages: number): { first: number; last: number }[] => [{ first: 1, last: pages }]
const lengths = (parts: readonly { first: number; last: number }[]): number[] =>
  parts.map(({ first, last }) => last - first + 1)

test('splits 117 light pages into five parts of similar length', () => {
  const facts = pdf(117, 1_887_437)
  const parts = planParts(facts, all(117), limits)
  expect(lengths(parts)).toEqual([24, 24, 23, 23, 23])
  expect(planOf(facts, parts)).toEqual({
    pages: 117,
    bytes: facts.bytes,
    parts: 5,
    requests: 5,
  })
})

test('shortens parts for heavy pages, down to one page', () => {
  expect(lengths(planParts(pdf(40, 112 * megabyte), all(40), limits))).toEqual([10, 10, 10, 10])
  expect(lengths(planParts(pdf(3, 300 * megabyte), all(3), limits))).toEqual([1, 1, 1])
})

test("prefers a profile's limits to the settings", () => {
  const host = limitsWith({ 'layout.pages': 10, 'layout.pdfBytes': 5 * megabyte })
  expect(lengths(planParts(pdf(30, megabyte), all(30), host))).toEqual([10, 10, 10])
  expect(lengths(planParts(pdf(8, 20 * megabyte), all(8), host))).toEqual([2, 2, 2, 2])
  const wide = { pages: 500, bytes: 500 * megabyte }
  expect(lengths(planParts(pdf(150, megabyte), all(150), limits, wide))).toEqual([75, 75])
})

test('never includes pages that were not requested', () => {
  const facts = pdf(60, 6 * megabyte)
  const parts = planParts(
    facts,
    rangesOf([1, 2, 3, 7, ...pagesIn([{ first: 30, last: 60 }])]),
    limits,
  )
  expect(parts).toEqual([
    { first: 1, last: 3 },
    { first: 7, last: 7 },
    { first: 30, last: 45 },
    { first: 46, last: 60 },
  ])
  expect(planOf(facts, parts)).toMatchObject({ pages: 35, bytes: 3.5 * megabyte, parts: 4 })
})

test('plans one part for an image, none for an unreadable document', () => {
  const image = { mime: 'image/png', pages: 1, bytes: 9 * megabyte } as const
  expect(planParts(image, all(1), limits)).toEqual([{ first: 1, last: 1 }])
  expect(planParts(pdf(0, megabyte), [], limits)).toEqual([])
  expect(planOf(pdf(0, megabyte), [])).toEqual({ pages: 0, bytes: 0, parts: 0, requests: 0 })
})

test('halves a part down to a single page', () => {
  expect(halves({ first: 5, last: 9 })).toEqual([
    { first: 5, last: 7 },
    { first: 8, last: 9 },
  ])
  expect(halves({ first: 5, last: 6 })).toEqual([
    { first: 5, last: 5 },
    { first: 6, last: 6 },
  ])
  expect(halves({ first: 5, last: 5 })).toBeNull()
})

test('includes every requested page in exactly one part within the limits', () => {
  const settings = fc.record({
    pages: fc.oneof(fc.integer({ min: 1, max: 200 }), fc.constantFrom(0, -3, 1.5, NaN)),
    bytes: fc.oneof(fc.integer({ min: 1, max: 1e9 }), fc.constantFrom(0, NaN)),
  })
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 700 }),
      fc.integer({ min: 0, max: 2e9 }),
      fc.array(fc.integer({ min: 1, max: 700 }), { maxLength: 300 }),
      settings,
      (pages, bytes, chosen, bounds) => {
        const requested = rangesOf(chosen.filter((page) => page <= pages))
        const parts = planParts(pdf(pages, bytes), requested, limits, bounds)
        expect(Array.from(pagesIn(parts))).toEqual(Array.from(pagesIn(requested)))
        for (const length of lengths(parts)) {
          expect(length).toBeLessThanOrEqual(Math.max(1, limits.layout.pages))
          if (bounds.pages >= 1) expect(length).toBeLessThanOrEqual(bounds.pages)
          if (length > 1) expect((bytes / pages) * length).toBeLessThanOrEqual(bounds.bytes + 1)
        }
        expect(planOf(pdf(pages, bytes), parts).pages).toBe(countPages(requested))
      },
    ),
  )
})
