import { cutFlags } from '../../../../../shared/voices/split.ts'
import type { Ids } from '../../../../deps.ts'
import type { PlacedSegment, PlacedRow } from '../../store/speech-types.ts'

/** Changes that a new text makes to the existing rows. */
export interface Placement {
  /** Segments whose rows are new or changed. */
  readonly put: readonly PlacedSegment[]
  /** Rows that are no longer part of the text. */
  readonly leave: readonly string[]
  /** Number of rows before or after, whichever is larger. */
  readonly rows: number
}

/**
 * Matches the segments of a new text with existing rows: each with the next old row that has the same text, so that a
 * moved segment keeps its takes. Rows that are still part of the text are preferred to removed ones. Works in steps of
 * some segments; `cuts` is the result of `cutText`.
 */
export function* placeSegments(
  text: string,
  cuts: Uint32Array,
  before: readonly PlacedRow[],
  ids: Ids,
): Generator<void, Placement> {
  const known = new Map<string, PlacedRow[]>()
  const inText = before.filter(({ place }) => place >= 0)
  const gone = before.filter(({ place }) => place < 0).toReversed()
  for (const [index, row] of [...inText, ...gone].entries()) {
    const key = row.text.trim()
    const same = known.get(key)
    if (same) same.push(row)
    else known.set(key, [row])
    if (index % step === step - 1) yield
  }
  const put: PlacedSegment[] = []
  const stay = new Set<string>()
  const taken = new Map<string, number>()
  for (let place = 0, from = 0; place * 2 < cuts.length; place++) {
    const [end = 0, flags = 0] = cuts.subarray(place * 2, place * 2 + 2)
    const segmentText = text.slice(from, end)
    from = end
    const key = segmentText.trim()
    const nth = taken.get(key) ?? 0
    taken.set(key, nth + 1)
    const row = known.get(key)?.[nth]
    const paragraph = (flags & cutFlags.paragraph) !== 0
    if (row) stay.add(row.id)
    const same = row?.place === place && row.text === segmentText && row.paragraph === paragraph
    if (!same)
      put.push({
        id: row?.id ?? ids(),
        place,
        text: segmentText,
        paragraph,
        state: (flags & cutFlags.spoken) === 0 ? 'silent' : 'idle',
      })
    if (place % step === step - 1) yield
  }
  const leave = inText.flatMap(({ id }) => (stay.has(id) ? [] : [id]))
  return { put, leave, rows: Math.max(before.length, cuts.length / 2) }
}

/** Segments per step: takes a millisecond or two. */
const step = 1000
