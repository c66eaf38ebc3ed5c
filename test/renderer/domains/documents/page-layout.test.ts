import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  createLayout,
  gap,
  pagesBetween,
} from '../../../../src/renderer/src/domains/documents/pages/page-layout.ts'
import {
  anchorAt,
  scrollTo,
} from '../../../../src/renderer/src/domains/documents/pages/column-geometry.ts'
import {
  nextScale,
  scaleOf,
  scales,
  wheelScale,
  within,
} from '../../../../src/renderer/src/domains/documents/pages/zoom.ts'

const a4 = { width: 595, height: 842 }
const wide = { width: 842, height: 595 }
const sizes = fc.array(
  fc.record({
    width: fc.integer({ min: 1, max: 3000 }),
    height: fc.integer({ min: 1, max: 3000 }),
  }),
  { minLength: 1, maxLength: 60 },
)

describe('pages of a column', () => {
  test('are laid out below each other with a gap, at any scale', () => {
    const layout = createLayout([a4, wide, a4], 0, 1)
    expect(layout.top(1, 2)).toBe(gap)
    expect(layout.top(2, 2)).toBe(842 * 2 + 2 * gap)
    expect(layout.height(2)).toBe((842 + 595 + 842) * 2 + 4 * gap)
    expect(layout.widest).toBe(842)
  })

  test('are laid out sideways when the view is rotated', () => {
    const layout = createLayout([a4], 90, 2)
    expect(layout.size(1)).toEqual({ width: 1684, height: 1190 })
  })

  test('are found by their height like in a scan from the top', () => {
    fc.assert(
      fc.property(
        sizes,
        fc.double({ min: 0.1, max: 8, noNaN: true }),
        fc.nat(200_000),
        (pages, scale, y) => {
          const layout = createLayout(pages, 0, 1)
          let slow = 1
          for (let page = 1; page <= pages.length; page++)
            if (layout.top(page, scale) - gap <= y) slow = page
          expect(layout.pageAt(y, scale)).toBe(slow)
        },
      ),
    )
  })

  test('are none for an empty document', () => {
    const layout = createLayout([], 0, 1)
    expect(layout.pageAt(100, 1)).toBe(0)
    expect(pagesBetween(layout, 1, 0, 100)).toEqual({ first: 0, last: 0 })
  })

  test('that are visible are all that overlap the view', () => {
    const layout = createLayout([a4, a4, a4, a4], 0, 1)
    expect(pagesBetween(layout, 1, 0, 800)).toEqual({ first: 1, last: 1 })
    expect(pagesBetween(layout, 1, 800, 1800)).toEqual({ first: 1, last: 3 })
  })
})

test('keep the point under the pointer at any scale and wheel movement', () => {
  fc.assert(
    fc.property(
      sizes,
      fc.double({ min: 0.2, max: 4, noNaN: true }),
      fc.double({ min: 0.2, max: 4, noNaN: true }),
      fc.nat(50_000),
      fc.nat(900),
      (pages, before, after, top, y) => {
        const layout = createLayout(pages, 0, 96 / 72)
        const at = (scale: number) => ({
          layout,
          scale,
          width: Math.max(1000, layout.widest * scale + 2 * gap),
        })
        const anchor = anchorAt(at(before), { left: 0, top }, 400, y)
        const scroll = scrollTo(at(after), anchor, 400, y)
        const again = anchorAt(at(after), scroll, 400, y)
        // The gaps do not grow: a point in one may end up on the adjacent page.
        if (anchor.y < 0 || anchor.y > 1) return
        expect(again.page).toBe(anchor.page)
        expect(again.x).toBeCloseTo(anchor.x, 6)
        expect(again.y).toBeCloseTo(anchor.y, 6)
      },
    ),
  )
})

describe('scale', () => {
  const layout = createLayout([a4, wide], 0, 1)
  const view = { width: 842 + 2 * gap, height: 421 + 2 * gap }

  test('fits the widest page into the width, or the whole current page', () => {
    expect(scaleOf({ kind: 'width' }, layout, view, 1)).toBe(1)
    expect(scaleOf({ kind: 'page' }, layout, view, 1)).toBe(0.5)
    expect(scaleOf({ kind: 'page' }, layout, view, 2)).toBeCloseTo(421 / 595)
    expect(scaleOf({ kind: 'scale', scale: 1.25 }, layout, view, 1)).toBe(1.25)
  })

  test('stays within what a browser can display, for any number of pages', () => {
    const book = createLayout(
      Array.from({ length: 10_000 }, () => a4),
      0,
      96 / 72,
    )
    const maxZoom = within(100, book)
    expect(book.height(maxZoom)).toBeLessThanOrEqual(30_000_001)
    expect(maxZoom).toBeGreaterThan(2)
    expect(within(100, layout)).toBe(scales.max)
    expect(within(0, layout)).toBe(scales.min)
  })

  test('changes in steps, also from between two of them', () => {
    expect(nextScale(1, 1)).toBe(1.1)
    expect(nextScale(1, -1)).toBe(0.9)
    expect(nextScale(1.003, 1)).toBe(1.1)
    expect(nextScale(1.2, 1)).toBe(1.25)
    expect(nextScale(8, 1)).toBe(8)
  })

  test('returns to its value when the wheel is turned back', () => {
    expect(wheelScale(wheelScale(1.3, 100), -100)).toBeCloseTo(1.3)
    expect(wheelScale(1, -100)).toBeGreaterThan(1)
  })
})
