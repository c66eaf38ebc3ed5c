import { isCommon } from './common-words.ts'
import { wordsOf, weightOf, type Word } from './word-units.ts'

/** Most that the overlap of two segments holds: six words, or twelve characters of a script without spaces (service-notes 17.2). */
const maxOverlapLength = 6
/** Fewer matching words may be chance: two words, or four characters. */
const minMatch = 2
/** Words the overlap may hold beyond the copy, on either side: what one engine heard and the other did not. */
const strayWords = 1

/** What two texts over a cut in speech share. UTF-16 offsets. */
export interface Seam {
  /** The copy ends here in the right text: what is in front of it stands on the left as well. */
  readonly rightFrom: number
  /** The copy begins here in the left text. */
  readonly leftTo: number
  /** Something is alike, but not enough to take words away: both stay, and somebody may look. */
  readonly unsure: boolean
}

/**
 * Finds the words that both sides of a forced cut heard. Whole words only, in order, one edit for each; a copy is found only
 * when two words (four characters) match. Taking away what was said is the worse error.
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
  /** Where the copy begins on the left. */
  readonly from: number
  /** Words that match letter by letter. */
  readonly exact: number
}

/** The longest end of the tail that the head begins with. */
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

/** One word alone says something when it is long. */
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

/** Equal, or one letter apart in words of at least four. */
function isSimilar(a: string, b: string): boolean {
  if (a === b) return true
  if (Math.min(a.length, b.length) < 4 || Math.abs(a.length - b.length) > 1) return false
  let start = 0
  while (start < a.length && a[start] === b[start]) start += 1
  let end = 0
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end += 1
  return Math.max(a.length, b.length) - start - end <= 1
}

/** Marks that end a sentence, and what may stand behind them. */
const sentenceEnd = /[.!?。！？…]["'”’」』)）\]]*$/

/**
 * The right text without the capital that an engine gives to any beginning: only for a common word, behind a left text that
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
