const han = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef]/u

/** Returns whether two adjacent characters are written without a space: Han, Kana and their punctuation. */
const closed = (before: string, after: string): boolean => {
  const last = before.at(-1) ?? ''
  const first = String.fromCodePoint(after.codePointAt(0) ?? 0)
  return han.test(last) && han.test(first)
}

/** Joins two fragments of one line, with a space between them where needed. */
export function joinFragments(before: string, after: string, space: boolean): string {
  if (before === '' || after === '') return before + after
  if (!space || /\s$/.test(before) || /^\s/.test(after)) return before + after
  return closed(before, after) ? before + after : `${before} ${after}`
}

/**
 * Joins two lines of a paragraph: rejoins a word hyphenated at the line end, and omits the space between Han lines.
 */
function joinLines(before: string, after: string): string {
  const above = before.trimEnd()
  const below = after.trimStart()
  if (above === '' || below === '') return above + below
  if (above.endsWith('\u00ad')) return above.slice(0, -1) + below
  if (/\p{Ll}[-\u2010]$/u.test(above) && /^\p{Ll}/u.test(below)) return above.slice(0, -1) + below
  if (/\w[-\u2010]$/.test(above) && /^[\p{Lu}\d]/u.test(below)) return above + below
  return closed(above, below) ? above + below : `${above} ${below}`
}

/** Joins all lines of a paragraph into one text. */
export const joinAll = (lines: readonly string[]): string =>
  lines.reduce((text, line) => joinLines(text, line), '')
