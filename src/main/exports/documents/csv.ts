import { gridTexts } from '../../../shared/document/table-grid.ts'
import { cleanText } from './content/clean.ts'
import type { ContentTable } from './content/tables.ts'

/** A table as CSV (RFC 4180) for spreadsheets: a byte order mark, CRLF, and no cell that a program would take for a formula. */
export function writeCsv({ grid }: ContentTable, spans: 'repeat' | 'first'): string {
  const rows = gridTexts(grid, spans).map((row) => row.map(csvField).join(','))
  return `\ufeff${rows.map((row) => `${row}\r\n`).join('')}`
}

/** Beginnings that make a spreadsheet calculate or call something, wide forms too, behind whatever spaces and quotes stand first. */
const formula = /^[\s'"]*[=+\-@＝＋－＠]|^[\t\r\n]/u
/** What begins like a formula and is only a number. */
const number = /^[+-]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+)?(?:e[+-]?\d+)?%?$/i

/** A field that stays text: an apostrophe stands in front of what would be calculated, numbers stay numbers. */
export function csvField(text: string): string {
  const plain = cleanText(text)
  const safe = formula.test(plain) && !isNumber(plain) ? `'${plain}` : plain
  return /[",\r\n']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

const isNumber = (text: string): boolean => /\d/.test(text) && number.test(text)
