import type { Row } from './row.ts'

/** A number with three significant digits and thousands separators: `0.0123`, `4.56`, `12,300`. */
export function shortNumber(value: number): string {
  if (!Number.isFinite(value)) return String(value)
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en-US')
  return String(Number(value.toPrecision(3)))
}

/** Lines up the cells below their column names; the columns in `toTheRight` are right-aligned. */
export function alignedTable(
  columns: readonly string[],
  rows: readonly (readonly string[])[],
  toTheRight: ReadonlySet<string>,
): string {
  const lines = [columns, columns.map(() => ''), ...rows]
  const widths = columns.map((_, i) => Math.max(...lines.map((line) => line[i]?.length ?? 0)))
  const pad = (text: string, i: number): string => {
    const width = widths[i] ?? 0
    return toTheRight.has(columns[i] ?? '') ? text.padStart(width) : text.padEnd(width)
  }
  return lines
    .map((line, at) => (at === 1 ? widths.map((width) => '-'.repeat(width)) : line.map(pad)))
    .map((line) => line.join('  ').trimEnd())
    .join('\n')
}

/** The rows as a plain-text table: name, figure, unit, compared with, ratio. */
export const table = (rows: readonly Row[]): string =>
  alignedTable(
    ['name', 'figure', 'unit', 'compared with', 'ratio'],
    rows.map((row) => [
      row.name,
      shortNumber(row.figure),
      row.unit,
      row.comparedWith,
      row.ratio === null ? '' : `${row.ratio.toFixed(2)}x`,
    ]),
    new Set(['figure', 'ratio']),
  )
