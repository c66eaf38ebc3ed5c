import type { Line, Span } from '../../../../shared/model/meeting.ts'
import { timeAtOffset, wordTimes, type SpokenText } from '../../../../shared/text/word-times.ts'

const spokenOf = (line: Line, voiced: readonly Span[]): SpokenText => ({
  text: line.text,
  span: line,
  voiced,
})

/** The word of a line that is probably said at a moment, as UTF-16 offsets; null outside the line. */
export function wordAt(
  line: Line,
  atMs: number,
  voiced: readonly Span[],
): readonly [start: number, end: number] | null {
  if (atMs < line.startMs || atMs >= line.endMs) return null
  const word = wordTimes(spokenOf(line, voiced)).findLast(({ startMs }) => startMs <= atMs)
  return word ? [word.from, word.to] : null
}

/** When the word around an offset of a line is probably said, in milliseconds. */
export function momentOfOffset(line: Line, offset: number, voiced: readonly Span[]): number {
  const spoken = spokenOf(line, voiced)
  const word = wordTimes(spoken).find(({ to }) => offset < to)
  return timeAtOffset(spoken, word?.from ?? offset)
}
