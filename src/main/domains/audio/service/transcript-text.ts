import { transcriptLine } from '../../../../shared/audio/transcript-text.ts'
import type { Line, Meeting } from '../../../../shared/model/meeting.ts'
import { partsForQuestion } from '../../../../shared/text/question-parts.ts'
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
 * about the question, with those next to them. The text is empty if not even one line fits; null if
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
  const parts = partsForQuestion(question)
  const rows = lines.map((line) => {
    const text = transcriptLine(clockTime(line.startMs), nameOf(line), line.text)
    return { text, tokens: estimateTokens(text).likely, shared: parts.sharedBy(text) }
  })
  const given = parts.choose(rows, maxTokens).flatMap((at) => rows[at] ?? [])
  return {
    text: given.map(({ text }) => text).join('\n'),
    tokens: given.reduce((sum, { tokens }) => sum + tokens, 0),
  }
}
