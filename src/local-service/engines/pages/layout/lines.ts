import type { Run } from '../content.ts'
import { boxAround, sameLine, type Box, type Placed } from '../geometry.ts'
import { joinFragments } from './join.ts'

/** Text on one line without a wide gap: a line of a column, or a cell of a row. */
export interface Segment extends Placed {
  readonly text: string
  readonly size: number
  readonly bold: boolean
}

/** Segments of one column on the same line, from left to right. */
export interface Line extends Segment {
  readonly segments: readonly Segment[]
}

/** Returns the value that most characters have. */
function prevailing<T>(parts: readonly { readonly text: string }[], of: (index: number) => T): T {
  const weights = new Map<T, number>()
  let best = of(0)
  for (const [i, part] of parts.entries()) {
    const value = of(i)
    const weight = (weights.get(value) ?? 0) + part.text.length
    weights.set(value, weight)
    if (weight > (weights.get(best) ?? 0)) best = value
  }
  return best
}

function asSegment(parts: readonly Segment[], text: string): Segment {
  return {
    text,
    box: boxAround(parts.map((part) => part.box)),
    size: prevailing(parts, (i) => parts[i]?.size ?? 0),
    bold: prevailing(parts, (i) => parts[i]?.bold ?? false),
  }
}

/** Requires half a line height of overlap: superscripts belong to their line, the next line does not. */
const onOneLine = (a: Box, b: Box): boolean => sameLine(a, b) >= 0.5

/**
 * Joins runs into segments if their gaps are at most as wide as stretched word spaces; wider gaps may separate columns.
 */
export function segmentsOf(runs: readonly Run[]): Segment[] {
  const open: Run[][] = []
  for (const run of runs.toSorted((a, b) => a.box[0] - b.box[0])) {
    const home = open.find((parts) => {
      const last = parts.at(-1)
      if (!last || !onOneLine(last.box, run.box)) return false
      const gap = run.box[0] - last.box[2]
      const em = Math.max(last.size, run.size)
      return gap < 0.8 * em && gap > -0.5 * em
    })
    if (home) home.push(run)
    else open.push([run])
  }
  return open.map((parts) => {
    let text = ''
    let end = -Infinity
    for (const run of parts) {
      text = joinFragments(text, run.text, run.spaceBefore || run.box[0] - end > 0.22 * run.size)
      end = run.box[2]
    }
    return asSegment(parts, text.trim())
  })
}

/** Groups the segments of one region into lines, from top to bottom. */
export function linesOf(segments: readonly Segment[]): Line[] {
  const rows: Segment[][] = []
  const byHeight = segments.toSorted((a, b) => a.box[1] + a.box[3] - b.box[1] - b.box[3])
  for (const segment of byHeight) {
    const row = rows.at(-1)
    if (row?.some((other) => onOneLine(other.box, segment.box))) row.push(segment)
    else rows.push([segment])
  }
  return rows.map((row) => {
    const parts = row.toSorted((a, b) => a.box[0] - b.box[0])
    const text = parts.reduce((before, part) => joinFragments(before, part.text, true), '')
    return { ...asSegment(parts, text), segments: parts }
  })
}
