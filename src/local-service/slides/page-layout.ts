import type { SKRSContext2D } from '@napi-rs/canvas'
import { fontFamilies, wrapped } from '../assistants/text-image.ts'
import type { SlideLine } from './deck.ts'

/** Size of a page image in pixels. */
export const pageSize = { width: 1280, height: 720 } as const

/** Canvas methods needed for measuring. */
export type Measure = Pick<SKRSContext2D, 'font' | 'measureText'>

/** Fonts of a page: the title of a page without lines, any other title, and lines. */
export const pageFonts = {
  cover: `bold 64px ${fontFamilies}`,
  title: `bold 46px ${fontFamilies}`,
  line: `30px ${fontFamilies}`,
} as const

const margin = 90
const titleStep = 58
const rowStep = 42
const lineGap = 14
const lowestRow = pageSize.height - 60

/** Layout of a page in pixels; `y` is the middle of a row. */
export const pageRoom = {
  margin,
  titleWidth: pageSize.width - 2 * margin,
  coverRows: 4,
  titleRows: 2,
  titleStep,
  rowStep,
  titleTop: margin + 20,
  /** Returns the first row below a title with this many rows. */
  top: (titleRows: number): number => margin + 20 + titleRows * titleStep + 24,
  /** Returns the number of rows that fit from here to the bottom. */
  rowsFrom: (y: number): number => Math.max(0, Math.floor((lowestRow - y) / rowStep) + 1),
  /** Returns the start of the next line after one with this many rows. */
  after: (y: number, rows: number): number => y + rows * rowStep + lineGap,
  /** Returns the left edge of a line's rows. */
  left: (level: number): number => margin + 34 + level * 44,
} as const

/** UTF-16 units that are measured at once: more than a page can show. */
const window = 2000

/** Returns the beginning of a text without splitting a surrogate pair. */
function windowOf(text: string): string {
  const cut = text.slice(0, window)
  return cut.length < text.length && /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut
}

/** Returns the rows of a line that could fit on a page, and where each ends in the text, in UTF-16 units. */
export function rowsOf(
  pen: Measure,
  { text, level }: SlideLine,
): { readonly rows: number; readonly ends: readonly number[]; readonly texts: readonly string[] } {
  pen.font = pageFonts.line
  const width = pageSize.width - margin - pageRoom.left(level)
  const texts = wrapped(pen, windowOf(text), width, Infinity)
  let end = 0
  const ends = texts.map((row) => (end = text.indexOf(row, end) + row.length))
  return { rows: texts.length, ends, texts }
}
