import type { ParsedOf } from '../../../../shared/contract/routes.ts'
import type {
  Line,
  Meeting,
  MeetingSummaryText,
  SegmentVersion,
  Segment,
  Span,
} from '../../../../shared/model/meeting.ts'
import {
  exportLabels,
  speakerName,
  type ExportLanguage,
  type ExportLabels,
} from '../../../platform/export-files/export-labels.ts'

/** Everything of a meeting that a text export may need; plain data, so that it can be sent to a worker. */
export interface ExportSource {
  readonly meeting: Meeting
  readonly lines: readonly Line[]
  readonly segments: readonly Segment[]
  /** Only for JSON. */
  readonly versions: readonly SegmentVersion[]
  /** SHA-256 of the file from which the meeting was imported; null for a recording. */
  readonly originalSha256: string | null
  readonly appVersion: string
}

/** Export options chosen by the user. */
export type ExportOptions = ParsedOf<'meetings.export'>['options']

/** Entry of the exported text, in order of time. */
export type Entry =
  | { readonly type: 'line'; readonly line: Line; readonly speaker: string }
  /** Range without audio, or without a transcript. */
  | { readonly type: 'hole'; readonly span: Span; readonly what: 'gap' | 'notTranscribed' }

/** A meeting prepared for export. */
export interface ExportDocument {
  readonly source: ExportSource
  readonly options: ExportOptions
  readonly words: ExportLabels
  readonly language: ExportLanguage
  readonly entries: readonly Entry[]
  /** Names of its speakers, in order of their first line. */
  readonly participants: readonly string[]
  /** The summary that is exported alone; null for the whole meeting. */
  readonly summary: MeetingSummaryText | null
}

/** Selects and names what is exported, by the user's options. */
export function exportDocument(
  source: ExportSource,
  options: ExportOptions,
  language: ExportLanguage,
  summaryId?: string,
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
  const summary = meeting.summaries.find(({ id }) => id === summaryId) ?? null
  return { source, options, words, language, entries, participants, summary }
}

/** Returns the start of an entry in milliseconds. */
export const startOf = (entry: Entry): number =>
  entry.type === 'line' ? entry.line.startMs : entry.span.startMs

/** Returns gaps in the audio and segments without a transcript; those shorter than a second are ignored. */
function holesOf({ meeting, segments }: ExportSource): (Entry & { readonly type: 'hole' })[] {
  const gaps = meeting.gaps.map((span) => ({ type: 'hole', span, what: 'gap' }) as const)
  const untranscribed = segments
    .filter(({ state }) => state === 'failed' || state === 'pending' || state === 'inflight')
    .map((span) => ({ type: 'hole', span, what: 'notTranscribed' }) as const)
  return [...gaps, ...untranscribed].filter(({ span }) => span.endMs - span.startMs >= 1000)
}
