import type { PageContent, Run } from '../content.ts'
import {
  coveredPart,
  median,
  type Box,
  type Placed,
  boxAround,
  heightOf,
  widthOf,
} from '../geometry.ts'
import { blocksOf, type Block, type HeadingRules } from './blocks.ts'
import { linesOf, segmentsOf, type Line, type Segment } from './lines.ts'
import { marginsOf } from './margins.ts'
import { paragraphsOf } from './paragraphs.ts'
import { ruledTables, type Table, tableHtml, type Cell } from './ruled-table.ts'

/** Context of a page from the rest of the document. */
interface Surroundings {
  readonly pageNumber: number
  /** Font size of the document's body text in pixels; 0 if unknown. */
  readonly bodySize: number
  /** Texts at the edges of the previous and following pages (see `edgePatterns`). */
  readonly neighbours: readonly ReadonlySet<string>[]
}

/** Part of a page that is placed within the text but not read line by line. */
interface Fixed extends Placed {
  readonly block: Block
}

type Element = Fixed | Segment

/** Returns the median font size of the characters. */
export function bodySizeOf(runs: readonly Run[]): number {
  return median(
    runs.flatMap(({ text, size }) => Array<number>(Math.ceil(text.length / 8)).fill(size)),
  )
}

const within = (box: Box, places: readonly Placed[]): boolean =>
  places.some((place) => coveredPart(box, place.box) > 0.6)

function textBlocks(lines: readonly Line[], rules: HeadingRules): Block[] {
  const found = alignedTable(lines)
  if (!found) return blocksOf(paragraphsOf(lines), rules)
  const { box, html } = found.table
  return [
    ...blocksOf(paragraphsOf(lines.slice(0, found.from)), rules),
    { label: 'table', nativeLabel: 'table', box, content: html },
    ...textBlocks(lines.slice(found.to), rules),
  ]
}

/** Returns the blocks of a region: the text above, between and below its fixed parts. */
function regionBlocks(region: readonly Element[], rules: HeadingRules): Block[] {
  const fixed = region
    .filter((element) => 'block' in element)
    .toSorted((a, b) => a.box[1] - b.box[1])
  let lines = linesOf(region.filter((element) => 'text' in element))
  const blocks: Block[] = []
  for (const { block } of fixed) {
    const middle = (block.box[1] + block.box[3]) / 2
    const above = lines.filter(({ box }) => (box[1] + box[3]) / 2 < middle)
    blocks.push(...textBlocks(above, rules), block)
    lines = lines.filter((line) => !above.includes(line))
  }
  return [...blocks, ...textBlocks(lines, rules)]
}

/** Returns the blocks of a page in reading order. */
export function layoutPage(page: PageContent, around: Surroundings): Block[] {
  const margins = marginsOf(page.runs, page.height, around.neighbours)
  const edges = margins.map(({ segment }) => segment)
  const inner = page.runs.filter(({ box }) => !within(box, edges))
  const tables = ruledTables(page.rules, inner, page.inks).map(({ box, html }): Fixed => ({
    box,
    block: { label: 'table', nativeLabel: 'table', box, content: html },
  }))
  const images = page.images
    .filter((box) => !within(box, tables))
    .map((box): Fixed => ({
      box,
      block: { label: 'image', nativeLabel: 'image', box, content: '' },
    }))
  const fixed = [...tables, ...images]
  const outside = inner.filter(({ box }) => !within(box, fixed))
  // OCR finds whole lines, and its boxes extend into the gutters, so nothing is joined across them.
  const texts = page.ocr ? outside.flatMap((run) => segmentsOf([run])) : segmentsOf(outside)
  const body = around.bodySize || bodySizeOf(inner) || 1
  const rules: HeadingRules = {
    body,
    largest: Math.max(0, ...texts.map(({ size }) => size)),
    firstPage: around.pageNumber === 1,
    ocr: page.ocr,
  }
  const marginBlocks = (kinds: readonly string[]): Block[] =>
    margins
      .filter(({ kind }) => kinds.includes(kind))
      .map(({ segment, kind }) => ({
        label: 'text',
        nativeLabel: kind,
        box: segment.box,
        content: segment.text,
      }))
  // Their position in the text is unknown, so they are placed after it.
  const turned = page.turned
    .filter(({ box }) => !within(box, fixed))
    .map(({ box, text }): Block => ({ label: 'text', nativeLabel: 'text', box, content: text }))
  const isTop = ({ box }: Block): boolean => box[1] < page.height / 2
  const edgeBlocks = marginBlocks(['header', 'footer', 'number'])
  return [
    ...edgeBlocks.filter(isTop),
    ...regionsOf<Element>([...fixed, ...texts], page.ocr ? 0.5 * body : body).flatMap((region) =>
      regionBlocks(region, rules),
    ),
    ...turned,
    ...edgeBlocks.filter((block) => !isTop(block)),
  ]
}

/** Horizontal range of white space. */
type Gap = readonly [from: number, to: number]

/** Minimum width of a gutter and of a column, in multiples of the body text size. */
const minGutter = 0.75
const minColumn = 8

/** Minimum lines of a column: fewer lines side by side are a letterhead or a table row. */
const minLines = 3

/** Groups the elements into rows that straight horizontal cuts can separate, from top to bottom. */
function bands<T extends Placed>(elements: readonly T[], em: number): T[][] {
  const rows: T[][] = []
  let end = -Infinity
  for (const element of elements.toSorted((a, b) => a.box[1] - b.box[1])) {
    const { box } = element
    // Descenders may overlap the next line.
    const slack = Math.min(0.25 * heightOf(box), 0.3 * em)
    const row = rows.at(-1)
    if (row && box[1] + slack < end) row.push(element)
    else rows.push([element])
    end = Math.max(end, box[3] - slack)
  }
  return rows
}

/** Returns the parts of `gaps` that remain white when the elements are added. */
function narrowed(gaps: readonly Gap[], elements: readonly Placed[], minWidth: number): Gap[] {
  let left = [...gaps]
  for (const { box } of elements)
    left = left.flatMap(([from, to]) => {
      if (box[2] <= from || box[0] >= to) return [[from, to] as const]
      return [[from, box[0]] as const, [box[2], to] as const].filter(([a, b]) => b - a >= minWidth)
    })
  return left
}

/** Returns whether one side of a gutter looks like a text column: enough lines, wide, and mostly filled. */
function isColumn(side: readonly Placed[], em: number): boolean {
  const width = widthOf(boxAround(side.map((element) => element.box)))
  if (width < minColumn * em) return false
  if (side.some(({ box }) => heightOf(box) > minLines * 1.5 * em)) return true
  if (bands(side, em).length < minLines) return false
  return median(side.map(({ box }) => widthOf(box))) >= 0.5 * width
}

function sides<T extends Placed>(elements: readonly T[], [from, to]: Gap): readonly [T[], T[]] {
  const middle = (from + to) / 2
  const left = elements.filter(({ box }) => box[2] <= middle)
  return [left, elements.filter((element) => !left.includes(element))]
}

interface Split<T> {
  readonly from: number
  readonly to: number
  readonly left: T[]
  readonly right: T[]
}

const isInner = ([from, to]: Gap): boolean => Number.isFinite(from) && Number.isFinite(to)

/**
 * Returns the longest run of rows starting at `from` that share one gutter between two columns; undefined if there is
 * none.
 */
function splitFrom<T extends Placed>(
  rows: readonly T[][],
  from: number,
  em: number,
): Split<T> | undefined {
  let gaps: Gap[] = [[-Infinity, Infinity]]
  let inner: Gap[] = []
  let to = from
  while (to < rows.length) {
    gaps = narrowed(gaps, rows[to] ?? [], minGutter * em)
    const open = gaps.filter(isInner)
    if (open.length === 0 && (inner.length > 0 || to - from >= minLines)) break
    inner = open
    to++
  }
  const runs = rows.slice(from, to).flat()
  for (const gap of inner.toSorted(([a, b], [c, d]) => d - c - (b - a))) {
    const [left, right] = sides(runs, gap)
    if (isColumn(left, em) && isColumn(right, em)) return { from, to, left, right }
  }
  return undefined
}

/**
 * Returns the elements in reading order, grouped into single-column regions: full-width parts from top to bottom, the
 * columns between them from left to right. `em` is the body text size in pixels.
 */
function regionsOf<T extends Placed>(elements: readonly T[], em: number): T[][] {
  if (elements.length === 0) return []
  const rows = bands(elements, em)
  let best: Split<T> | undefined
  for (let from = 0; from < rows.length; from++) {
    if (best && rows.length - from <= best.to - best.from) break
    const found = splitFrom(rows, from, em)
    if (found && (!best || found.to - found.from > best.to - best.from)) best = found
  }
  if (!best) return [rows.flat()]
  return [
    ...regionsOf(rows.slice(0, best.from).flat(), em),
    ...regionsOf(best.left, em),
    ...regionsOf(best.right, em),
    ...regionsOf(rows.slice(best.to).flat(), em),
  ]
}

/** Minimum rows of a table without ruling lines: two lines may be aligned by chance. */
const minRows = 3

/** Range of lines that form a table. */
interface TableLines {
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
function alignedTable(lines: readonly Line[]): TableLines | undefined {
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
