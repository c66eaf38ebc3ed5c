import type { SummaryLanguage } from './templates.ts'

/** Characters that are looked at: a meeting does not change its language for long. */
const maxChars = 20_000

/** The language to sum a transcript up in: Chinese when Han characters stand for at least half of what is said, else English. */
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
  // A Chinese word has two characters, more or less.
  return han > 0 && han / 2 >= words ? 'zh' : 'en'
}
