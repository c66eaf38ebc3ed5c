import type { Box } from '../model/document.ts'
import { fieldsOf, listOf, numberAt } from './sources-values.ts'
import type { Fields } from './sources-values.ts'

/** A rectangle on a page as it was told: the page's number is the service's own. */
export interface SourceBox {
  readonly page: number
  /** Null: the page is known, where on it is not. */
  readonly box: Box | null
  /** Width over height of the page the rectangle was measured on; absent where no size was told. */
  readonly aspect?: number
}

/** How much the shapes of two pages may differ, as a share, to be the same page. */
const maxAspectDifference = 0.03

/** Whether a rectangle was measured on a page of this shape (width over height); what is not known is believed. */
export const fitsPage = ({ aspect }: Pick<SourceBox, 'aspect'>, page: number | null): boolean =>
  aspect === undefined || page === null || Math.abs(aspect / page - 1) <= maxAspectDifference

/** Where a source stands in its document. */
export interface SourcePlace {
  /** Every rectangle, in the order told; none where positions are hidden. */
  readonly boxes: readonly SourceBox[]
  /** What the service calls the first page; null: that cannot be told from the numbers. */
  readonly firstPage: 0 | 1 | null
  readonly sheet: string | null
  /** Row of the sheet, or line of the file. */
  readonly line: number | null
  /** The service asks that positions are not shown (service-notes 11): text only. */
  readonly hidden: boolean
}

/** A place of which nothing is known. */
export const nowhere: SourcePlace = {
  boxes: [],
  firstPage: null,
  sheet: null,
  line: null,
  hidden: false,
}

/** Rectangles of one source at most. */
export const maxBoxes = 500
/** Pages beyond this are no pages. */
const maxPages = 1_000_000

/** The rectangles of a `position` or `positions` field (service-notes 11): one, or a list. What cannot be read is left out. */
export function sourceBoxes(value: unknown): readonly SourceBox[] {
  const boxes: SourceBox[] = []
  for (const one of listOf(value).slice(0, maxBoxes)) {
    const box = sourceBox(fieldsOf(one))
    if (box) boxes.push(box)
  }
  return boxes
}

function sourceBox(fields: Fields | null): SourceBox | null {
  const page = fields && numberAt(fields, 'page', 'page_index', 'page_number')
  if (!fields || page === null || !isPage(page)) return null
  const [wide, high] = [numberAt(fields, 'width') ?? 0, numberAt(fields, 'height') ?? 0]
  const sized = wide > 0 && high > 0 && (wide !== 1 || high !== 1)
  const box = boxOf(fields)
  return { page, box, ...(box && sized && { aspect: wide / high }) }
}

/** A page of which no rectangle is told; none for what is no page. */
export const pageAlone = (page: number | null): readonly SourceBox[] =>
  page !== null && isPage(page) ? [{ page, box: null }] : []

/** Whether a number can be a page's. */
const isPage = (page: number): boolean =>
  Number.isSafeInteger(page) && page >= 0 && page < maxPages

/**
 * Fractions of the page: distances from its left and top edge over that slice's own width and height. Edges are put in order and
 * kept on the page; null for what has no extent, or no size to measure by.
 */
function boxOf(fields: Fields): Box | null {
  const [x0, x1] = [numberAt(fields, 'x0'), numberAt(fields, 'x1')]
  const [top, bottom] = [numberAt(fields, 'top'), numberAt(fields, 'bottom')]
  if (x0 === null || x1 === null || top === null || bottom === null) return null
  const fractions = [x0, x1, top, bottom].every((value) => value >= 0 && value <= 1)
  const wide = numberAt(fields, 'width') ?? 0
  const high = numberAt(fields, 'height') ?? 0
  const [across, down] = wide > 0 && high > 0 ? [wide, high] : fractions ? [1, 1] : [0, 0]
  if (across === 0) return null
  const part = (value: number, whole: number): number => Math.min(1, Math.max(0, value / whole))
  const [left, right] = [part(Math.min(x0, x1), across), part(Math.max(x0, x1), across)]
  const [above, below] = [part(Math.min(top, bottom), down), part(Math.max(top, bottom), down)]
  return right > left && below > above ? [left, above, right, below] : null
}

/** What the service calls the first page, from all pages it told together: a page 0 proves that it counts from 0. */
export const firstPageOf = (pages: Iterable<number>): 0 | null => {
  for (const page of pages) if (page === 0) return 0
  return null
}

/**
 * The page of the document (from 1) that a told page is. `firstPage` null: as it was decided elsewhere, else from 1. Null when the
 * document has no such page.
 */
export function pageOf(reportedPage: number, firstPage: 0 | 1 | null, pages: number): number | null {
  const page = reportedPage + (firstPage === 0 ? 1 : 0)
  return page >= 1 && page <= pages ? page : null
}
