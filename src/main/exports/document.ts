import type { ParsedOf } from '../../shared/bridge/routes.ts'
import type { Line, Meeting, SegmentVersion, Segment, Span } from '../../shared/model/meeting.ts'
import { exportLabels, speakerName, type ExportLanguage, type ExportLabels } from './labels.ts'

/** Everything of a meeting that a text export may need; plain data, so that a worker can take it. */
export interface ExportSource {
  readonly meeting: Meeting
  readonly lines: readonly Line[]
  readonly segments: readonly Segment[]
  /** Only for json. */
  readonly versions: readonly SegmentVersion[]
  /** SHA-256 of the file the meeting came from; null for a recording. */
  readonly originalSha256: string | null
  readonly appVersion: string
}

/** How the user wants it. */
export type ExportOptions = ParsedOf<'meetings.export'>['options']

/** What stands in the text, in the order of time. */
export type Entry =
  | { readonly type: 'line'; readonly line: Line; readonly speaker: string }
  /** A stretch without sound, or without an answer. */
  | { readonly type: 'hole'; readonly span: Span; readonly what: 'gap' | 'notTranscribed' }

/** A meeting ready to be written down. */
export interface ExportDocument {
  readonly source: ExportSource
  readonly options: ExportOptions
  readonly words: ExportLabels
  readonly language: ExportLanguage
  readonly entries: readonly Entry[]
  /** Names of those who speak in it, in the order they begin. */
  readonly participants: readonly string[]
}

/** Chooses and names what is written, by the user's options. */
export function exportDocument(
  source: ExportSource,
  options: ExportOptions,
  language: ExportLanguage,
): ExportDocument {
  const { meeting } = source
  const words = exportLabels[language]
  const names = new Map(
    meeting.speakers.map((one) => [one.id, speakerName(one, meeting.channels, words)]),
  )
  const wanted = options.speakerIds && new Set(options.speakerIds)
  const inRange = ({ startMs, endMs }: Span): boolean =>
    !options.range || (endMs > options.range.startMs && startMs < options.range.endMs)
  const lines = source.lines
    .filter((line) => inRange(line) && (!wanted || wanted.has(line.speakerId)))
    .map((line): Entry => ({ type: 'line', line, speaker: names.get(line.speakerId) ?? '' }))
  const holes = options.gaps ? holesOf(source).filter(({ span }) => inRange(span)) : []
  const entries = [...lines, ...holes].toSorted((a, b) => startOf(a) - startOf(b))
  const participants = [
    ...new Set(lines.flatMap((entry) => (entry.type === 'line' ? [entry.speaker] : []))),
  ]
  return { source, options, words, language, entries, participants }
}

/** Where an entry begins, in milliseconds. */
export const startOf = (entry: Entry): number =>
  entry.type === 'line' ? entry.line.startMs : entry.span.startMs

/** Gaps of the sound and segments without an answer; shorter than a second is nobody's loss. */
function holesOf({ meeting, segments }: ExportSource): (Entry & { readonly type: 'hole' })[] {
  const gaps = meeting.gaps.map((span) => ({ type: 'hole', span, what: 'gap' }) as const)
  const untranscribed = segments
    .filter(({ state }) => state === 'failed' || state === 'pending' || state === 'inflight')
    .map((span) => ({ type: 'hole', span, what: 'notTranscribed' }) as const)
  return [...gaps, ...untranscribed].filter(({ span }) => span.endMs - span.startMs >= 1000)
}
