import { DocumentFailure } from './types.ts'
import type { Passage, Slice } from './types.ts'
import { joined } from './join.ts'

const question = /^\s*(?:q|question|问题?)\s*(?:\d+\s*)?[:：.、)）]\s*/i
const answer = /^\s*(?:a|answer|答案?)\s*(?:\d+\s*)?[:：.、)）]\s*/i

/** Returns the lines of a text passage with their line numbers. */
const linesOf = (passage: Passage): readonly Passage[] =>
  passage.text
    .split('\n')
    .map((text, i) => ({
      ...passage,
      text,
      line: passage.line === null ? null : passage.line + i,
    }))
    .filter(({ text }) => text.trim() !== '')

const asks = ({ text, level }: Passage, marked: boolean): boolean =>
  marked ? question.test(text) : level !== null || /[?？]\s*$/.test(text)

/**
 * Yields pairs of a question and its answer, one chunk each: rows of two or more columns, lines that begin with `Q:` and `A:`
 * (or 问 and 答), or lines that end with a question mark (and headings) with the text after them. Throws {@link
 * DocumentFailure} if there are none.
 */
export function* byQuestions(passages: readonly Passage[]): Generator<Slice> {
  const rows = passages.filter(({ cells }) => (cells?.length ?? 0) > 1)
  if (rows.length > 0) {
    for (const row of rows) {
      const text = (row.cells ?? []).map(([, value]) => value).join('\n')
      const slice = joined([row], [])
      // All its lines belong to the same row.
      const parts = text
        .split('\n')
        .flatMap((_, at) => slice.parts.map((part) => ({ ...part, at })))
      yield { ...slice, text, parts }
    }
    return
  }
  const lines = passages.flatMap((passage) =>
    passage.level === null ? linesOf(passage) : [passage],
  )
  const marked = lines.some(({ text }) => question.test(text))
  const pairs: Passage[][] = []
  for (const line of lines) {
    if (asks(line, marked)) pairs.push([line])
    else pairs.at(-1)?.push(line)
  }
  const whole = pairs.filter(({ length }) => length > 1)
  if (whole.length === 0)
    throw new DocumentFailure(10001, 'No questions with answers were found in the document')
  for (const pair of whole)
    yield joined(
      pair.map((line) => ({ ...line, text: line.text.replace(question, '').replace(answer, '') })),
      [],
    )
}
