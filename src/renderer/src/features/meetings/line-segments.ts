/** Offsets of a piece of a text in UTF-16 units; the end is not part of it. */
export type TextRange = readonly [start: number, end: number]

/** A piece of a line's text and how it is shown. */
export interface LineSegment {
  readonly text: string
  /** It was searched for. */
  readonly hit: boolean
  /** The hit the reader stands at. */
  readonly current: boolean
  /** Probably said now. */
  readonly spoken: boolean
}

/** What is shown in a line's text. */
export interface LineMarks {
  readonly hits: readonly TextRange[]
  readonly current: TextRange | null
  readonly spoken: TextRange | null
}

/** Cuts a line's text where its marks begin and end; marks outside the text are trimmed. */
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
