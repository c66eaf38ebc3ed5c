import { sentencesOf } from './sentences.ts'

/** A sentence of a transcript, or a point of an earlier answer. */
export interface Sentence {
  readonly text: string
  /** Speaker; empty for a point. */
  readonly speaker: string
  /** Transcript lines it is based on. */
  readonly lines: readonly number[]
}

/** A point with the title of its section. */
export interface EarlierPoint extends Sentence {
  readonly title: string
}

/** Brackets would be parsed as line numbers in the answer. */
const unbracketed = (text: string): string =>
  text.replaceAll(/[[【［]/gu, '(').replaceAll(/[\]】］]/gu, ')')

/** Returns the sentences of numbered lines (`[12] 3:45 Name: words`); other rows are ignored. */
export function transcriptSentences(rows: readonly string[]): readonly Sentence[] {
  return rows.flatMap((row) => {
    const found = /^\[(\d{1,7})\] \d+(?::\d{2}){1,2} ([^:：]{0,120})[:：] ?(.*)$/u.exec(row)
    if (!found) return []
    const [, number = '', speaker = '', words = ''] = found
    return sentencesOf(unbracketed(words)).map((text) => ({
      text,
      speaker: unbracketed(speaker),
      lines: [Number(number)],
    }))
  })
}

/** Returns the points of earlier answers (`Title | words [3, 7]`). */
export function earlierPoints(rows: readonly string[]): readonly EarlierPoint[] {
  return rows.flatMap((row) => {
    const found = /^(.{0,200}?) \| (.*?)(?: \[([\d, ]*)\])?$/u.exec(row)
    if (!found) return []
    const [, title = '', words = '', numbers = ''] = found
    const lines = (numbers.match(/\d{1,7}/g) ?? []).map(Number)
    return [{ title, text: unbracketed(words), speaker: '', lines }]
  })
}
