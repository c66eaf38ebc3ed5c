/** Maximum length of a title derived from content, in characters. */
const maxTitleChars = 120
/** Maximum searchable text of one snapshot, in characters. */
const maxTextChars = 32_000

/** The first non-empty line, shortened to a title; empty if there is none. */
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

/** Searchable text: all texts, up to a limit that a list can be searched with at once. */
export const textFrom = (texts: readonly string[]): string =>
  texts
    .filter((text) => text !== '')
    .join('\n')
    .slice(0, maxTextChars)
    .toWellFormed()
