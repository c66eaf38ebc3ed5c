import type { SKRSContext2D } from '@napi-rs/canvas'
import { fontFamilies, wrapped } from '../assistants/text-image.ts'
import type { SlideLine } from './deck.ts'

/** Pixels of a page's picture. */
export const pageSize = { width: 1280, height: 720 } as const

/** What measuring needs of a canvas. */
export type Measure = Pick<SKRSContext2D, 'font' | 'measureText'>

/** Fonts of a page: the title of a page without lines, that of any other, and its lines. */
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

/** Where things stand on a page, in pixels; `y` is the middle of a row. */
export const pageRoom = {
  margin,
  titleWidth: pageSize.width - 2 * margin,
  coverRows: 4,
  titleRows: 2,
  titleStep,
  rowStep,
  titleTop: margin + 20,
  /** The first row below a title of so many rows. */
  top: (titleRows: number): number => margin + 20 + titleRows * titleStep + 24,
  /** Rows that fit from here to the bottom. */
  rowsFrom: (y: number): number => Math.max(0, Math.floor((lowestRow - y) / rowStep) + 1),
  /** Where the next line begins after one of so many rows. */
  after: (y: number, rows: number): number => y + rows * rowStep + lineGap,
  /** Where the rows of a line begin. */
  left: (level: number): number => margin + 34 + level * 44,
} as const

/** UTF-16 units that are measured at a time: more than a page can show. */
const window = 2000

/** A piece of a text that ends in no half of a character. */
function windowOf(text: string): string {
  const cut = text.slice(0, window)
  return cut.length < text.length && /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut
}

/** The rows of a line as far as a page could show them, and where each ends in the text, in UTF-16 units. */
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
