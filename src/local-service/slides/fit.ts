import { wrapped } from '../assistants/text-image.ts'
import type { SlideLine, SlidePage } from './deck.ts'
import { pageFonts, pageRoom, rowsOf } from './page-layout.ts'
import type { Measure } from './page-layout.ts'

/** Pages of one deck: each is painted and kept as a picture. */
export const maxPages = 100

/** What found no room in a deck: entries of the outline, always the last ones. */
export interface LeftOut {
  readonly entries: number
  /** Entries of the whole outline. */
  readonly of: number
  /** How the first of them begins. */
  readonly from: string
}

/** Pages on which everything can be read, and what is not on them. */
export interface FittedDeck {
  readonly pages: readonly SlidePage[]
  readonly leftOut: LeftOut | null
}

/** UTF-16 units of a title that are measured; more never fit. */
const titleWindow = 500

function titleRows(pen: Measure, title: string, font: string): readonly string[] {
  pen.font = font
  return wrapped(pen, title.slice(0, titleWindow), pageRoom.titleWidth, Infinity)
}

/** A page whose title can be read whole: one that is too long is cut, and stands whole as the first line. */
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

/** The page as far as it has room. At least one row of text is shown, so that each page brings the deck on. */
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

/** Entries of the outline that stand on pages: a title counts once, however many pages have it. */
const entriesOf = (pages: readonly SlidePage[], before?: string): number =>
  pages.reduce(
    (sum, { title, lines }, i) =>
      sum +
      (title === (i === 0 ? before : pages[i - 1]?.title) ? 0 : 1) +
      lines.filter(({ continued }) => !continued).length,
    0,
  )

const beginning = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text)

/** Lays a deck out: what has no room on a page goes on with the next one, under the same title. */
export async function fittedDeck(deck: readonly SlidePage[]): Promise<FittedDeck> {
  // A native module of some thirty megabytes, needed by few calls.
  const { createCanvas } = await import('@napi-rs/canvas')
  const pen = createCanvas(1, 1).getContext('2d')
  const pages: SlidePage[] = []
  for (const [i, raw] of deck.entries()) {
    let page = withReadableTitle(pen, raw)
    for (;;) {
      // Measuring many pages takes seconds; other calls are answered between two of them.
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
