import type { SummaryLanguage } from './templates.ts'

/** Maximum number of characters considered: a meeting rarely changes its language. */
const maxChars = 20_000

/**
 * Returns the language for a transcript's summary: Chinese if at least half of the words are in Han characters, otherwise
 * English.
 */
export function transcriptLanguage(lines: readonly { readonly text: string }[]): SummaryLanguage {
  let han = 0
  let words = 0
  let chars = 0
  for (const { text } of lines) {
    han += text.match(/\p{Script=Han}/gu)?.length ?? 0
    words += text.match(/\p{Script=Latin}+/gu)?.length ?? 0
    chars += text.length
    if (chars > maxChars) break
  }
  // A Chinese word has about two characters.
  return han > 0 && han / 2 >= words ? 'zh' : 'en'
}
