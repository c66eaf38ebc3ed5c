import { createSmallCleaner, createSteppingCleaner, type SteppingCleaner } from '../clean.ts'
import { createCodeColors, type CodeColors } from './code-colors.ts'
import { createDiagrams, type Diagrams, type DiagramProblem } from './diagram.ts'
import { createGrammar, type Grammar } from './grammar.ts'
import type { FormulaProblem } from '../formula.ts'

/** Shared parser and sanitizer for all answers of a page. */
export interface AnswerKit {
  readonly grammar: Grammar
  readonly clean: SteppingCleaner
  readonly colors: CodeColors
  readonly diagrams: Diagrams
}

/** Characters of HTML that are sanitized at once. */
const smallLetters = 4000

/** Creates a cleaner optimized for many small pieces, the majority in answers. */
function createAnswerCleaner(): SteppingCleaner {
  const small = createSmallCleaner(window)
  const stepping = createSteppingCleaner(window)
  return function* clean(html) {
    return (html.length <= smallLetters && small(html)) || (yield* stepping(html))
  }
}

/** Creates the kit; a page needs one. */
export const createAnswerKit = (): AnswerKit => ({
  grammar: createGrammar(),
  clean: createAnswerCleaner(),
  colors: createCodeColors(
    () => new Worker(new URL('./code-colors.worker.ts', import.meta.url), { type: 'module' }),
  ),
  diagrams: createDiagrams(),
})

/** Translated text in an answer. */
export interface AnswerLabels {
  /** Name of a chip; `place` is '' if unknown. */
  readonly source: (number: number, place: string) => string
  readonly time: (time: string) => string
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

let kit: AnswerKit | null = null

/** Returns the parser and sanitizer shared by all answers of the page; created when the first one is shown. */
export const answerKit = (): AnswerKit => (kit ??= createAnswerKit())
