import { DocumentFailure } from './types.ts'
import type { Passage } from './types.ts'
import { isLong } from './lines.ts'

interface Row {
  /** Of its first character, from 1. */
  readonly line: number
  readonly cells: readonly string[]
}

/** The separator that the first line has most of. */
function separatorOf(text: string): string {
  const [first = ''] = text.split('\n', 1)
  const counts = [',', ';', '\t'].map((sign) => [sign, first.split(sign).length] as const)
  return counts.toSorted((a, b) => b[1] - a[1])[0]?.[0] ?? ','
}

/** Characters of one row: a quote that is never closed takes the rest of the file for one cell. */
const maxRowChars = 1_000_000

/** Characters of a column's name, which stands before each of its cells. */
const maxNameChars = 100

/** Rows by RFC 4180: quoted cells may hold separators, line ends and doubled quotes. */
function* rowsOf(text: string): Generator<Row> {
  const separator = separatorOf(text)
  let cells: string[] = []
  let cell = ''
  let quoted = false
  let line = 1
  let start = 1
  let begin = 0
  for (let at = 0; at < text.length; at++) {
    const sign = text.charAt(at)
    if (at - begin > maxRowChars)
      throw new DocumentFailure(
        10001,
        `The row at line ${start} of the sheet has more than ${maxRowChars} characters`,
      )
    if (sign === '\n') line += 1
    if (quoted && sign === '"' && text.charAt(at + 1) === '"') {
      cell += '"'
      at += 1
    } else if (quoted && sign !== '"') {
      cell += sign
    } else if (sign === '"' && (quoted || cell === '')) {
      quoted = !quoted
    } else if (sign === separator) {
      cells.push(cell)
      cell = ''
    } else if (sign === '\n') {
      yield { line: start, cells: [...cells, cell] }
      cells = []
      cell = ''
      start = line
      begin = at + 1
    } else {
      cell += sign
    }
  }
  if (cell !== '' || cells.length > 0) yield { line: start, cells: [...cells, cell] }
}

/** One passage a row, its cells by the names in the first row. `name`: the file's, without its ending the sheet's. Null: nothing yet. */
export function* readSheet(text: string, name: string): Generator<Passage | null> {
  const sheet = name.replace(/\.[^.]*$/, '')
  const passageOf = ({ line, cells }: Row, columns: readonly string[]): Passage => {
    const named = cells
      .map((value, i) => [columns[i] ?? '', value.trim()] as const)
      .filter(([, value]) => value !== '')
    const words = named.map(([column, value]) => (column ? `${column}: ${value}` : value))
    return { text: words.join('\n'), level: null, places: [], line, sheet, cells: named }
  }
  let head: Row | undefined
  let columns: readonly string[] = []
  let lone = true
  let read = 0
  for (const row of rowsOf(text)) {
    if (isLong(++read)) yield null
    if (row.cells.every((cell) => cell.trim() === '')) continue
    if (head) {
      lone = false
      yield passageOf(row, columns)
    } else {
      head = row
      columns = row.cells.map((cell) => cell.trim().slice(0, maxNameChars))
    }
  }
  // A single row has no names above it.
  if (head && lone) yield passageOf(head, [])
}
