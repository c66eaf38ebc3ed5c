import { textUnits } from '../../shared/text/cut.ts'
import { fold } from '../../shared/text/fold.ts'

/** Average letters per token in scripts that use spaces. */
const lettersPerToken = 4

/**
 * Counts the words of a text (in scripts without spaces, every character is one) and estimates its tokens.
 */
export function measure(text: string): { readonly words: number; readonly tokens: number } {
  let words = 0
  let tokens = 0
  for (const { kind, text: part } of textUnits(fold(text))) {
    const chars = kind === 'run' ? Array.from(part).length : 1
    words += chars
    tokens += kind === 'run' ? chars : Math.ceil(part.length / lettersPerToken)
  }
  return { words, tokens }
}
