import type { Line, MeetingSummaryText, SummaryPoint } from '../../../../../shared/model/meeting.ts'

/** A place in the transcript that supports a point: one line, or several consecutive ones. */
export interface PointPlace {
  readonly startMs: number
  readonly endMs: number
  /** Number of lines. */
  readonly lines: number
}

/** A point as displayed. */
interface ShownPoint {
  readonly text: string
  readonly places: readonly PointPlace[]
}

/** The points of one heading. */
export interface ShownSection {
  readonly title: string
  readonly points: readonly ShownPoint[]
}

/** Position of each line in chronological order. */
export type LinePlaces = ReadonlyMap<string, { readonly at: number; readonly line: Line }>

/** The positions of all lines, for {@link shownSections}. */
export const linePlaces = (lines: readonly Line[]): LinePlaces =>
  new Map(lines.map((line, at) => [line.id, { at, line }]))

/** Points under their headings, in their original order. */
export function shownSections(
  points: readonly SummaryPoint[],
  places: LinePlaces,
): readonly ShownSection[] {
  const sections = new Map<string, ShownPoint[]>()
  for (const { section, text, lineIds } of points) {
    const shown = { text, places: placesOf(lineIds, places) }
    const under = sections.get(section)
    if (under) under.push(shown)
    else sections.set(section, [shown])
  }
  return Array.from(sections, ([title, shown]) => ({ title, points: shown }))
}

/** Consecutive lines are one place; lines that no longer exist (transcribed again, removed) are omitted. */
function placesOf(lineIds: readonly string[], known: LinePlaces): readonly PointPlace[] {
  const found = [...new Set(lineIds)]
    .flatMap((id) => known.get(id) ?? [])
    .toSorted((a, b) => a.at - b.at)
  const places: PointPlace[] = []
  let next = -1
  for (const { at, line } of found) {
    const last = places.at(-1)
    if (last && at === next)
      places[places.length - 1] = {
        ...last,
        endMs: Math.max(last.endMs, line.endMs),
        lines: last.lines + 1,
      }
    else places.push({ startMs: line.startMs, endMs: line.endMs, lines: 1 })
    next = at + 1
  }
  return places
}

/** Splits the engine field of a summary: the first row is a name, all others are its notices. */
export function engineParts({ engine }: Pick<MeetingSummaryText, 'engine'>): {
  readonly name: string
  readonly notice: string
} {
  const [name = '', ...rest] = engine.split('\n')
  return { name, notice: rest.join('\n').trim() }
}
