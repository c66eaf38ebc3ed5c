import { isCommon } from './common-words.ts'
import { wordsOf, weightOf, type Word } from './word-units.ts'

/** Maximum overlap of two segments: six words, or twelve characters of a script without spaces (service-notes 17.2). */
const maxOverlapLength = 6
/** Minimum number of matching words, since fewer may be chance: two words, or four characters. */
const minMatch = 2
/** Words that the overlap may contain in addition to the copy, on either side: recognized on one side only. */
const strayWords = 1

/** Shared text of two segments at a cut in speech. UTF-16 offsets. */
interface Seam {
  /** End of the copy in the right text: everything before it is also on the left. */
  readonly rightFrom: number
  /** Start of the copy in the left text. */
  readonly leftTo: number
  /** Whether the texts are similar, but not enough to remove words: both stay, for review. */
  readonly unsure: boolean
}

/**
 * Finds the words that were transcribed on both sides of a forced cut. Whole words only, in order, one edit for each; a copy is
 * found only if two words (four characters) match. Removing words that were said is the worse error.
 */
export function findSeam(left: string, right: string): Seam {
  const tail = lastOf(wordsOf(left))
  const head = firstOf(wordsOf(right))
  let isUncertain = false
  for (let skipLeft = 0; skipLeft <= strayWords; skipLeft++) {
    for (let skipRight = 0; skipRight <= strayWords; skipRight++) {
      const found = longestCopy(tail.slice(0, tail.length - skipLeft), head.slice(skipRight))
      if (!found) continue
      const clean = skipLeft === 0 && skipRight === 0
      if (clean && weightOf(found.copy) >= minMatch && found.exact > 0) {
        return { rightFrom: endOf(found.copy), leftTo: found.from, unsure: false }
      }
      if (weightOf(found.copy) >= minMatch || (clean && isDistinctive(found.copy)))
        isUncertain = true
    }
  }
  return { rightFrom: 0, leftTo: left.length, unsure: isUncertain }
}

interface Copy {
  /** The words on the right. */
  readonly copy: readonly Word[]
  /** Start of the copy on the left. */
  readonly from: number
  /** Number of words that match exactly. */
  readonly exact: number
}

/** The longest suffix of the tail that is a prefix of the head. */
function longestCopy(tail: readonly Word[], head: readonly Word[]): Copy | null {
  for (let length = Math.min(tail.length, head.length); length > 0; length--) {
    const start = tail.slice(tail.length - length)
    const copy = head.slice(0, length)
    const same = copy.every((word, at) => isSimilar(start[at]?.text ?? '', word.text))
    if (!same) continue
    const exact = copy.filter((word, at) => start[at]?.text === word.text).length
    return { copy, from: start[0]?.start ?? 0, exact }
  }
  return null
}

const endOf = (words: readonly Word[]): number => words.at(-1)?.end ?? 0

/** Whether a single word is significant because it is long. */
const isDistinctive = (words: readonly Word[]): boolean =>
  words.some(({ text, single }) => !single && text.length >= 5)

const lastOf = (words: readonly Word[]): readonly Word[] => {
  let from = words.length
  for (let weight = 0; from > 0; from--) {
    weight += words[from - 1]?.single ? 0.5 : 1
    if (weight > maxOverlapLength) break
  }
  return words.slice(from)
}

const firstOf = (words: readonly Word[]): readonly Word[] => {
  let to = 0
  for (let weight = 0; to < words.length; to++) {
    weight += words[to]?.single ? 0.5 : 1
    if (weight > maxOverlapLength) break
  }
  return words.slice(0, to)
}

/** Whether words are equal, or one letter apart if they have at least four. */
function isSimilar(a: string, b: string): boolean {
  if (a === b) return true
  if (Math.min(a.length, b.length) < 4 || Math.abs(a.length - b.length) > 1) return false
  let start = 0
  while (start < a.length && a[start] === b[start]) start += 1
  let end = 0
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end += 1
  return Math.max(a.length, b.length) - start - end <= 1
}

/** Sentence-ending punctuation, and closing marks after it. */
const sentenceEnd = /[.!?。！？…]["'”’」』)）\]]*$/

/**
 * The right text without the capital that an engine adds to every beginning: only for a common word, after a left text that
 * ends inside a sentence.
 */
export function withoutFalseCapital(left: string, right: string): string {
  const plain = left.trim()
  if (plain === '' || sentenceEnd.test(plain)) return right
  const [word = ''] = /^\p{Lu}\p{Ll}*(?=\s|$|[,;])/u.exec(right) ?? []
  return word !== '' && word !== 'I' && isCommon(word)
    ? word.toLowerCase() + right.slice(word.length)
    : right
}
