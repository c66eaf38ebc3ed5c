import type { Line, Meeting, MeetingSummaryText, Span } from '../../../../shared/model/meeting.ts'
import { joinTexts } from '../../../../shared/text/join.ts'
import { localDay } from '../../../../shared/text/local-time.ts'
import { offsetTime } from '../../../../shared/text/word-times.ts'
import { startOf, type Entry, type ExportDocument } from './document.ts'
import { clockTime } from './times.ts'

/** Writes plain text: one paragraph per line, `[1:02] Name: text`. UTF-8, lines end with LF. */
export function writeText(document: ExportDocument): string {
  const { source, words, summary } = document
  if (summary) {
    const sections = summarySections(document, summary).map(({ title, points }) =>
      ['', ...(title === '' ? [] : [title]), ...points.map((point) => `- ${point}`)].join('\n'),
    )
    return `${[titleOf(document), ...sections].join('\n')}\n`
  }
  const head = [source.meeting.title, factLine(document), '']
  const body = turnsOf(document).map((turn) => lineOf(document, turn))
  const bookmarks = bookmarksOf(document)
  const marks = bookmarks.map(({ atMs, label }) =>
    document.options.timestamps ? `[${clockTime(atMs)}] ${label}` : label,
  )
  const notes = source.meeting.notes.trim()
  const foot = [
    ...(marks.length === 0 ? [] : ['', words.bookmarks, ...marks]),
    ...(notes === '' ? [] : ['', words.notes, notes]),
  ]
  return `${[...head, ...body, ...foot].join('\n')}\n`
}

/** A paragraph: a line as shown in the app, a part of a very long one, or a gap. */
export interface Turn {
  readonly speaker: string | null
  readonly startMs: number
  readonly text: string
  readonly hole: Extract<Entry, { type: 'hole' }> | null
}

/**
 * Limits of a paragraph in milliseconds and UTF-16 units: from `ms` or `chars` on it ends with its sentence, at the maximum
 * anywhere.
 */
const full = { ms: 45_000, chars: 600, maxMs: 90_000, maxChars: 1200 } as const
const sentenceEnd = /[.!?。！？…]["'”’)\]」』]*$/u
const sentences = new Intl.Segmenter(undefined, { granularity: 'sentence' })

/** Returns a paragraph for each line, with its time; a very long line is several, which end with sentences. */
export function turnsOf({ entries, source }: ExportDocument): readonly Turn[] {
  const voiced = new Map(source.segments.map((one) => [one.id, one.voiced]))
  return entries.flatMap((entry): readonly Turn[] => {
    if (entry.type === 'hole')
      return [{ speaker: null, startMs: startOf(entry), text: '', hole: entry }]
    const { line, speaker } = entry
    const turns: Turn[] = []
    let lastEnd = 0
    for (const part of partsOf(line, voiced.get(line.segmentId ?? '') ?? [])) {
      const last = turns.at(-1)
      if (last && !isFull(last.text, lastEnd - last.startMs))
        turns[turns.length - 1] = { ...last, text: joinTexts([last.text, part.text]) }
      else turns.push({ speaker, startMs: part.startMs, text: part.text, hole: null })
      lastEnd = part.endMs
    }
    return turns
  })
}

const isFull = (text: string, ms: number): boolean =>
  ms >= full.maxMs ||
  text.length >= full.maxChars ||
  ((ms >= full.ms || text.length >= full.chars) && sentenceEnd.test(text))

/**
 * Returns a line with its time; one longer than a paragraph is split into sentences, each with its estimated time.
 */
function partsOf(line: Line, voiced: readonly Span[]): readonly (Span & { text: string })[] {
  const { text, startMs, endMs } = line
  if (text.trim() === '') return []
  if (!isFull(`${text}.`, endMs - startMs)) return [{ text, startMs, endMs }]
  return Array.from(sentences.segment(text), ({ segment, index }) => ({
    text: segment,
    startMs: offsetTime(text, index, line, voiced),
    endMs: offsetTime(text, index + segment.length, line, voiced, 'end'),
  }))
}

/** Returns bookmarks with their names; one without a name is described by the words spoken there. */
export function bookmarksOf({
  source,
  options,
  entries,
}: ExportDocument): readonly { readonly atMs: number; readonly label: string }[] {
  const { range } = options
  return source.meeting.bookmarks.flatMap(({ atMs, label }) => {
    if (range && (atMs < range.startMs || atMs >= range.endMs)) return []
    if (label.trim() !== '') return [{ atMs, label }]
    const nextLine = entries.find((one) => one.type === 'line' && one.line.endMs > atMs)
    if (nextLine?.type !== 'line') return []
    const words = Array.from(nextLine.line.text.trim())
    const cut = words.length > bookmarkChars
    return [{ atMs, label: `“${words.slice(0, bookmarkChars).join('').trim()}${cut ? '…' : ''}”` }]
  })
}

/** Number of characters quoted for a bookmark without a name. */
const bookmarkChars = 60

/** Returns completed summaries with content. */
export const doneSummaries = ({ summaries }: Meeting): Meeting['summaries'] =>
  summaries.filter(({ state, points }) => state === 'done' && points.length > 0)

/** Returns the title of the file’s content: of the meeting, or of its summary that is exported alone. */
export const titleOf = ({ source, summary }: ExportDocument): string =>
  summary ? `${source.meeting.title}: ${summary.templateName}` : source.meeting.title

/** Points of a summary under one heading. */
interface SummarySection {
  readonly title: string
  readonly points: readonly string[]
}

/** Returns the points of a summary by heading, each followed by the times of its sources in parentheses. */
export function summarySections(
  { source, options }: ExportDocument,
  summary: MeetingSummaryText,
): readonly SummarySection[] {
  const order = new Map(source.lines.map(({ id, startMs }, at) => [id, { at, startMs }]))
  const sections = Map.groupBy(summary.points, ({ section }) => section)
  return Array.from(sections, ([title, points]) => ({
    title,
    points: points.map(({ text, lineIds }) => {
      const lines = Array.from(new Set(lineIds), (id) => order.get(id))
        .filter((line) => line !== undefined)
        .toSorted((a, b) => a.at - b.at)
      // Consecutive lines are one place.
      const places = lines.filter(({ at }, index) => lines[index - 1]?.at !== at - 1)
      const times = places.map(({ startMs }) => clockTime(startMs)).join(', ')
      return options.timestamps && times !== '' ? `${text} (${times})` : text
    }),
  }))
}

/** Returns date and duration in one line, with missing or doubtful parts if there are any. */
export function factLine({ source, words }: ExportDocument): string {
  const { meeting } = source
  const { segmentsMs, transcribedMs, flagged, failed, gapsMs } = meeting.completeness
  const share = segmentsMs === 0 ? 100 : Math.floor((transcribedMs / segmentsMs) * 100)
  return [
    `${words.date}: ${localDay(meeting.startedAt)}`,
    `${words.duration}: ${clockTime(meeting.durationMs)}`,
    ...(share < 100 ? [words.transcribed(share)] : []),
    ...(gapsMs >= 1000 ? [words.gaps(clockTime(gapsMs))] : []),
    ...(failed > 0 ? [words.failed(failed)] : []),
    ...(flagged > 0 ? [words.flagged(flagged)] : []),
  ].join(' · ')
}

function lineOf({ options, words }: ExportDocument, turn: Turn): string {
  const time = options.timestamps ? `[${clockTime(turn.startMs)}] ` : ''
  if (turn.hole) {
    const { startMs, endMs } = turn.hole.span
    return `[${clockTime(startMs)} - ${clockTime(endMs)}: ${words[turn.hole.what]}]`
  }
  return `${time}${options.speakers ? `${turn.speaker}: ` : ''}${turn.text}`
}
