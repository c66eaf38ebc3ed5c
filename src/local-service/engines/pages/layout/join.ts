const han = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef]/u

/** Whether two neighbours are written without a space: Han, Kana and their punctuation. */
const closed = (before: string, after: string): boolean => {
  const last = before.at(-1) ?? ''
  const first = String.fromCodePoint(after.codePointAt(0) ?? 0)
  return han.test(last) && han.test(first)
}

/** Two pieces of one line, with the space that stands between them. */
export function joinFragments(before: string, after: string, space: boolean): string {
  if (before === '' || after === '') return before + after
  if (!space || /\s$/.test(before) || /^\s/.test(after)) return before + after
  return closed(before, after) ? before + after : `${before} ${after}`
}

/** Two lines of one paragraph: a word that was cut at the line's end is whole again, Han lines stand without a space. */
export function joinLines(before: string, after: string): string {
  const above = before.trimEnd()
  const below = after.trimStart()
  if (above === '' || below === '') return above + below
  if (above.endsWith('\u00ad')) return above.slice(0, -1) + below
  if (/\p{Ll}[-\u2010]$/u.test(above) && /^\p{Ll}/u.test(below)) return above.slice(0, -1) + below
  if (/\w[-\u2010]$/.test(above) && /^[\p{Lu}\d]/u.test(below)) return above + below
  return closed(above, below) ? above + below : `${above} ${below}`
}

/** All lines of a paragraph as one text. */
export const joinAll = (lines: readonly string[]): string =>
  lines.reduce((text, line) => joinLines(text, line), '')
