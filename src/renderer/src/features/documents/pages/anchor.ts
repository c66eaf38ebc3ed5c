import type { PageLayout } from './page-layout.ts'

/** A place in a document that holds at any zoom: a page, and fractions of its width and height. */
export interface Anchor {
  readonly page: number
  readonly x: number
  readonly y: number
}

/** How far the column is scrolled, in CSS pixels. */
export interface Scroll {
  readonly left: number
  readonly top: number
}

/** What is needed to tell places in the column: pages stand in its middle, which is at least as wide as the view. */
export interface Column {
  readonly layout: PageLayout
  readonly scale: number
  readonly width: number
}

/** Left edge of a page in the column. */
export function leftOf({ layout, scale, width }: Column, page: number): number {
  return (width - layout.size(page).width * scale) / 2
}

/** What lies under a point of the view, told from its upper left corner. */
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

/** How the column is to be scrolled for an anchor to lie under a point of the view. */
export function scrollTo(column: Column, anchor: Anchor, x: number, y: number): Scroll {
  const { layout, scale } = column
  const size = layout.size(anchor.page)
  return {
    left: leftOf(column, anchor.page) + anchor.x * size.width * scale - x,
    top: layout.top(anchor.page, scale) + anchor.y * size.height * scale - y,
  }
}
