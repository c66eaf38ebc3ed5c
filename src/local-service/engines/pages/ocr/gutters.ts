import { coveredPart } from '../geometry.ts'
import type { Box } from '../geometry.ts'
import type { Quad } from './quad.ts'

/** Number of nearest lines used to locate a gutter. */
const nearest = 5

/** Pixels of a gutter that remain part of a line. */
export const margin = 3

/** Blank strip, as a horizontal range in pixels. */
export type Gap = readonly [from: number, to: number]

/** Strip on the page, with the height of the line that leaves it blank. */
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

/** Maximum width of a scrap, in line heights. */
const widestScrap = 1.5

/**
 * Returns whether a short piece is inside a gutter or repeats letters of longer lines: a line detected across a gutter
 * began or ended in the other column.
 */
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

/**
 * Returns the range where the nearest lines agree on a gutter: lines that end in a full stop make it appear wider than
 * it is.
 */
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

/** Trims the ends of a line so that they do not extend into the gutters. */
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
