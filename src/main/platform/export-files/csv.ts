import { gridTexts } from '../../../shared/documents/table-grid.ts'
import { csvText } from '../../../shared/text/csv.ts'
import { cleanText } from './clean.ts'
import type { ContentTable } from '../../domains/documents/exports/content/tables.ts'

/**
 * Writes a table as CSV (RFC 4180) for spreadsheets: byte order mark, CRLF, and no cell that a program would read as a
 * formula.
 */
export function writeCsv({ grid }: ContentTable, spans: 'repeat' | 'first'): string {
  const rows = gridTexts(grid, spans).map((row) => row.map(csvField).join(','))
  return `\ufeff${rows.map((row) => `${row}\r\n`).join('')}`
}

/** Returns a field that stays text, without characters that text cannot contain. */
export const csvField = (text: string): string => csvText(cleanText(text))
