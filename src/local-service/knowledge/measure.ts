import { textUnits } from '../../shared/text/cut.ts'
import { fold } from '../../shared/text/fold.ts'

/** Letters of one token on average, in scripts that write spaces. */
const lettersPerToken = 4

/** Words of a text (every character of scripts without spaces is one), and about as many tokens as models make of it. */
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
