import { wrapped } from '../assistants/text-image.ts'
import type { SlideLine, SlidePage } from './deck.ts'
import { pageFonts, pageRoom, rowsOf, type Measure } from './page-layout.ts'

/** Maximum number of pages in a deck: each is rendered and saved as an image. */
export const maxPages = 100

/** Outline entries that did not fit in a deck, always the last ones. */
export interface LeftOut {
  readonly entries: number
  /** Number of entries in the whole outline. */
  readonly of: number
  /** Beginning of the first omitted entry. */
  readonly from: string
}

/** Pages with fully readable text, and the entries that were omitted. */
interface FittedDeck {
  readonly pages: readonly SlidePage[]
  readonly leftOut: LeftOut | null
}

/** UTF-16 units of a title that are measured; more never fits. */
const titleWindow = 500

function titleRows(pen: Measure, title: string, font: string): readonly string[] {
  pen.font = font
  return wrapped(pen, title.slice(0, titleWindow), pageRoom.titleWidth, Infinity)
}

/**
 * Returns a page with a readable title: a title that is too long is truncated and repeated in full as the first line.
 */
function withReadableTitle(pen: Measure, page: SlidePage): SlidePage {
  const { title, lines } = page
  if (lines.length === 0 && titleRows(pen, title, pageFonts.cover).length <= pageRoom.coverRows)
    return page
  const rows = titleRows(pen, title, pageFonts.title)
  if (rows.length <= pageRoom.titleRows) return page
  let end = 0
  for (const row of rows.slice(0, pageRoom.titleRows)) end = title.indexOf(row, end) + row.length
  return { title: `${title.slice(0, end - 1)}…`, lines: [{ text: title, level: 0 }, ...lines] }
}

interface Cut {
  readonly shown: SlidePage
  readonly rest: readonly SlideLine[]
}

/** Returns as much of the page as fits. At least one row of text is shown so that every page makes progress. */
function cutPage(pen: Measure, page: SlidePage): Cut {
  pen.font = pageFonts.title
  let y = pageRoom.top(wrapped(pen, page.title, pageRoom.titleWidth, pageRoom.titleRows).length)
  const shown: SlideLine[] = []
  for (const [i, line] of page.lines.entries()) {
    const { rows, ends } = rowsOf(pen, line)
    const room = Math.max(shown.length === 0 ? 1 : 0, pageRoom.rowsFrom(y))
    const fit = Math.min(rows, room)
    const end = fit === 0 ? 0 : (ends[fit - 1] ?? 0)
    const left = line.text.slice(end).trim()
    if (fit > 0) shown.push(left === '' ? line : { ...line, text: line.text.slice(0, end).trim() })
    if (left !== '') {
      const rest = fit > 0 ? { ...line, text: left, continued: true as const } : line
      return { shown: { ...page, lines: shown }, rest: [rest, ...page.lines.slice(i + 1)] }
    }
    y = pageRoom.after(y, fit)
  }
  return { shown: { ...page, lines: shown }, rest: [] }
}

/** Counts the outline entries on pages: a title counts once, even when several pages show it. */
const entriesOf = (pages: readonly SlidePage[], before?: string): number =>
  pages.reduce(
    (sum, { title, lines }, i) =>
      sum +
      (title === (i === 0 ? before : pages[i - 1]?.title) ? 0 : 1) +
      lines.filter(({ continued }) => !continued).length,
    0,
  )

const beginning = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text)

/** Lays out a deck: content that does not fit on a page continues on the next one, under the same title. */
export async function fittedDeck(deck: readonly SlidePage[]): Promise<FittedDeck> {
  // Loaded lazily: a native module of about 30 MB that few requests need.
  const { createCanvas } = await import('@napi-rs/canvas')
  const pen = createCanvas(1, 1).getContext('2d')
  const pages: SlidePage[] = []
  for (const [i, raw] of deck.entries()) {
    let page = withReadableTitle(pen, raw)
    for (;;) {
      // Measuring many pages takes seconds; other requests are handled in between.
      await new Promise((resolve) => setImmediate(resolve))
      if (pages.length === maxPages) {
        const begun = pages.at(-1)?.title === page.title
        const missing = [page, ...deck.slice(i + 1)]
        const entries = entriesOf(missing, begun ? page.title : undefined)
        const from = beginning(begun ? (page.lines[0]?.text ?? '') : page.title)
        return { pages, leftOut: { entries: Math.max(1, entries), of: entriesOf(deck), from } }
      }
      const { shown, rest } = cutPage(pen, page)
      pages.push(shown)
      if (rest.length === 0) break
      page = { title: page.title, lines: rest }
    }
  }
  return { pages, leftOut: null }
}
