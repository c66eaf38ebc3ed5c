/** A part of a text: matched or not. */
export interface TextPart {
  readonly text: string
  readonly hit: boolean
}

/** A part of the difference of two texts. */
export interface DiffPart {
  readonly kind: 'same' | 'removed' | 'added'
  readonly text: string
}

/** Splits a text at the given ranges (UTF-16 units, in order); trims ranges that overlap or are out of bounds. */
export function splitByRanges(
  text: string,
  ranges: readonly (readonly [start: number, end: number])[],
): TextPart[] {
  const parts: TextPart[] = []
  let at = 0
  for (const [from, to] of ranges) {
    const start = Math.max(at, Math.min(from, text.length))
    const end = Math.min(to, text.length)
    if (end <= start) continue
    if (start > at) parts.push({ text: text.slice(at, start), hit: false })
    parts.push({ text: text.slice(start, end), hit: true })
    at = end
  }
  if (at < text.length) parts.push({ text: text.slice(at), hit: false })
  return parts
}

/** Splits a query like the search does: quoted phrases as a whole, otherwise by spaces. */
export function queryTerms(query: string): string[] {
  return [...query.matchAll(/"([^"]+)"|(\S+)/g)]
    .map((match) => (match[1] ?? match[2] ?? '').replace(/^[-+]|\*$/g, ''))
    .filter((term) => term !== '')
}

/**
 * Finds the words of a query in a text, to show the matches in an opened item: ignores case, accents and width, and matches at
 * word beginnings in spaced scripts. Offsets are UTF-16 units of `text`.
 */
export function findMatches(text: string, query: string): (readonly [number, number])[] {
  const terms = queryTerms(query).map((term) => fold(term).text)
  if (terms.length === 0) return []
  const { text: folded, origin } = fold(text)
  const found: [number, number][] = []
  for (const term of terms) {
    if (term === '') continue
    const spaced =
      /^[\p{L}\p{N}]/u.test(term) && !/^[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]/u.test(term)
    for (let at = folded.indexOf(term); at !== -1; at = folded.indexOf(term, at + 1)) {
      if (spaced && at > 0 && /[\p{L}\p{N}]/u.test(folded[at - 1] ?? '')) continue
      const start = origin[at] ?? 0
      const end = origin[at + term.length] ?? text.length
      found.push([start, end])
    }
  }
  return merge(found.toSorted((a, b) => a[0] - b[0] || a[1] - b[1]))
}

function merge(ranges: readonly (readonly [number, number])[]): [number, number][] {
  const merged: [number, number][] = []
  for (const [start, end] of ranges) {
    const last = merged.at(-1)
    if (last && start < last[1]) last[1] = Math.max(last[1], end)
    else merged.push([start, end])
  }
  return merged
}

/** Text without case, accents and width, with the original position of each of its UTF-16 units. */
function fold(text: string): { readonly text: string; readonly origin: readonly number[] } {
  let folded = ''
  const origin: number[] = []
  let at = 0
  for (const character of text) {
    const plain = character.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
    for (let unit = 0; unit < plain.length; unit++) origin.push(at)
    folded += plain
    at += character.length
  }
  origin.push(at)
  return { text: folded, origin }
}

/** Returns the first words of a text, on one line. */
export function firstWords(text: string): string {
  const line = text
    .slice(0, 4 * lineChars)
    .replaceAll(/\s+/g, ' ')
    .trim()
  return line.length > lineChars ? `${line.slice(0, lineChars)}…` : line
}

/** Maximum characters in a step's line. */
const lineChars = 160

/** Returns the last words of a growing text, on one line. */
export function lastLineOf(text: string): string {
  const lines = text
    .slice(-4 * lineChars)
    .trimEnd()
    .split('\n')
  const last = (lines.at(-1) ?? '').replaceAll(/\s+/g, ' ').trim()
  return last.length > lineChars ? `…${last.slice(-lineChars)}` : last
}
