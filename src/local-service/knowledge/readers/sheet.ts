import type { Passage } from '../types.ts'

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

/** Rows by RFC 4180: quoted cells may hold separators, line ends and doubled quotes. */
function* rowsOf(text: string): Generator<Row> {
  const separator = separatorOf(text)
  let cells: string[] = []
  let cell = ''
  let quoted = false
  let line = 1
  let start = 1
  for (let at = 0; at < text.length; at++) {
    const sign = text.charAt(at)
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
    } else {
      cell += sign
    }
  }
  if (cell !== '' || cells.length > 0) yield { line: start, cells: [...cells, cell] }
}

/** One passage a row, its cells by the names in the first row. `name`: the file's, without its ending the sheet's. */
export function readSheet(text: string, name: string): readonly Passage[] {
  const sheet = name.replace(/\.[^.]*$/, '')
  const [head, ...rows] = Array.from(rowsOf(text)).filter(({ cells }) =>
    cells.some((cell) => cell.trim() !== ''),
  )
  // A single row has no names above it.
  const lone = rows.length === 0 && head !== undefined
  return (lone ? [head] : rows).map(({ line, cells }) => {
    const named = cells
      .map((value, i) => [(lone ? '' : (head?.cells[i] ?? '')).trim(), value.trim()] as const)
      .filter(([, value]) => value !== '')
    const words = named.map(([column, value]) => (column ? `${column}: ${value}` : value))
    return { text: words.join('\n'), level: null, places: [], line, sheet, cells: named }
  })
}
