import type { FormulaTrouble } from '../formula.ts'

/** What an answer says of itself, in the reader's language. */
export interface AnswerWords {
  readonly source: (number: number) => string
  readonly pictureAway: string
  readonly table: string
  readonly code: string
  readonly copy: string
  readonly formula: Readonly<Record<FormulaTrouble, string>>
}
