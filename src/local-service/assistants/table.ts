import type { Passage } from '../../shared/knowledge/slicing/types.ts'
import { shown } from './calculator.ts'

interface ColumnStatistics {
  readonly column: string
  readonly count: number
  readonly sum: number
  readonly mean: number
  readonly median: number
  readonly min: number
  readonly max: number
  /** Sample standard deviation; 0 for a single number. */
  readonly deviation: number
}

/** Parses a cell as a number, with thousands separators, percent and currency signs; undefined if it is none. */
function numberIn(cell: string): number | undefined {
  const plain = cell.trim().replace(/^[$€£¥]\s*|\s*[$€£¥%]$/g, '')
  if (
    !/^[-+]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+)?(?:e[-+]?\d+)?$/i.test(plain) ||
    !/\d/.test(plain)
  )
    return undefined
  return Number(plain.replaceAll(',', ''))
}

function statisticsOf(column: string, numbers: readonly number[]): ColumnStatistics {
  const sorted = numbers.toSorted((a, b) => a - b)
  const count = sorted.length
  const sum = sorted.reduce((total, value) => total + value, 0)
  const mean = sum / count
  const half = Math.floor(count / 2)
  const [low = 0, high = 0] = [sorted[count % 2 ? half : half - 1], sorted[half]]
  const squares = sorted.reduce((total, value) => total + (value - mean) ** 2, 0)
  return {
    column,
    count,
    sum,
    mean,
    median: (low + high) / 2,
    min: sorted[0] ?? 0,
    max: sorted.at(-1) ?? 0,
    deviation: count > 1 ? Math.sqrt(squares / (count - 1)) : 0,
  }
}

/** Statistics of numeric columns: at least two numbers, and at most a fifth of the cells not numeric. */
export function tableStatistics(rows: readonly Passage[]): readonly ColumnStatistics[] {
  const columns = new Map<string, string[]>()
  for (const { cells = [] } of rows)
    for (const [column, value] of cells) {
      if (column === '') continue
      const known = columns.get(column)
      if (known) known.push(value)
      else columns.set(column, [value])
    }
  return [...columns].flatMap(([column, cells]) => {
    const numbers = cells.map(numberIn).filter((number) => number !== undefined)
    return numbers.length >= 2 && numbers.length >= 0.8 * cells.length
      ? [statisticsOf(column, numbers)]
      : []
  })
}

/** Formats statistics as log lines. */
export const statisticsLog = (statistics: readonly ColumnStatistics[]): string =>
  statistics
    .map(
      ({ column, ...values }) =>
        `${column}: ${Object.entries(values)
          .map(([name, value]) => `${name} ${shown(value)}`)
          .join(', ')}`,
    )
    .join('\n')

/** Maximum number of characters of a message that are searched for a table. */
const maxMessageChars = 500_000

/** Returns a table in a message: lines with the same separator and number of cells; undefined if there is none. */
export function pastedTable(text: string): string | undefined {
  for (const separator of [',', ';', '\t']) {
    const lines = text
      .slice(0, maxMessageChars)
      .split('\n')
      .map((line) => line.trim())
    const from = lines.findIndex((line, i) => {
      const cells = line.split(separator).length
      return cells > 1 && lines[i + 1]?.split(separator).length === cells
    })
    if (from < 0) continue
    const width = lines[from]?.split(separator).length
    const rest = lines.slice(from)
    const end = rest.findIndex((line) => line.split(separator).length !== width)
    return rest.slice(0, end < 0 ? undefined : end).join('\n')
  }
  return undefined
}
