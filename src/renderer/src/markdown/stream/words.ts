import type { FormulaTrouble } from '../formula.ts'
import type { DiagramTrouble } from './diagram.ts'

/** What an answer says of itself, in the reader's language. */
export interface AnswerWords {
  readonly source: (number: number) => string
  readonly pictureAway: string
  readonly table: string
  readonly code: string
  readonly copy: string
  readonly copied: string
  /** What shows all lines of long code, or its first ones. */
  readonly fold: string
  readonly diagram: Readonly<Record<DiagramTrouble | 'name' | 'source', string>>
  readonly formula: Readonly<Record<FormulaTrouble, string>>
}
