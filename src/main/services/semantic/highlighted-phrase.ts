/** Maximum words and characters of a phrase: enough to be unique, and short enough to fit on one line. */
const maxWords = 6
const maxChars = 40

/**
 * Returns a phrase of a text from an offset, as a query that finds it as a whole: a semantic result opens where no word
 * of the question may occur. It ends at the end of the line and contains no quotation mark.
 */
export function highlightedPhrase(text: string, offset: number): string {
  const line = text.slice(offset).split('\n', 1)[0] ?? ''
  const clean = line.split(/["“”„＂…]/u).find((part) => /[\p{L}\p{N}]/u.test(part)) ?? ''
  const words = clean.trim().split(/\s+/).slice(0, maxWords)
  let phrase = ''
  for (const word of words) {
    const longer = phrase === '' ? word : `${phrase} ${word}`
    if (phrase !== '' && longer.length > maxChars) break
    phrase = longer
  }
  const short = Array.from(phrase).slice(0, maxChars).join('')
  return short === '' ? '' : `"${short}"`
}
