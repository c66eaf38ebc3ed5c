import type { Block, Box } from '../../../shared/model/document.ts'

/** What is looked at when two blocks are compared. */
export type Comparable = Pick<Block, 'content' | 'box'>

/** Share of two boxes that both cover, 0 to 1 (intersection over union); null when one of them is missing. */
export function overlap(one: Box | null, other: Box | null): number | null {
  if (!one || !other) return null
  const across = Math.min(one[2], other[2]) - Math.max(one[0], other[0])
  const down = Math.min(one[3], other[3]) - Math.max(one[1], other[1])
  if (across <= 0 || down <= 0) return 0
  const shared = across * down
  return shared / (area(one) + area(other) - shared)
}

const area = ([left, top, right, bottom]: Box): number => (right - left) * (bottom - top)

/** A text without what is only a matter of line breaks and of how characters are composed. */
export const plainText = (text: string): string =>
  text.normalize('NFC').replace(/\s+/gu, ' ').trim()

/** Words; single characters of scripts that write no spaces; white space; every other sign. */
const tokenPattern = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]|[\p{L}\p{N}\p{M}]+|\s+|[^]/gu

/** A text in the pieces it is compared by; together they are the text. */
export const tokensOf = (text: string): readonly string[] => text.match(tokenPattern) ?? []

/** Characters of a text that are looked at for likeness: more would say no more. */
const maxCompared = 1500

/** How often each word of a text stands in it, whatever its case. */
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

/** The most that {@link sharedWords} can give, told by lengths alone. */
export const sharedUpperBound = (one: WordCount, other: WordCount): number =>
  one.total + other.total === 0
    ? 1
    : (2 * Math.min(one.total, other.total)) / (one.total + other.total)

/** Share of words that two texts have in common, 0 to 1; texts without any are alike. */
export function sharedWords(one: WordCount, other: WordCount): number {
  if (one.total + other.total === 0) return 1
  const [few, many] = one.words.size <= other.words.size ? [one, other] : [other, one]
  let shared = 0
  for (const [word, count] of few.words) shared += Math.min(count, many.words.get(word) ?? 0)
  return (2 * shared) / (one.total + other.total)
}
