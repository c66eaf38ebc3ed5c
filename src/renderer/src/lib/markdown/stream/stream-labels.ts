import type { FormulaProblem } from '../formula.ts'
import type { DiagramProblem } from './diagram.ts'

/** Translated text in an answer. */
export interface AnswerLabels {
  readonly source: (number: number) => string
  readonly imageAway: string
  readonly table: string
  readonly code: string
  readonly copy: string
  readonly copied: string
  /** Label of the button that expands or collapses long code. */
  readonly fold: string
  readonly diagram: Readonly<Record<DiagramProblem | 'name' | 'source', string>>
  readonly formula: Readonly<Record<FormulaProblem, string>>
}
