import type { Rule, Run } from '../content.ts'
import { boxAround, coveredPart, heightOf, sharedBox, widthOf, type Box } from '../geometry.ts'
import { joinAll } from './join.ts'
import { linesOf, segmentsOf } from './lines.ts'

/** Table on a page: its position and its HTML. */
export interface Table {
  readonly box: Box
  readonly html: string
}

/** Maximum distance in pixels between ruling lines that count as touching. */
const reach = 5

const spread = ([left, top, right, bottom]: Box): Box => [
  left - reach,
  top - reach,
  right + reach,
  bottom + reach,
]

const meet = (a: Box, b: Box): boolean => {
  const shared = sharedBox(spread(a), spread(b))
  return widthOf(shared) > 0 && heightOf(shared) > 0
}

/** Groups connected ruling lines. */
function groups(rules: readonly Rule[]): Rule[][] {
  const left = new Set(rules)
  const found: Rule[][] = []
  for (const seed of rules) {
    if (!left.delete(seed)) continue
    const group = [seed]
    for (const rule of group)
      for (const other of left)
        if (meet(rule.box, other.box)) {
          left.delete(other)
          group.push(other)
        }
    found.push(group)
  }
  return found
}

/** Merges positions that are within a few pixels. */
function positions(values: readonly number[]): number[] {
  const found: number[] = []
  for (const value of values.toSorted((a, b) => a - b))
    if (value - (found.at(-1) ?? -Infinity) > 2 * reach) found.push(value)
  return found
}

/** Returns whether a ruling line covers most of the given edge. */
const hasWall = (rules: readonly Rule[], from: Box): boolean =>
  rules.some(({ box }) => meet(box, from) && coveredPart(spread(from), spread(box)) > 0.5)

interface Grid {
  readonly xs: readonly number[]
  readonly ys: readonly number[]
  readonly across: readonly Rule[]
  readonly down: readonly Rule[]
}

function gridOf(group: readonly Rule[]): Grid | undefined {
  const across = group.filter(({ direction }) => direction === 'across')
  const down = group.filter(({ direction }) => direction === 'down')
  if (across.length < 2 || down.length === 0) return undefined
  // A table without a frame ends where its ruling lines end.
  const [left, top, right, bottom] = boxAround(group.map(({ box }) => box))
  const xs = positions([left, right, ...down.map(({ box }) => box[0])])
  const ys = positions([top, bottom, ...across.map(({ box }) => box[1])])
  return xs.length >= 3 && ys.length >= 3 ? { xs, ys, across, down } : undefined
}

/** Returns the number of columns and rows that a cell spans, up to the next ruling line. */
function extent(grid: Grid, column: number, row: number): readonly [columns: number, rows: number] {
  const { xs, ys, across, down } = grid
  const x = (i: number): number => xs[i] ?? 0
  const y = (i: number): number => ys[i] ?? 0
  let columns = 1
  while (column + columns < xs.length - 1) {
    const wall: Box = [x(column + columns), y(row), x(column + columns), y(row + 1)]
    if (hasWall(down, wall)) break
    columns++
  }
  let rows = 1
  while (row + rows < ys.length - 1) {
    const wall: Box = [x(column), y(row + rows), x(column + columns), y(row + rows)]
    if (hasWall(across, wall)) break
    rows++
  }
  return [columns, rows]
}

function cellOf(runs: readonly Run[], columns: number, rows: number): Cell {
  const lines = linesOf(segmentsOf(runs))
  const bold = lines.length > 0 && lines.every((line) => line.bold)
  return { text: joinAll(lines.map(({ text }) => text)), bold, columns, rows }
}

function tableOf(grid: Grid, runs: readonly Run[]): Table | undefined {
  const { xs, ys } = grid
  const box: Box = [xs[0] ?? 0, ys[0] ?? 0, xs.at(-1) ?? 0, ys.at(-1) ?? 0]
  const inside = runs.filter((run) => coveredPart(run.box, spread(box)) > 0.6)
  const taken = new Set<string>()
  const rows: Cell[][] = []
  for (let row = 0; row < ys.length - 1; row++) {
    const cells: Cell[] = []
    for (let column = 0; column < xs.length - 1; column++) {
      if (taken.has(`${column},${row}`)) continue
      const [columns, depth] = extent(grid, column, row)
      for (let c = column; c < column + columns; c++)
        for (let r = row; r < row + depth; r++) taken.add(`${c},${r}`)
      const place: Box = [
        xs[column] ?? 0,
        ys[row] ?? 0,
        xs[column + columns] ?? 0,
        ys[row + depth] ?? 0,
      ]
      const own = inside.filter((run) => coveredPart(run.box, place) > 0.5)
      cells.push(cellOf(own, columns, depth))
    }
    rows.push(cells)
  }
  const cells = rows.flat()
  const filled = cells.filter(({ text }) => text !== '').length
  // Frames, diagram grids and axes also have ruling lines, but hardly any text between them.
  if (filled < 2 || filled < 0.4 * cells.length) return undefined
  return { box, html: tableHtml(rows.filter((row) => row.length > 0)) }
}

/**
 * Returns whether the table contains curves or slanted lines, which means that its lines belong to a diagram.
 */
const isDrawing = (table: Table, inks: readonly Box[]): boolean =>
  inks.some((ink) => coveredPart(ink, table.box) > 0.5)

/** Finds tables by the lines drawn around or between their cells; `inks` are the curves of the page. */
export function ruledTables(
  rules: readonly Rule[],
  runs: readonly Run[],
  inks: readonly Box[],
): Table[] {
  return groups(rules).flatMap((group) => {
    const grid = gridOf(group)
    const table = grid && tableOf(grid, runs)
    return table && !isDrawing(table, inks) ? [table] : []
  })
}

/** Table cell; spans count columns and rows. */
export interface Cell {
  readonly text: string
  readonly bold: boolean
  readonly columns: number
  readonly rows: number
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const span = (name: string, count: number): string => (count > 1 ? ` ${name}="${count}"` : '')

const cellHtml = (cell: Cell, tag: 'td' | 'th'): string =>
  `<${tag}${span('colspan', cell.columns)}${span('rowspan', cell.rows)}>${escaped(cell.text)}</${tag}>`

const rowHtml = (cells: readonly Cell[], tag: 'td' | 'th'): string =>
  `<tr>${cells.map((cell) => cellHtml(cell, tag)).join('')}</tr>`

const isNumber = (text: string): boolean => /^[-+(]?[\p{Sc}]?\d[\d.,\s]*[%)]?$/u.test(text)

/** Returns whether the first row is a header: it is bold, or it is the only one without numbers. */
function hasHead(rows: readonly (readonly Cell[])[]): boolean {
  const [first, ...rest] = rows
  if (!first || rest.length === 0) return false
  const filled = first.filter(({ text }) => text !== '')
  if (filled.length === 0 || first.some((cell) => cell.rows > 1)) return false
  if (filled.every(({ bold }) => bold)) return true
  if (first.some(({ text }) => isNumber(text))) return false
  return rest.every((row) => row.some(({ text }) => isNumber(text)))
}

/** Formats rows of cells as HTML, with a header row if one is detected. */
export function tableHtml(rows: readonly (readonly Cell[])[]): string {
  const headed = hasHead(rows)
  const head = headed ? `<thead>${rowHtml(rows[0] ?? [], 'th')}</thead>` : ''
  const body = rows.slice(headed ? 1 : 0).map((row) => rowHtml(row, 'td'))
  return `<table>${head}<tbody>${body.join('')}</tbody></table>`
}
