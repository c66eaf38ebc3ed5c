/** Offsets of a text range in UTF-16 units; the end is exclusive. */
export type TextRange = readonly [start: number, end: number]

/** A part of a line's text and how it is shown. */
interface LineSegment {
  readonly text: string
  /** Whether it is a search match. */
  readonly hit: boolean
  /** Whether it is the current match. */
  readonly current: boolean
  /** Whether it is probably being spoken now. */
  readonly spoken: boolean
}

/** Marks in a line's text. */
interface LineMarks {
  readonly hits: readonly TextRange[]
  readonly current: TextRange | null
  readonly spoken: TextRange | null
}

/** Splits a line's text where its marks begin and end; marks outside the text are trimmed. */
export function lineSegments(text: string, { hits, current, spoken }: LineMarks): LineSegment[] {
  const marks = [...hits, ...(current ? [current] : []), ...(spoken ? [spoken] : [])]
  const cuts = new Set([0, text.length])
  for (const edge of marks.flat()) if (edge > 0 && edge < text.length) cuts.add(edge)
  const edges = [...cuts].toSorted((a, b) => a - b)
  const covers = (range: TextRange | null, at: number): boolean =>
    range !== null && range[0] <= at && at < range[1]
  return edges.slice(0, -1).map((from, index) => ({
    text: text.slice(from, edges[index + 1]),
    hit: hits.some((range) => covers(range, from)),
    current: covers(current, from),
    spoken: covers(spoken, from),
  }))
}
