import { faults, streamFaults } from './faults.ts'
import type { Row } from './row.ts'
import { codes, wires } from './spec.ts'

/** Category of checks of a row. */
export type Column = 'request' | 'replies' | 'limits' | 'codes' | 'faults'

/** Returns the number of checks of a row in each column. */
function wanted(row: Row): Readonly<Record<Column, number>> {
  const fitting = faults.filter((fault) => !fault.without?.(row)).length
  return {
    request: 1,
    replies: 1 + row.odd.length,
    limits: row.limits.length,
    codes: 2 * Object.values(codes).flat().length,
    faults: fitting + (row.stream ? streamFaults.length : 0),
  }
}

/**
 * Prints one line for each operation: how many of its checks passed, out of how many. Limits count pairs (the boundary and one
 * beyond), codes count each code of service-notes 14 in both failure bodies.
 */
export function printTable(
  rows: readonly Row[],
  passed: ReadonlyMap<string, ReadonlyMap<Column, number>>,
): void {
  const columns: readonly Column[] = ['request', 'replies', 'limits', 'codes', 'faults']
  const lines = rows.map((row) => {
    const all = wanted(row)
    const cells = columns.map((column) => {
      const done = passed.get(row.name)?.get(column) ?? 0
      if (all[column] === 0) return '-'
      return done === all[column] ? `${done}` : `${done} of ${all[column]}`
    })
    return [wires[row.name]?.section ?? '', row.name, ...cells]
  })
  const head = ['spec', 'operation', ...columns]
  const widths = head.map((_, i) =>
    Math.max(...[head, ...lines].map((line) => line[i]?.length ?? 0)),
  )
  const text = [head, ...lines].map((line) =>
    line
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  const checks = [...passed.values()].flatMap((counts) => [...counts.values()])
  const sum = checks.reduce((all, count) => all + count, 0)
  console.log(['', ...text, `${rows.length} rows, ${sum} checks passed`, ''].join('\n'))
}
