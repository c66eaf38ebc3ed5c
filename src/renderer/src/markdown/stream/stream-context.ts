import { createSmallCleaner, createSteppingCleaner, type SteppingCleaner } from '../clean.ts'
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

/** Letters of HTML that are cleaned in one go. */
const smallLetters = 4000

/** Most pieces of answers are small, and there are many of them. */
function createAnswerCleaner(): SteppingCleaner {
  const small = createSmallCleaner(window)
  const stepping = createSteppingCleaner(window)
  return function* clean(html) {
    return (html.length <= smallLetters && small(html)) || (yield* stepping(html))
  }
}

/** Builds it; a page needs one. */
export const createAnswerKit = (): AnswerKit => ({
  grammar: createGrammar(),
  clean: createAnswerCleaner(),
  colors: createCodeColors(
    () => new Worker(new URL('./code-colors.worker.ts', import.meta.url), { type: 'module' }),
  ),
  diagrams: createDiagrams(),
})
