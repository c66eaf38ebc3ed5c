import { boxAround, heightOf, median, widthOf } from '../geometry.ts'
import type { Placed } from '../geometry.ts'

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
  const within = rows.slice(from, to).flat()
  for (const gap of inner.toSorted(([a, b], [c, d]) => d - c - (b - a))) {
    const [left, right] = sides(within, gap)
    if (isColumn(left, em) && isColumn(right, em)) return { from, to, left, right }
  }
  return undefined
}

/**
 * Returns the elements in reading order, grouped into single-column regions: full-width parts from top to bottom, the
 * columns between them from left to right. `em` is the body text size in pixels.
 */
export function regionsOf<T extends Placed>(elements: readonly T[], em: number): T[][] {
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
