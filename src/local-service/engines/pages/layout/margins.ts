import type { Run } from '../content.ts'
import { linesOf, segmentsOf, type Segment } from './lines.ts'

/**
 * Fraction of the page height from its edges where headers and footers are expected; a repeated number may be further
 * in.
 */
const edgePart = 0.1
const widePart = 0.2

/** Text at the edge of a page, separate from the body text. */
interface Margin {
  readonly segment: Segment
  readonly kind: 'header' | 'footer' | 'number'
}

const isPageNumber = (text: string): boolean =>
  /^[-–—\s]*(\d{1,4}|[ivxlc]{1,7}|[IVXLC]{2,7})[-–—\s]*$/.test(text) ||
  /^(page|seite|página|p\.)\s*\d{1,4}(\s*(of|\/|von|de)\s*\d{1,4})?$/i.test(text) ||
  /^第\s*\d{1,4}\s*页/.test(text) ||
  /^\d{1,4}\s*\/\s*\d{1,4}$/.test(text)

/** Normalizes a text that repeats from page to page, replacing its numbers. */
const pattern = (text: string): string => text.replace(/\d+/g, '#').replace(/\s+/g, ' ').trim()

interface EdgeLine {
  readonly segments: readonly Segment[]
  readonly place: 'header' | 'footer'
  /** Whether it is in the outer part, where a number alone is the page number. */
  readonly outer: boolean
}

/** Returns the outermost lines of a page, at most two per edge. */
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

/**
 * Returns the patterns of the texts at the edges of a page, for comparison with neighboring pages (see
 * {@link marginsOf}).
 */
export function edgePatterns(runs: readonly Run[], height: number): ReadonlySet<string> {
  const lines = edgeLines(runs, height)
  return new Set(
    lines.flatMap(({ segments, place }) => segments.map(({ text }) => `${place} ${pattern(text)}`)),
  )
}

/**
 * Finds headers, footers and page numbers: edge texts that neighboring pages repeat, and numbers alone on a line.
 */
export function marginsOf(
  runs: readonly Run[],
  height: number,
  neighbours: readonly ReadonlySet<string>[],
): Margin[] {
  return edgeLines(runs, height).flatMap(({ segments, place, outer }) => {
    const repeated = segments.some(({ text }) =>
      neighbours.some((patterns) => patterns.has(`${place} ${pattern(text)}`)),
    )
    // A number next to a running title belongs to the same line: each confirms what the other is.
    const numbered = segments.some(({ text }) => isPageNumber(text))
    if (outer ? !repeated && !numbered : !repeated || !numbered) return []
    return segments.map((segment) => ({
      segment,
      kind: isPageNumber(segment.text) ? ('number' as const) : place,
    }))
  })
}
