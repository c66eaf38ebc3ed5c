/** Longest title that a content gives, in characters. */
const maxTitleChars = 120
/** Longest text of one reading that is searched, in characters. */
const maxTextChars = 32_000

/** The first line that says something, cut to a title; empty when none does. */
export function titleFrom(texts: readonly string[]): string {
  for (const text of texts) {
    const line = text.split('\n').find((one) => /[\p{L}\p{N}]/u.test(one))
    const plain = line?.replace(/^[\s#>*-]+/, '').trim() ?? ''
    if (plain !== '')
      return plain.length > maxTitleChars
        ? `${plain.slice(0, maxTitleChars - 1).toWellFormed()}…`
        : plain
  }
  return ''
}

/** What is searched of texts: all of them, as far as a list can be looked through at once. */
export const textFrom = (texts: readonly string[]): string =>
  texts
    .filter((text) => text !== '')
    .join('\n')
    .slice(0, maxTextChars)
    .toWellFormed()
