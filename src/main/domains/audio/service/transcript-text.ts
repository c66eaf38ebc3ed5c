import { transcriptLine } from '../../../../shared/audio/transcript-text.ts'
import type { Line, Meeting } from '../../../../shared/model/meeting.ts'
import { queryTokens } from '../../../../shared/text/query.ts'
import { estimateTokens } from '../../../../shared/text/token-estimate.ts'
import { clockTime } from '../exports/times.ts'
import { transcriptLanguage } from './summaries/language.ts'
import { speakerNames } from './summaries/transcript-chunks.ts'

/** The part of the store that has meetings with their lines. */
interface TranscriptStore {
  get(id: string): Meeting | undefined
  lines(id: string): readonly Line[]
}

/**
 * Returns the transcript of a meeting for a question, a line each with its time: all of it if it fits, otherwise the lines
 * that share the most words with the question, with those next to them. The text is empty if not even one line fits; null if
 * there is no text.
 */
export function transcriptText(
  store: TranscriptStore,
  id: string,
  { question, maxTokens }: { readonly question: string; readonly maxTokens: number },
): { readonly text: string; readonly tokens: number } | null {
  const meeting = store.get(id)
  const lines = meeting ? store.lines(id).filter(({ text }) => text.trim() !== '') : []
  if (!meeting || lines.length === 0) return null
  const nameOf = speakerNames(meeting, transcriptLanguage(lines))
  const rows = lines.map((line) => {
    const text = transcriptLine(clockTime(line.startMs), nameOf(line), line.text)
    return { text, tokens: estimateTokens(text).likely }
  })
  const given = chosenRows(rows, question, maxTokens)
  return {
    text: given.map(({ text }) => text).join('\n'),
    tokens: given.reduce((sum, { tokens }) => sum + tokens, 0),
  }
}

interface Row {
  readonly text: string
  readonly tokens: number
}

/** The rows that fit, in order of time. */
function chosenRows(rows: readonly Row[], question: string, maxTokens: number): readonly Row[] {
  if (rows.reduce((sum, { tokens }) => sum + tokens, 0) <= maxTokens) return rows
  const topic = new Set(queryTokens(question))
  const best = rows
    .map(({ text }, at) => ({
      at,
      shared: queryTokens(text).filter((one) => topic.has(one)).length,
    }))
    .toSorted((a, b) => b.shared - a.shared || a.at - b.at)
  const chosen = new Set<number>()
  let left = maxTokens
  for (const { at } of best)
    // A line is understood with the one before and the one after it.
    for (const near of [at, at - 1, at + 1]) {
      const row = rows[near]
      if (!row || chosen.has(near) || row.tokens > left) continue
      chosen.add(near)
      left -= row.tokens
    }
  return rows.filter((_, at) => chosen.has(at))
}
