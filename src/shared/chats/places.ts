import type { Box } from '../model/document.ts'
import { fieldsOf, listOf, numberAt, type Fields } from './sources-values.ts'

/** Rectangle on a page as reported by the provider, with the provider's page number. */
export interface SourceBox {
  readonly page: number
  /** Null: the page is known, but not the position on it. */
  readonly box: Box | null
  /**
   * Width divided by height of the page on which the rectangle was measured; absent if no size was reported.
   */
  readonly aspect?: number
}

/** Maximum relative difference between the aspect ratios of two pages that count as equal. */
const maxAspectDifference = 0.03

/**
 * Returns whether a rectangle was measured on a page with this aspect ratio (width divided by height); unknown ratios
 * are accepted.
 */
export const fitsPage = ({ aspect }: Pick<SourceBox, 'aspect'>, page: number | null): boolean =>
  aspect === undefined || page === null || Math.abs(aspect / page - 1) <= maxAspectDifference

/** Position of a source in its document. */
export interface SourcePlace {
  /** Every rectangle in the reported order; none if positions are hidden. */
  readonly boxes: readonly SourceBox[]
  /** Number that the provider gives the first page; null: the numbers do not determine it. */
  readonly firstPage: 0 | 1 | null
  readonly sheet: string | null
  /** Row of the sheet, or line of the file. */
  readonly line: number | null
  /** Whether the provider requests not to show positions (service-notes 11): text only. */
  readonly hidden: boolean
}

/** Unknown position. */
export const nowhere: SourcePlace = {
  boxes: [],
  firstPage: null,
  sheet: null,
  line: null,
  hidden: false,
}

/** Maximum number of rectangles of one source. */
export const maxBoxes = 500
/** Page numbers from this one on are invalid. */
const maxPages = 1_000_000

/**
 * Parses the rectangles of a `position` or `positions` field (service-notes 11): one, or a list. Unreadable ones are
 * omitted.
 */
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

/** Returns a page without a rectangle; none for an invalid page. */
export const pageAlone = (page: number | null): readonly SourceBox[] =>
  page !== null && isPage(page) ? [{ page, box: null }] : []

/** Returns whether a number can be a page number. */
const isPage = (page: number): boolean => Number.isSafeInteger(page) && page >= 0 && page < maxPages

/**
 * Returns fractions of the page: distances from its left and top edge divided by the width and height given in that
 * slice. Edges are sorted and clamped to the page; null if it has no extent, or no size to measure by.
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

/**
 * Determines which number the provider gives the first page, from all its page numbers: a page 0 proves that it counts
 * from 0.
 */
export const firstPageOf = (pages: Iterable<number>): 0 | null => {
  for (const page of pages) if (page === 0) return 0
  return null
}

/**
 * Returns the document page (from 1) of a reported page. `firstPage` null: decided elsewhere, otherwise from 1. Null if
 * the document has no such page.
 */
export function pageOf(
  reportedPage: number,
  firstPage: 0 | 1 | null,
  pages: number,
): number | null {
  const page = reportedPage + (firstPage === 0 ? 1 : 0)
  return page >= 1 && page <= pages ? page : null
}
