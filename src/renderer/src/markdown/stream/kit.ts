import { createSteppingCleaner, type SteppingCleaner } from '../clean.ts'
import { createCodeColors, type CodeColors } from './code-colors.ts'
import { createDiagrams, type Diagrams } from './diagram.ts'
import { createGrammar, type Grammar } from './grammar.ts'

/** What all answers of a page are read and cleaned with. */
export interface AnswerKit {
  readonly grammar: Grammar
  readonly clean: SteppingCleaner
  readonly colors: CodeColors
  readonly diagrams: Diagrams
}

/** Builds it; a page needs one. */
export const createAnswerKit = (): AnswerKit => ({
  grammar: createGrammar(),
  clean: createSteppingCleaner(window),
  colors: createCodeColors(
    () => new Worker(new URL('./code-colors.worker.ts', import.meta.url), { type: 'module' }),
  ),
  diagrams: createDiagrams(),
})
