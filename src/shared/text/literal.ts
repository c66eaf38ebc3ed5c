import { foldWithOffsets } from './fold.ts'
import { joinTexts } from './join.ts'
import type { Range } from './locate.ts'

/** How a text is compared with the words to replace. */
export interface LiteralOptions {
  /** Whether case, diacritics and the width of letters count. */
  readonly matchCase: boolean
  /** Whether a match begins and ends with a word; in scripts without spaces, a word of the system's dictionary. */
  readonly wholeWords: boolean
}

const words = new Intl.Segmenter(undefined, { granularity: 'word' })

/** Returns the matches of a text as it was typed, in reading order and without overlaps. */
export function literalMatches(
  text: string,
  query: string,
  { matchCase, wholeWords }: LiteralOptions,
): readonly Range[] {
  const found = (matchCase ? exactMatches : foldedMatches)(text, query)
  if (!wholeWords || found.length === 0) return found
  const edges = new Set([text.length])
  for (const { index } of words.segment(text)) edges.add(index)
  return found.filter(([start, end]) => edges.has(start) && edges.has(end))
}

function exactMatches(text: string, query: string): readonly Range[] {
  const ranges: Range[] = []
  if (query === '') return ranges
  for (let at = text.indexOf(query); at >= 0; at = text.indexOf(query, at + query.length))
    ranges.push([at, at + query.length])
  return ranges
}

function foldedMatches(text: string, query: string): readonly Range[] {
  const folded = foldWithOffsets(text)
  return exactMatches(folded.text, foldWithOffsets(query).text).flatMap(([from, to]): Range[] => {
    const start = folded.starts[from] ?? 0
    const end = folded.ends[to - 1] ?? 0
    // A match in the middle of a character with several folded letters, such as a ligature, is no place to write at.
    const isCut =
      (from > 0 && folded.starts[from - 1] === start) ||
      (to < folded.text.length && folded.ends[to] === end)
    return isCut ? [] : [[start, end]]
  })
}

/** Returns the number of matches that begin in one of these texts and end in the next one: none of them is in a single text. */
export function matchesAcross(
  texts: readonly string[],
  query: string,
  options: LiteralOptions,
): number {
  let count = 0
  let before = ''
  for (const text of texts.map((each) => each.trim())) {
    const joined = joinTexts([before, text])
    const after = joined.length - text.length
    count += literalMatches(joined, query, options).filter(
      ([start, end]) => start < before.length && end > after,
    ).length
    before = text
  }
  return count
}

/** Returns a text in which these ranges are replaced. */
export function replaceRanges(text: string, ranges: readonly Range[], replacement: string): string {
  let replaced = ''
  let at = 0
  for (const [start, end] of ranges) {
    replaced += text.slice(at, start) + replacement
    at = end
  }
  return replaced + text.slice(at)
}

/** A word that an edit replaced. */
interface ReplacedWord {
  readonly query: string
  readonly replacement: string
}

/**
 * Returns the word that an edit of a text replaced by one or more others; null for any other edit, and when the word is still
 * among them: the corrected text would match again.
 */
export function replacedWord(before: string, after: string): ReplacedWord | null {
  const old = [...words.segment(before)]
  const now = [...words.segment(after)]
  const isSame = (at: number, other: number): boolean =>
    old[at]?.segment === now[other]?.segment && at >= 0 && other >= 0
  let start = 0
  while (start < old.length && isSame(start, start)) start++
  let end = 0
  while (end < old.length - start && isSame(old.length - 1 - end, now.length - 1 - end)) end++
  const removed = old.slice(start, old.length - end)
  const added = now.slice(start, Math.max(start, now.length - end))
  const [word, ...more] = removed
  const isWord = word?.isWordLike === true && more.length === 0
  if (!isWord || !added.some(({ isWordLike }) => isWordLike)) return null
  const query = word.segment
  const replacement = added.map(({ segment }) => segment).join('')
  const isRepeated =
    literalMatches(replacement, query, { matchCase: true, wholeWords: true }).length > 0
  return isRepeated ? null : { query, replacement }
}
