import { alignedTable } from '../../bench/table.ts'
import { personSeconds, totalSeconds, type PartResult } from './effort.ts'

/** Columns of figures, with the number of decimals of each. */
const figures: readonly (readonly [
  name: string,
  of: (result: PartResult) => number,
  decimals: number,
])[] = [
  ['clicks', ({ effort }) => effort.clicks, 0],
  ['keys', ({ effort }) => effort.keys, 0],
  ['fields', ({ effort }) => effort.fields, 0],
  ['characters', ({ effort }) => effort.characters, 0],
  ['pages', ({ effort }) => effort.pages, 0],
  ['dialogs', ({ effort }) => effort.dialogs, 0],
  ['decisions', ({ effort }) => effort.decisions.length, 0],
  ['app s', ({ appSeconds }) => appSeconds, 1],
  ['person s', ({ effort }) => personSeconds(effort), 1],
  ['sum s', totalSeconds, 1],
]

const names = figures.map(([name]) => name)

/** Returns the results as a table, one row for each part of a journey. */
export const resultTable = (results: readonly PartResult[]): string =>
  alignedTable(
    ['journey', ...names],
    results.map((result) => [
      result.name,
      ...figures.map(([, of, decimals]) => of(result).toFixed(decimals)),
    ]),
    new Set(names),
  )

/** Returns the results before and after as a table, with the ratio of the sums; parts are matched by name. */
export function comparisonTable(
  before: readonly PartResult[],
  after: readonly PartResult[],
): string {
  const parts = [...new Set([...before, ...after].map(({ name }) => name))]
  const rows = parts.map((part) => {
    const [first, second] = [before, after].map((all) => all.find(({ name }) => name === part))
    const cells = figures.map(([, of, decimals]) =>
      [first, second].map((result) => (result ? of(result).toFixed(decimals) : '–')).join(' → '),
    )
    const ratio = first && second ? totalSeconds(second) / totalSeconds(first) : null
    return [part, ...cells, ratio === null ? '–' : ratio.toFixed(2)]
  })
  return alignedTable(['journey', ...names, 'ratio'], rows, new Set([...names, 'ratio']))
}
