import type { RequestOf } from '../../../../shared/bridge/routes.ts'
import type { Line, Segment, Span } from '../../../../shared/model/meeting.ts'

/** What can be heard again. */
export type AgainKind = 'range' | 'lines' | 'flagged' | 'words' | 'all'

/** One choice of what is heard again: which segments, and how long they are together. Null where only main knows. */
export interface AgainChoice {
  readonly kind: AgainKind
  readonly segmentIds: readonly string[] | null
  readonly ms: number | null
}

/** What can be heard again in a meeting as it stands; what would be nothing is left out. */
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

/** How long stretches are together, in milliseconds. */
const sum = (spans: readonly Span[]): number =>
  spans.reduce((total, { startMs, endMs }) => total + endMs - startMs, 0)

/** The choice a dialog opens with: the one that was asked for, else the narrowest there is. */
export function firstChoice(choices: readonly AgainChoice[], requested: AgainKind | null): AgainKind {
  const found = choices.find(({ kind }) => kind === requested) ?? choices[0]
  return found?.kind ?? 'all'
}

/** What is asked of main for a choice; null while it asks for nothing. */
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

/** Words that are looked for at a time. */
const maxWords = 100

/** A stretch drawn by hand in whole milliseconds. */
const wholeMs = ({ startMs, endMs }: Span): Span => ({
  startMs: Math.max(0, Math.floor(startMs)),
  endMs: Math.ceil(endMs),
})
