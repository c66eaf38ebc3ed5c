import type { Block, Box } from '../../../shared/model/document.ts'

/** Properties by which two blocks are compared. */
export type Comparable = Pick<Block, 'content' | 'box'>

/** Intersection over union of two boxes, 0 to 1; null when one of them is missing. */
export function overlap(one: Box | null, other: Box | null): number | null {
  if (!one || !other) return null
  const across = Math.min(one[2], other[2]) - Math.max(one[0], other[0])
  const down = Math.min(one[3], other[3]) - Math.max(one[1], other[1])
  if (across <= 0 || down <= 0) return 0
  const shared = across * down
  return shared / (area(one) + area(other) - shared)
}

const area = ([left, top, right, bottom]: Box): number => (right - left) * (bottom - top)

/** Returns a text with normalized white space and Unicode composition. */
export const plainText = (text: string): string =>
  text.normalize('NFC').replace(/\s+/gu, ' ').trim()

/** Words; single characters of scripts without spaces; white space; every other character. */
const tokenPattern = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]|[\p{L}\p{N}\p{M}]+|\s+|[^]/gu

/** Splits a text into the tokens by which it is compared; joined, they are the text. */
export const tokensOf = (text: string): readonly string[] => text.match(tokenPattern) ?? []

/** Maximum number of characters compared for similarity; more would not change the result. */
const maxCompared = 1500

/** Frequency of each word in a text, case-insensitive. */
export interface WordCount {
  readonly words: ReadonlyMap<string, number>
  readonly total: number
}

/** Counts the words of a text for {@link sharedWords}. */
export function countWords(text: string): WordCount {
  const words = new Map<string, number>()
  let total = 0
  for (const token of tokensOf(text.slice(0, maxCompared).toLowerCase())) {
    if (token.trim() === '') continue
    words.set(token, (words.get(token) ?? 0) + 1)
    total += 1
  }
  return { words, total }
}

/** Returns an upper bound of {@link sharedWords}, from the lengths alone. */
export const sharedUpperBound = (one: WordCount, other: WordCount): number =>
  one.total + other.total === 0
    ? 1
    : (2 * Math.min(one.total, other.total)) / (one.total + other.total)

/** Returns the share of words that two texts have in common, 0 to 1; texts without words are equal. */
export function sharedWords(one: WordCount, other: WordCount): number {
  if (one.total + other.total === 0) return 1
  const [few, many] = one.words.size <= other.words.size ? [one, other] : [other, one]
  let shared = 0
  for (const [word, count] of few.words) shared += Math.min(count, many.words.get(word) ?? 0)
  return (2 * shared) / (one.total + other.total)
}
