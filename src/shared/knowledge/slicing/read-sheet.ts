import { DocumentFailure, type Passage } from './types.ts'
import { isLong } from './lines.ts'

interface Row {
  /** Line of its first character, from 1. */
  readonly line: number
  readonly cells: readonly string[]
}

/** Returns the most frequent separator of the first line. */
function separatorOf(text: string): string {
  const [first = ''] = text.split('\n', 1)
  const counts = [',', ';', '\t'].map((sign) => [sign, first.split(sign).length] as const)
  return counts.toSorted((a, b) => b[1] - a[1])[0]?.[0] ?? ','
}

/** Maximum number of characters in a row: an unclosed quote would treat the rest of the file as one cell. */
const maxRowChars = 1_000_000

/** Maximum number of characters in a column name, which precedes each of its cells. */
const maxNameChars = 100

/** Yields rows by RFC 4180: quoted cells may contain separators, line breaks and doubled quotes. */
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

/**
 * Yields one passage per row, with cells named by the first row. `name`: file name, whose stem is the sheet name. Null:
 * nothing yet.
 */
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
  // A single row has no header above it.
  if (head && lone) yield passageOf(head, [])
}
