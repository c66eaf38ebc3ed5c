import type { FormulaProblem } from '../formula.ts'
import type { DiagramProblem } from './diagram.ts'

/** What an answer says of itself, in the reader's language. */
export interface AnswerLabels {
  readonly source: (number: number) => string
  readonly pictureAway: string
  readonly table: string
  readonly code: string
  readonly copy: string
  readonly copied: string
  /** What shows all lines of long code, or its first ones. */
  readonly fold: string
  readonly diagram: Readonly<Record<DiagramProblem | 'name' | 'source', string>>
  readonly formula: Readonly<Record<FormulaProblem, string>>
}
