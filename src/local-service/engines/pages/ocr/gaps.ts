import { createCanvas, type Canvas } from '@napi-rs/canvas'
import { median, coveredPart, type Box } from '../geometry.ts'
import type { Quad } from './quad.ts'

/** Minimum width of a blank strip in line heights that is no word space but the gutter of narrow columns. */
const minGap = 0.55

/** Minimum number of lines that must leave the same strip blank. */
const minShared = 4

/**
 * Fraction of the line height that is examined: the outermost pixels may belong to the lines above and below.
 */
const core = 0.5

/** Minimum difference in darkness from the paper for a pixel column to contain ink. */
const contrast = 60

/** Returns which pixel columns of a line are blank, from its left end. */
function blankColumns(page: Canvas, { x, y, width, height, angle }: Quad): boolean[] {
  const wide = Math.ceil(width)
  const high = Math.max(1, Math.ceil(height * core))
  const strip = createCanvas(wide, high)
  const context = strip.getContext('2d')
  context.fillStyle = '#fff'
  context.fillRect(0, 0, wide, high)
  context.translate(wide / 2, high / 2)
  context.rotate(-angle)
  const left = Math.max(0, Math.floor(x - width / 2 - height))
  const top = Math.max(0, Math.floor(y - width / 20 - height))
  const right = Math.min(page.width, Math.ceil(x + width / 2 + height))
  const bottom = Math.min(page.height, Math.ceil(y + width / 20 + height))
  const size = [right - left, bottom - top] as const
  context.drawImage(page, left, top, ...size, left - x, top - y, ...size)
  const { data } = context.getImageData(0, 0, wide, high)
  let paper = 0
  for (let i = 1; i < data.length; i += 4) paper = Math.max(paper, data[i] ?? 0)
  return Array.from({ length: wide }, (_, column) => {
    for (let row = 0; row < high; row++)
      if (paper - (data[4 * (row * wide + column) + 1] ?? 0) > contrast) return false
    return true
  })
}

function gapsOf(page: Canvas, quad: Quad, medianHeight: number): Gap[] {
  const { width, height, angle } = quad
  if (width < 6 * height || Math.abs(angle) > 0.05) return []
  const gaps: Gap[] = []
  let from = 0
  for (const [at, isBlank] of blankColumns(page, quad).entries()) {
    if (isBlank) continue
    // A line that includes parts of two lines is higher than average, but its gutter is not wider.
    if (from > 0 && at - from >= minGap * Math.min(height, medianHeight)) gaps.push([from, at])
    from = at + 1
  }
  return gaps
}

/** Converts a strip to page coordinates. */
const onPage = ({ x, width }: Quad, [from, to]: Gap): Gap => [
  x - width / 2 + from,
  x - width / 2 + to,
]

function split(quad: Quad, gaps: readonly Gap[]): Quad[] {
  const { width, angle } = quad
  const edges = [0, ...gaps.flatMap(([from, to]) => [from + margin, to - margin]), width]
  return Array.from({ length: gaps.length + 1 }, (_, i) => {
    const from = edges[2 * i] ?? 0
    const to = edges[2 * i + 1] ?? width
    const along = (from + to - width) / 2
    const x = quad.x + along * Math.cos(angle)
    const y = quad.y + along * Math.sin(angle)
    return { ...quad, x, y, width: to - from }
  })
}

/**
 * Splits lines that were detected across a gutter into the lines of its columns. A gutter is a strip that several lines
 * leave blank at the same position; wide spaces and the space next to Chinese punctuation occur anywhere. Strongly
 * tilted lines are not split.
 */
export function splitAtGutters(page: Canvas, quads: readonly Quad[]): Quad[] {
  const medianHeight = median(quads.map(({ height }) => height))
  const found = quads.map((quad) => ({ quad, gaps: gapsOf(page, quad, medianHeight) }))
  const all = found.flatMap(({ quad, gaps }) =>
    gaps.map((gap): Gutter => ({ gap: onPage(quad, gap), y: quad.y })),
  )
  const sharing = ([from, to]: Gap): number =>
    all.filter(({ gap: [a, b] }) => Math.min(b, to) - Math.max(a, from) > 0.4 * medianHeight).length
  const gutters = all.filter(({ gap }) => sharing(gap) >= minShared)
  const parts = found.flatMap(({ quad, gaps }) =>
    split(
      quad,
      gaps.filter((gap) => sharing(onPage(quad, gap)) >= minShared),
    ),
  )
  return parts
    .filter((part) => !isScrap(part, parts, gutters, medianHeight))
    .map((part) => trimmed(part, gutters, medianHeight))
}

/** Number of nearest lines used to locate a gutter. */
const nearest = 5

/** Pixels of a gutter that remain part of a line. */
const margin = 3

/** Blank strip, as a horizontal range in pixels. */
type Gap = readonly [from: number, to: number]

/** Strip on the page, with the height of the line that leaves it blank. */
interface Gutter {
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
function isScrap(
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
function trimmed(quad: Quad, gutters: readonly Gutter[], medianHeight: number): Quad {
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
