import { deflateSync } from 'node:zlib'
import type { Word } from '../word-units.ts'

/** Maximum length of a group of words whose direct repetition is detected. */
const maxGroupLength = 40
/** Number of consecutive repetitions that make a loop (service-notes 17.3). */
const times = 3
/**
 * Minimum number of words in the repetition. People repeat fewer: "no no no", "ha ha ha ha", counting, 对对对对对. A refrain
 * of four words three times exceeds it, and is flagged at worst.
 */
const minWords = 8

/** Minimum share of the text that the repetition must cover. */
const minShare = 1 / 3

/** Whether a group of words occurs three or more times in a row, and this is a large part of the text. */
export function repeatsItself(words: readonly Pick<Word, 'text'>[]): boolean {
  for (let size = 1; size <= Math.min(maxGroupLength, Math.floor(words.length / times)); size++) {
    // Consecutive words that equal the word `size` places before them.
    let same = 0
    for (let at = size; at < words.length; at++) {
      same = words[at]?.text === words[at - size]?.text ? same + 1 : 0
      const covered = same + size
      const long = covered >= minWords && covered >= words.length * minShare
      if (long && same >= size * (times - 1)) return true
    }
  }
  return false
}

/** Bytes of UTF-8 below which zlib's own overhead dominates. */
const minBytes = 120
/** Maximum compression ratio: ordinary speech compresses to about half; Whisper's own limit is 2.4. */
const maxRatio = 2.4

/** Whether the text compresses so well that it must be repetitive (Whisper's rule: more than 2.4 times). */
export function deflatesTooWell(text: string): boolean {
  const bytes = Buffer.from(text.trim(), 'utf8')
  return bytes.length >= minBytes && bytes.length / deflateSync(bytes).length > maxRatio
}
