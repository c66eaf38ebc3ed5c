import { limitsWith } from '../../../../../shared/provider/limits.ts'
import { cutFlags, cutText, segmentBounds } from '../../../../../shared/voices/split.ts'
import type { Ids } from '../../../../deps.ts'
import type { PlacedRow, PlacedSegment } from '../../store/speech-types.ts'
import { breathe, eachRange } from './stepwise.ts'
import { speakingStyleOf } from './fingerprint.ts'
import type { Turns } from './serial-work.ts'
import type { SpeakingParts } from './types.ts'

/** Rows read or written together: takes a few milliseconds. */
const rowsAtOnce = 400
/** Shorter texts are split immediately, without the worker. */
const shortText = 10_000
/** Segments matched together: takes a millisecond or two. */
const segmentsAtOnce = 1000

/** Stores the text of a narration as rows. */
interface Placing {
  /**
   * Splits a text into the segments of a narration; unchanged segments keep their rows. Durable: see {@link resume}.
   */
  place(id: string, text: string): Promise<void>
  /** Sets the states of segments without a pending request; see `SpeechStore.restate`. */
  restate(id: string, resting?: ReadonlySet<string>): Promise<void>
  /** Returns the whole text. */
  textOf(id: string): Promise<string>
  /**
   * Resumes splitting texts that was interrupted when the app ended, one at a time; a text that was replaced in the
   * meantime is not restored.
   */
  resume(inTurn: Turns): Promise<void>
}

/** Creates the service. Long texts are processed in steps, between which other work runs. */
export function createPlacing(deps: SpeakingParts): Placing {
  const { store, ids, clock, spoken } = deps
  const { speech: rows } = store

  const before = async (id: string): Promise<readonly PlacedRow[]> => {
    const all: PlacedRow[] = []
    for (;;) {
      const some = rows.rows(id, all.at(-1), rowsAtOnce * 2)
      all.push(...some)
      if (some.length < rowsAtOnce * 2) return all
      await breathe()
    }
  }
  const write = async (id: string, text: string, { put, leave, rows: rowCount }: Placement) => {
    if (put.length + leave.length <= rowsAtOnce) {
      store.transaction(() => {
        if (leave.length > 0) rows.leave(leave)
        if (put.length > 0) rows.put(id, put)
        rows.placed(id, text, rowCount, clock())
      })
      return
    }
    rows.placing(id, text)
    for (let from = 0; from < leave.length; from += rowsAtOnce) {
      await breathe()
      rows.leave(leave.slice(from, from + rowsAtOnce))
    }
    for (let from = 0; from < put.length; from += rowsAtOnce) {
      await breathe()
      rows.put(id, put.slice(from, from + rowsAtOnce))
    }
    await breathe()
    rows.placed(id, text, rowCount, clock())
  }
  const restate: Placing['restate'] = (id, resting) =>
    eachRange(rowsAtOnce * 2, (range) => {
      const settings = rows.settings(id)
      if (!settings) return false
      rows.restate(id, speakingStyleOf(settings, deps.activeAccountId()), range, resting)
      return rows.hasPlace(id, range.upTo)
    })
  const place: Placing['place'] = async (id, text) => {
    const settings = rows.settings(id)
    if (!settings) return
    const accountId = settings.accountId ?? deps.activeAccountId()
    const { chars } = limitsWith(store.accounts.get(accountId)?.profile.limits ?? {}).speech
    const maxChars = Math.max(segmentBounds.min, Math.min(settings.pieceLength, chars))
    const cuts =
      text.length <= shortText ? cutText(text, maxChars) : await spoken.cut(text, maxChars)
    const steps = placeSegments(text, cuts, await before(id), ids)
    for (;;) {
      const step = steps.next()
      if (step.done) {
        await write(id, text, step.value)
        break
      }
      await breathe()
    }
    await restate(id)
  }
  return {
    place,
    restate,
    async textOf(id) {
      const parts: string[] = []
      await eachRange(rowsAtOnce * 2, (range) => {
        parts.push(rows.text(id, range))
        return rows.hasPlace(id, range.upTo)
      })
      return parts.join('')
    },
    async resume(inTurn) {
      const textNow = (id: string) => rows.unplaced().find((one) => one.id === id)?.text
      for (const { id } of rows.unplaced())
        await inTurn(id, async () => {
          const text = textNow(id)
          if (text !== undefined) await place(id, text)
        })
    },
  }
}

/** Changes that a new text makes to the existing rows. */
interface Placement {
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
function* placeSegments(
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
    if ((index + 1) % segmentsAtOnce === 0) yield
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
    if ((place + 1) % segmentsAtOnce === 0) yield
  }
  const leave = inText.flatMap(({ id }) => (stay.has(id) ? [] : [id]))
  return { put, leave, rows: Math.max(before.length, cuts.length / 2) }
}
