import type { PageLayout, PageRange } from './page-layout.ts'
import type { ReadingPosition } from '../../../../../shared/contract/documents.ts'
import type { Zoom } from './zoom.ts'

/**
 * A position in a document that is independent of the zoom: a page, and fractions of its width and height.
 */
export interface Anchor {
  readonly page: number
  readonly x: number
  readonly y: number
}

/** Scroll position of the column, in CSS pixels. */
export interface Scroll {
  readonly left: number
  readonly top: number
}

/** Geometry of the column: pages are centered in it, and it is at least as wide as the view. */
export interface Column {
  readonly layout: PageLayout
  readonly scale: number
  readonly width: number
}

/** Returns the left edge of a page in the column. */
export function leftOf({ layout, scale, width }: Column, page: number): number {
  return (width - layout.size(page).width * scale) / 2
}

/** Returns the position under a point of the view, which is relative to its upper left corner. */
export function anchorAt(column: Column, scroll: Scroll, x: number, y: number): Anchor {
  const { layout, scale } = column
  const page = layout.pageAt(scroll.top + y, scale)
  const size = layout.size(page)
  const fraction = (length: number, whole: number): number => (whole > 0 ? length / whole : 0)
  return {
    page,
    x: fraction(scroll.left + x - leftOf(column, page), size.width * scale),
    y: fraction(scroll.top + y - layout.top(page, scale), size.height * scale),
  }
}

/** Returns the scroll position that puts an anchor under a point of the view. */
export function scrollTo(column: Column, anchor: Anchor, x: number, y: number): Scroll {
  const { layout, scale } = column
  const size = layout.size(anchor.page)
  return {
    left: leftOf(column, anchor.page) + anchor.x * size.width * scale - x,
    top: layout.top(anchor.page, scale) + anchor.y * size.height * scale - y,
  }
}

/** Position of a page in the column, in CSS pixels. */
interface PlacedPage {
  readonly page: number
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** Returns the rendered pages: those in view and one on each side. */
export function placedPages(column: Column, { first, last }: PageRange): readonly PlacedPage[] {
  const { layout, scale } = column
  const from = Math.max(1, first - 1)
  const to = Math.min(layout.count, last + 1)
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, place) => {
    const page = from + place
    const { width, height } = layout.size(page)
    return {
      page,
      left: leftOf(column, page),
      top: layout.top(page, scale),
      width: width * scale,
      height: height * scale,
    }
  })
}

/** Returns the reading position to remember; null when there are no pages. */
export function readingPlace(
  { layout, scale }: Column,
  scrollTop: number,
  zoom: Zoom,
): ReadingPosition | null {
  // Browsers scroll to whole device pixels, so the first line of a page must not count as the last of the page before.
  const top = scrollTop + 1
  const page = layout.pageAt(top, scale)
  if (page === 0) return null
  const high = layout.size(page).height * scale
  const offset = high > 0 ? Math.min(Math.max((top - layout.top(page, scale)) / high, 0), 1) : 0
  return { page, offset, zoom: zoom.kind === 'width' ? null : scale }
}
