import { createSteppingCleaner, type SteppingCleaner } from '../clean.ts'
import { createGrammar, type Grammar } from './grammar.ts'

/** What all answers of a page are read and cleaned with. */
export interface AnswerKit {
  readonly grammar: Grammar
  readonly clean: SteppingCleaner
}

/** Builds it; a page needs one. */
export const createAnswerKit = (): AnswerKit => ({
  grammar: createGrammar(),
  clean: createSteppingCleaner(window),
})
