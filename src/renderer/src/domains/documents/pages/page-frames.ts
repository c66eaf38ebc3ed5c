import type { ReadingPosition } from '../../../../../shared/contract/documents.ts'
import { leftOf, type Column } from './anchor.ts'
import type { PageRange } from './page-layout.ts'
import type { Zoom } from './zoom.ts'

/** Position of a page in the column, in CSS pixels. */
export interface PlacedPage {
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
