import type { PageSize } from '../../../../../shared/model/document.ts'
import type { Turn } from './page-source.ts'

/** CSS pixels between two pages and around them; independent of the zoom. */
export const gap = 12

/**
 * Layout of a document's pages in one column, at any scale. Pages count from 1, heights from the column's top.
 */
export interface PageLayout {
  readonly count: number
  /** Width of the widest page in its own units. */
  readonly widest: number
  /** Returns the size of a page as displayed, in its own units. */
  size(page: number): PageSize
  top(page: number, scale: number): number
  /** Returns the height of the whole column. */
  height(scale: number): number
  /** Returns the page at a height; the gap above a page belongs to it. 0 when there are no pages. */
  pageAt(y: number, scale: number): number
}

/**
 * Lays out pages in a column. The heights are summed up once and a page is found by binary search, so that ten thousand
 * pages cost no more than ten. `unit` is CSS pixels per unit at scale 1.
 */
export function createLayout(sizes: readonly PageSize[], turn: Turn, unit: number): PageLayout {
  const sideways = turn % 180 !== 0
  const seen = sizes.map(({ width, height }) => ({
    width: (sideways ? height : width) * unit,
    height: (sideways ? width : height) * unit,
  }))
  const above = new Float64Array(seen.length + 1)
  let widest = 0
  seen.forEach(({ width, height }, index) => {
    above[index + 1] = (above[index] ?? 0) + height
    widest = Math.max(widest, width)
  })

  const top = (page: number, scale: number): number => (above[page - 1] ?? 0) * scale + gap * page
  return {
    count: seen.length,
    widest,
    size: (page) => seen[page - 1] ?? { width: 0, height: 0 },
    top,
    height: (scale) => (above[seen.length] ?? 0) * scale + gap * (seen.length + 1),
    pageAt(y, scale) {
      let low = 1
      let high = seen.length
      while (low < high) {
        const middle = (low + high + 1) >> 1
        if (top(middle, scale) - gap <= y) low = middle
        else high = middle - 1
      }
      return Math.min(low, seen.length)
    },
  }
}

/** First and last page that are visible between two heights. */
export interface PageRange {
  readonly first: number
  readonly last: number
}

/** Returns the pages between two heights of the column. */
export function pagesBetween(
  layout: PageLayout,
  scale: number,
  from: number,
  to: number,
): PageRange {
  const last = layout.pageAt(to, scale)
  const first = layout.pageAt(from, scale)
  // Of a page that ends above, only the gap below it is visible.
  return { first, last: Math.max(first, last) }
}
