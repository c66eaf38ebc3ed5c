import { sentencesOf } from './sentences.ts'

/** A sentence of a transcript, or a point of an earlier answer. */
export interface Sentence {
  readonly text: string
  /** Who said it; empty for a point. */
  readonly speaker: string
  /** Lines it rests on. */
  readonly lines: readonly number[]
}

/** A point with the title of the section it stood under. */
export interface EarlierPoint extends Sentence {
  readonly title: string
}

/** Brackets would read as line numbers in the answer. */
const unbracketed = (text: string): string =>
  text.replaceAll(/[[【［]/gu, '(').replaceAll(/[\]】］]/gu, ')')

/** The sentences of numbered lines (`[12] 3:45 Name: words`); rows that are no such lines are left out. */
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

/** The points of earlier answers (`Title | words [3, 7]`). */
export function earlierPoints(rows: readonly string[]): readonly EarlierPoint[] {
  return rows.flatMap((row) => {
    const found = /^(.{0,200}?) \| (.*?)(?: \[([\d, ]*)\])?$/u.exec(row)
    if (!found) return []
    const [, title = '', words = '', numbers = ''] = found
    const lines = (numbers.match(/\d{1,7}/g) ?? []).map(Number)
    return [{ title, text: unbracketed(words), speaker: '', lines }]
  })
}
