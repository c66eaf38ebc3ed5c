import type { Line, Meeting } from '../../../../../shared/model/meeting.ts'
import { estimateTokens } from '../../../../../shared/text/token-estimate.ts'
import { clockTime } from '../../exports/times.ts'
import { exportLabels, speakerName } from '../../../../platform/export-files/export-labels.ts'
import type { SummaryLanguage } from './templates.ts'

/** A line as sent to an assistant. */
export interface NumberedLine {
  /** From 1; the parts of a very long line share their number. */
  readonly number: number
  readonly lineId: string
  /** `[12] 3:45 Name: words`. */
  readonly text: string
}

/** Maximum characters of a line in one row: longer ones are split, so that every row fits. */
const rowChars = 2_000

/** The lines with text, numbered in chronological order. */
export function numberLines(
  meeting: Pick<Meeting, 'speakers' | 'channels'>,
  lines: readonly Line[],
  language: SummaryLanguage,
): readonly NumberedLine[] {
  const nameOf = speakerNames(meeting, language)
  return lines
    .filter(({ text }) => text.trim() !== '')
    .flatMap((line, at) => {
      const number = at + 1
      const head = `[${number}] ${clockTime(line.startMs)} ${nameOf(line)}: `
      return rowsOf(line.text.trim()).map((row) => ({
        number,
        lineId: line.id,
        text: head + row,
      }))
    })
}

/** Returns the name of a line's speaker, as exports write it. */
export function speakerNames(
  { speakers, channels }: Pick<Meeting, 'speakers' | 'channels'>,
  language: SummaryLanguage,
): (line: Pick<Line, 'speakerId'>) => string {
  const words = exportLabels[language]
  const names = new Map(speakers.map((one) => [one.id, speakerName(one, channels, words)]))
  return ({ speakerId }) => names.get(speakerId) ?? words.speaker
}

const rowsOf = (text: string): readonly string[] =>
  text.match(new RegExp(`[^]{1,${rowChars}}`, 'gu')) ?? []

/** Splits rows into chunks of about `most` estimated tokens, in order; a chunk has at least one row. */
export function chunksOf<T>(
  rows: readonly T[],
  textOf: (row: T) => string,
  maxTokens: number,
): readonly (readonly T[])[] {
  const chunks: T[][] = []
  let open: T[] = []
  let tokens = 0
  for (const row of rows) {
    const more = estimateTokens(textOf(row)).likely
    if (open.length > 0 && tokens + more > maxTokens) {
      chunks.push(open)
      open = []
      tokens = 0
    }
    open.push(row)
    tokens += more
  }
  return open.length > 0 ? [...chunks, open] : chunks
}
