import { boxAround, heightOf } from '../geometry.ts'
import type { Line, Segment } from './lines.ts'
import type { Table } from './ruled-table.ts'
import { tableHtml } from './table-html.ts'
import type { Cell } from './table-html.ts'

/** Minimum rows of a table without ruling lines: two lines may be aligned by chance. */
const minRows = 3

/** Range of lines that form a table. */
export interface TableLines {
  readonly from: number
  /** Exclusive. */
  readonly to: number
  readonly table: Table
}

/** Groups segments into cells, separated by gaps that are wider than a word space. */
function cellsOf(line: Line): Segment[] {
  const cells: Segment[] = []
  for (const segment of line.segments) {
    const last = cells.at(-1)
    if (last && segment.box[0] - last.box[2] < 1.2 * line.size)
      cells[cells.length - 1] = {
        ...last,
        text: `${last.text} ${segment.text}`,
        box: boxAround([last.box, segment.box]),
      }
    else cells.push(segment)
  }
  return cells
}

/** Dot leaders before a page number, and list markers: the text after them is not a column. */
const isLeader = (text: string): boolean => /(\.\s*){4,}|…{2,}/.test(text)
const isMark = (text: string): boolean => /^([•‣▪◦●○■□–*·-]|\(?\w{1,3}[.)]|[\d.]+)$/.test(text)

function isRow(line: Line): boolean {
  const cells = cellsOf(line)
  if (cells.length < 2 || cells.some(({ text }) => isLeader(text))) return false
  return cells.length > 2 || !isMark(cells[0]?.text ?? '')
}

interface Column {
  from: number
  to: number
}

/** Returns the columns as the horizontal ranges that the cells of all rows cover together. */
function columnsOf(rows: readonly (readonly Segment[])[], em: number): Column[] {
  const columns: Column[] = []
  for (const { box } of rows.flat().toSorted((a, b) => a.box[0] - b.box[0])) {
    const last = columns.at(-1)
    if (last && box[0] < last.to + 0.5 * em) last.to = Math.max(last.to, box[2])
    else columns.push({ from: box[0], to: box[2] })
  }
  return columns
}

/** Returns whether the cells of a column are left-aligned, right-aligned or centered. */
function isAligned(cells: readonly Segment[], em: number): boolean {
  const places = [
    cells.map(({ box }) => box[0]),
    cells.map(({ box }) => box[2]),
    cells.map(({ box }) => (box[0] + box[2]) / 2),
  ]
  return places.some((values) => Math.max(...values) - Math.min(...values) < 0.6 * em)
}

const inColumn = (cells: readonly Segment[], { from, to }: Column): Segment[] =>
  cells.filter(({ box }) => box[0] < to && box[2] > from)

function tableOf(lines: readonly Line[]): Table | undefined {
  const rows = lines.map(cellsOf)
  const em = lines[0]?.size ?? 0
  const columns = columnsOf(rows, em)
  if (columns.length < 2) return undefined
  for (const column of columns) {
    const cells = rows.flatMap((row) => inColumn(row, column))
    // Header cells may be aligned differently from the numbers below them.
    const body = rows.slice(1).flatMap((row) => inColumn(row, column))
    if (cells.length < 0.6 * rows.length) return undefined
    if (!isAligned(cells, em) && !isAligned(body, em)) return undefined
  }
  const letters = rows.flat().reduce((sum, { text }) => sum + text.length, 0)
  // Lines of running text that happen to have gaps are longer than table cells.
  if (letters / rows.flat().length > 40) return undefined
  const html = rows.map((row) =>
    columns.map((column): Cell => {
      const own = inColumn(row, column)
      const text = own.map((cell) => cell.text).join(' ')
      return { text, bold: own.length > 0 && own.every(({ bold }) => bold), columns: 1, rows: 1 }
    }),
  )
  return { box: boxAround(lines.map(({ box }) => box)), html: tableHtml(html) }
}

/** Finds the first table without ruling lines in a region: at least three rows of two aligned cells. */
export function alignedTable(lines: readonly Line[]): TableLines | undefined {
  for (let from = 0; from < lines.length; from++) {
    let to = from
    for (; to < lines.length; to++) {
      const line = lines[to]
      const above = lines[to - 1]
      if (!line || !isRow(line)) break
      const gap = above && to > from ? line.box[1] - above.box[3] : 0
      if (gap > 1.5 * heightOf(line.box)) break
    }
    for (let end = to; end - from >= minRows; end--) {
      const table = tableOf(lines.slice(from, end))
      if (table) return { from, to: end, table }
    }
  }
  return undefined
}
