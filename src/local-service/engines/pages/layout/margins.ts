import type { Run } from '../content.ts'
import { linesOf, segmentsOf } from './lines.ts'
import type { Segment } from './lines.ts'

/** Part of a page's height, from its edges, in which headers and footers stand; a repeated number may stand further in. */
const edgePart = 0.1
const widePart = 0.2

/** What stands at a page's edge, told apart from its text. */
export interface Margin {
  readonly segment: Segment
  readonly kind: 'header' | 'footer' | 'number'
}

const isPageNumber = (text: string): boolean =>
  /^[-–—\s]*(\d{1,4}|[ivxlc]{1,7}|[IVXLC]{2,7})[-–—\s]*$/.test(text) ||
  /^(page|seite|página|p\.)\s*\d{1,4}(\s*(of|\/|von|de)\s*\d{1,4})?$/i.test(text) ||
  /^第\s*\d{1,4}\s*页/.test(text) ||
  /^\d{1,4}\s*\/\s*\d{1,4}$/.test(text)

/** A text as it repeats from page to page: its numbers change. */
const pattern = (text: string): string => text.replace(/\d+/g, '#').replace(/\s+/g, ' ').trim()

interface EdgeLine {
  readonly segments: readonly Segment[]
  readonly place: 'header' | 'footer'
  /** Within the outer part, where a number that stands alone is the page's. */
  readonly outer: boolean
}

/** The outermost lines of a page, at most two on each side. */
function edgeLines(runs: readonly Run[], height: number): EdgeLine[] {
  const lines = linesOf(segmentsOf(runs))
  const top = lines.slice(0, 2).filter(({ box }) => box[3] < widePart * height)
  const bottom = lines.slice(-2).filter(({ box }) => box[1] > (1 - widePart) * height)
  return [
    ...top.map(({ segments, box }) => ({
      segments,
      place: 'header' as const,
      outer: box[3] < edgePart * height,
    })),
    ...bottom.map(({ segments, box }) => ({
      segments,
      place: 'footer' as const,
      outer: box[1] > (1 - edgePart) * height,
    })),
  ]
}

/** Patterns of the texts at a page's edges, to be compared with its neighbours' (see {@link marginsOf}). */
export function edgePatterns(runs: readonly Run[], height: number): ReadonlySet<string> {
  const lines = edgeLines(runs, height)
  return new Set(
    lines.flatMap(({ segments, place }) => segments.map(({ text }) => `${place} ${pattern(text)}`)),
  )
}

/** Headers, footers and page numbers: texts at the edges that neighbouring pages repeat, and numbers that stand alone. */
export function marginsOf(
  runs: readonly Run[],
  height: number,
  neighbours: readonly ReadonlySet<string>[],
): Margin[] {
  return edgeLines(runs, height).flatMap(({ segments, place, outer }) => {
    const repeated = segments.some(({ text }) =>
      neighbours.some((patterns) => patterns.has(`${place} ${pattern(text)}`)),
    )
    // A number beside a running title belongs to the same line: one tells what the other is.
    const numbered = segments.some(({ text }) => isPageNumber(text))
    if (outer ? !repeated && !numbered : !repeated || !numbered) return []
    return segments.map((segment) => ({
      segment,
      kind: isPageNumber(segment.text) ? ('number' as const) : place,
    }))
  })
}
