import { csvText } from '../../text/csv.ts'

/** Returns a cell for spreadsheets: quoted if necessary, and never starting like a formula. */
function csvCell(value: string | number | null): string {
  if (value === null) return ''
  return typeof value === 'number' ? String(value) : csvText(value)
}

/** Returns a table row with its line end. */
export const csvLine = (cells: readonly (string | number | null)[]): string =>
  `${cells.map(csvCell).join(',')}\r\n`

/**
 * Parses the rows of a table (RFC 4180; commas, semicolons or tabs, whichever is most frequent in the first line). Empty
 * lines are skipped.
 */
export function readCsv(text: string): readonly (readonly string[])[] {
  const source = text.replace(/^\u{feff}/u, '')
  const [head = ''] = source.split(/\r?\n/, 1)
  const count = (mark: string): number => head.split(mark).length
  const mark = [',', ';', '\t'].toSorted((a, b) => count(b) - count(a))[0] ?? ','
  const rows: string[][] = []
  let row: string[] = []
  let cell = ''
  let quoted = false
  const endCell = (): void => {
    row.push(cell)
    cell = ''
  }
  const endRow = (): void => {
    endCell()
    if (row.some((one) => one.trim() !== '')) rows.push(row)
    row = []
  }
  for (let at = 0; at < source.length; at++) {
    const one = source[at] ?? ''
    if (quoted) {
      if (one !== '"') cell += one
      else if (source[at + 1] === '"') cell += source[at++]
      else quoted = false
    } else if (one === '"' && cell.trim() === '') {
      cell = ''
      quoted = true
    } else if (one === mark) endCell()
    else if (one === '\n') endRow()
    else if (one !== '\r') cell += one
  }
  endRow()
  return rows
}
