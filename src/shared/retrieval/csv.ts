import { csvText } from '../text/csv.ts'

/** A cell as spreadsheets read it: quoted where it must be, and never begun by what they would take for a formula. */
export function csvCell(value: string | number | null): string {
  if (value === null) return ''
  return typeof value === 'number' ? String(value) : csvText(value)
}

/** A line of a table, with its end. */
export const csvLine = (cells: readonly (string | number | null)[]): string =>
  `${cells.map(csvCell).join(',')}\r\n`

/** The rows of a table (RFC 4180; commas, semicolons or tabs, by what its first line has most of). Empty lines are left out. */
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
