import { coveredPart } from '../geometry.ts'
import type { Box } from '../geometry.ts'
import type { Quad } from './quad.ts'

/** Lines that are asked where a gutter is. */
const nearest = 5

/** Pixels of a gutter that a line keeps. */
export const margin = 3

/** A blank strip, in pixels from left to right. */
export type Gap = readonly [from: number, to: number]

/** A strip on the page, and the height of the line that leaves it blank. */
export interface Gutter {
  readonly gap: Gap
  readonly y: number
}

const boxOf = ({ x, y, width, height }: Quad): Box => [
  x - width / 2,
  y - height / 2,
  x + width / 2,
  y + height / 2,
]

/** Widest piece in heights of a line that may be a scrap. */
const widestScrap = 1.5

/** Whether a short piece stands in a gutter, or shows letters of longer lines once more: a line found over a gutter began or ended in the other column. */
export function isScrap(
  part: Quad,
  others: readonly Quad[],
  gutters: readonly Gutter[],
  medianHeight: number,
): boolean {
  if (part.width > widestScrap * medianHeight) return false
  if (gutterAt(gutters, part.y, ([from, to]) => part.x > from && part.x < to)) return true
  const box = boxOf(part)
  const covered = others
    .filter((other) => other.width > 2 * part.width)
    .reduce((sum, other) => sum + coveredPart(box, boxOf(other)), 0)
  return covered > 0.4
}

/** Where the nearest lines that leave a gutter blank agree that it is: lines that end in a full stop make it wider than it is. */
function gutterAt(
  gutters: readonly Gutter[],
  y: number,
  within: (gap: Gap) => boolean,
): Gap | null {
  const near = gutters
    .filter(({ gap }) => within(gap))
    .toSorted((a, b) => Math.abs(a.y - y) - Math.abs(b.y - y))
    .slice(0, nearest)
  if (near.length === 0) return null
  const from = Math.max(...near.map(({ gap }) => gap[0]))
  const to = Math.min(...near.map(({ gap }) => gap[1]))
  return to - from > 2 * margin ? [from, to] : null
}

/** A line whose ends leave the gutters free. */
export function trimmed(quad: Quad, gutters: readonly Gutter[], medianHeight: number): Quad {
  const reach = 0.3 * medianHeight
  const left = quad.x - quad.width / 2
  const right = quad.x + quad.width / 2
  const before = gutterAt(gutters, quad.y, ([from, to]) => left > from - reach && left < to)
  const after = gutterAt(gutters, quad.y, ([from, to]) => right > from && right < to + reach)
  const from = before ? Math.max(left, before[1] - margin) : left
  const to = after ? Math.min(right, after[0] + margin) : right
  if (to - from < 0.5 * quad.width) return quad
  return { ...quad, x: (from + to) / 2, width: to - from }
}
