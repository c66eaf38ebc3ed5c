import type { RequestOf } from '../../../../../shared/contract/routes.ts'
import type { Line, Segment, Span } from '../../../../../shared/model/meeting.ts'

/** Parts that can be transcribed again. */
export type AgainKind = 'range' | 'lines' | 'flagged' | 'words' | 'all'

/** One choice of what to transcribe again: its segments and their total length. Null if only main knows. */
interface AgainChoice {
  readonly kind: AgainKind
  readonly segmentIds: readonly string[] | null
  readonly ms: number | null
}

/** Returns what can be transcribed again in the present meeting, without empty choices. */
export function againChoices(
  segments: readonly Segment[],
  range: Span | null,
  chosen: readonly Line[],
): readonly AgainChoice[] {
  const ofLines = new Set(chosen.map(({ segmentId }) => segmentId))
  const found: readonly (readonly [AgainKind, readonly Segment[]])[] = [
    [
      'range',
      segments.filter(
        ({ startMs, endMs }) => range !== null && startMs < range.endMs && endMs > range.startMs,
      ),
    ],
    ['lines', segments.filter(({ id }) => ofLines.has(id))],
    ['flagged', segments.filter(({ state }) => state === 'flagged')],
    ['all', segments],
  ]
  const choices = found
    .filter(([, some]) => some.length > 0)
    .map(([kind, some]): AgainChoice => ({
      kind,
      segmentIds: some.map(({ id }) => id),
      ms: sum(some),
    }))
  if (segments.length > 0) choices.splice(-1, 0, { kind: 'words', segmentIds: null, ms: null })
  return choices
}

/** Returns the total length of ranges, in milliseconds. */
const sum = (spans: readonly Span[]): number =>
  spans.reduce((total, { startMs, endMs }) => total + endMs - startMs, 0)

/** Returns the initial choice of the dialog: the requested one, else the narrowest that needs no terms. */
export function firstChoice(
  choices: readonly AgainChoice[],
  requested: AgainKind | null,
): AgainKind {
  const found =
    choices.find(({ kind }) => kind === requested) ?? choices.find(({ kind }) => kind !== 'words')
  return found?.kind ?? 'all'
}

/** Returns the request to main for a choice; null while it is incomplete. */
export function againRequest(
  { kind, segmentIds }: AgainChoice,
  range: Span | null,
  words: readonly string[],
): RequestOf<'meetings.again'>['which'] | null {
  switch (kind) {
    case 'range':
      return range && { type: 'range', ...wholeMs(range) }
    case 'lines':
      return segmentIds && { type: 'segments', ids: [...segmentIds] }
    case 'words':
      return words.length === 0 ? null : { type: 'words', words: words.slice(0, maxWords) }
    case 'flagged':
    case 'all':
      return { type: kind }
  }
}

/** Maximum number of words searched at a time. */
const maxWords = 100

/** Rounds a drawn range to whole milliseconds. */
const wholeMs = ({ startMs, endMs }: Span): Span => ({
  startMs: Math.max(0, Math.floor(startMs)),
  endMs: Math.ceil(endMs),
})
