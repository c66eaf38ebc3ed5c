import { joinTexts } from '../../shared/text/join.ts'
import { startOf, type Entry, type ExportDocument } from './document.ts'
import { clockTime } from './times.ts'

/** Plain text: one paragraph a turn, `[1:02] Name: words`. UTF-8, lines end with LF. */
export function writeText(document: ExportDocument): string {
  const { source, words } = document
  const head = [source.meeting.title, factLine(document), '']
  const body = turnsOf(document.entries).map((turn) => lineOf(document, turn))
  const notes = source.meeting.notes.trim()
  const foot = notes === '' ? [] : ['', words.notes, notes]
  return `${[...head, ...body, ...foot].join('\n')}\n`
}

/** A run of entries of one speaker, or one hole. */
export interface Turn {
  readonly speaker: string | null
  readonly startMs: number
  readonly text: string
  readonly hole: Extract<Entry, { type: 'hole' }> | null
}

/** A pause within one speaker's words that begins a new paragraph all the same, in milliseconds. */
const newParagraphMs = 4000
/** Words of one paragraph at most, in UTF-16 units: an hour's monologue is not one block. */
const longestParagraph = 1200

/** Lines of one speaker that follow each other are one paragraph. */
export function turnsOf(entries: readonly Entry[]): readonly Turn[] {
  const turns: Turn[] = []
  let lastEnd = 0
  for (const entry of entries) {
    if (entry.type === 'hole') {
      turns.push({ speaker: null, startMs: startOf(entry), text: '', hole: entry })
      continue
    }
    const last = turns.at(-1)
    const { line, speaker } = entry
    const goesOn =
      last?.hole === null &&
      last.speaker === speaker &&
      line.startMs - lastEnd < newParagraphMs &&
      last.text.length < longestParagraph
    if (goesOn) turns[turns.length - 1] = { ...last, text: joinTexts([last.text, line.text]) }
    else turns.push({ speaker, startMs: line.startMs, text: line.text, hole: null })
    lastEnd = line.endMs
  }
  return turns
}

/** Date, duration and completeness in one line. */
export function factLine({ source, words }: ExportDocument): string {
  const { meeting } = source
  const { completeness } = meeting
  const date = new Date(meeting.startedAt).toISOString().slice(0, 10)
  const share =
    completeness.segmentsMs === 0
      ? 100
      : Math.floor((completeness.transcribedMs / completeness.segmentsMs) * 100)
  const numbers = words.completeness({
    written: clockTime(completeness.writtenMs),
    transcribed: `${share} %`,
    flagged: completeness.flagged,
    failed: completeness.failed,
    gaps: clockTime(completeness.gapsMs),
  })
  return `${words.date}: ${date} · ${words.duration}: ${clockTime(meeting.durationMs)} · ${numbers}`
}

function lineOf({ options, words }: ExportDocument, turn: Turn): string {
  const time = options.timestamps ? `[${clockTime(turn.startMs)}] ` : ''
  if (turn.hole) {
    const { startMs, endMs } = turn.hole.span
    return `[${clockTime(startMs)} - ${clockTime(endMs)}: ${words[turn.hole.what]}]`
  }
  return `${time}${options.speakers ? `${turn.speaker}: ` : ''}${turn.text}`
}
