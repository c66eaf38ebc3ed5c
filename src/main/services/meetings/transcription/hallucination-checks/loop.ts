import { deflateSync } from 'node:zlib'
import type { Word } from '../word-units.ts'

/** Longest group of words that is looked for again right behind itself. */
const maxGroupLength = 40
/** A group that stands this often in a row is a loop (service-notes 17.3). */
const times = 3
/**
 * Words that the row must cover. Below it people repeat themselves: "no no no", "ha ha ha ha", counting, 对对对对对. A refrain
 * of four words three times is above it, and at worst flagged.
 */
const minWords = 8

/** The share of the text that the row must cover. */
const minShare = 1 / 3

/** True when some group of words stands three times or more in a row, and this is a good part of the text. */
export function repeatsItself(words: readonly Pick<Word, 'text'>[]): boolean {
  for (let size = 1; size <= Math.min(maxGroupLength, Math.floor(words.length / times)); size++) {
    // Words in a row that equal the word `size` places before them.
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

/** Bytes of UTF-8 below which zlib's own overhead decides. */
const minBytes = 120
/** Ordinary speech deflates to about half; Whisper's own limit is 2.4. */
const maxRatio = 2.4

/** True when the text deflates so well that it must repeat itself somehow (Whisper's rule: more than 2.4 times). */
export function deflatesTooWell(text: string): boolean {
  const bytes = Buffer.from(text.trim(), 'utf8')
  return bytes.length >= minBytes && bytes.length / deflateSync(bytes).length > maxRatio
}
