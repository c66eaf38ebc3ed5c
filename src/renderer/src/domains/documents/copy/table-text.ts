import { fillGrid, gridTexts, type Cell } from '../../../../../shared/documents/table-grid.ts'

type Rows = readonly (readonly Cell[])[]

/** Content of the positions that a merged cell covers besides its first. */
type Spans = 'repeat' | 'first'

/** Characters that begin a formula in spreadsheets. */
const formula = /^[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/
const amount = /^[+-]?(?:\d{1,3}(?:[ ,]\d{3})+|\d+)?(?:[.,]\d+)?(?:e[+-]?\d+)?\s?%?$/i

/**
 * Returns a text that no spreadsheet executes: the start of a formula is prefixed with an apostrophe; plain numbers are
 * unchanged.
 */
export function guarded(text: string): string {
  return formula.test(text) && !amount.test(text) ? `'${text}` : text
}

const oneLine = (text: string): string => text.replaceAll(/[\t\r\n]+/g, ' ')

/** Returns a table with tabs between its cells and one line for each row. */
export function tsv(rows: Rows, spans: Spans = 'first', guard = true): string {
  return gridTexts(fillGrid(rows), spans)
    .map((cells) =>
      cells.map((text) => (guard ? guarded(oneLine(text)) : oneLine(text))).join('\t'),
    )
    .join('\n')
}

/** Returns a table as CSV (RFC 4180): commas, quotes where they are needed, CRLF. */
export function csv(rows: Rows, spans: Spans = 'first', guard = true): string {
  const quoted = (text: string): string =>
    /[",\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text
  return gridTexts(fillGrid(rows), spans)
    .map((cells) => cells.map((text) => quoted(guard ? guarded(text) : text)).join(','))
    .join('\r\n')
}

/**
 * Returns a table as Markdown. Its first row is the header; merged cells are split, which `hasSpans` detects beforehand.
 */
export function markdownTable(rows: Rows, spans: Spans = 'repeat'): string {
  const texts = gridTexts(fillGrid(rows), spans)
  const columns = texts.reduce((max, row) => Math.max(max, row.length), 0)
  if (columns === 0) return ''
  const line = (cells: readonly string[]): string =>
    `| ${Array.from({ length: columns }, (_, at) => markdownCell(cells[at] ?? '')).join(' | ')} |`
  const [head = [], ...body] = texts
  return [line(head), `|${' --- |'.repeat(columns)}`, ...body.map(line)].join('\n')
}

const markdownCell = (text: string): string =>
  text
    .trim()
    .replaceAll('|', '\\|')
    .replaceAll(/\s*\n\s*/g, '<br>')

/** Whether a table has merged cells, which plain rows cannot represent. */
export function hasSpans(rows: Rows): boolean {
  return fillGrid(rows).spans
}
