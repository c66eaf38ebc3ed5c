/** Words, and characters, of a phrase at most: enough to be found once, and short enough to stand on one line. */
const maxWords = 6
const maxChars = 40

/**
 * A phrase of a text from a place on, as a query that finds it whole: where a hit by meaning opens, nothing of the question may stand. It ends at the line's end,
 * and holds no quotation mark.
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
