import { isSingle } from '../word-units.ts'

/** Characters a second that nobody speaks: of alphabets, and of scripts without spaces (service-notes 17.3). */
const lettersPerSecond = 25
const singlesPerSecond = 12
/** Voice activity misses the edges of words: a shorter stretch is not judged as shorter, in seconds. */
const minSeconds = 1

/** True when the text has more characters than anybody can say in so many milliseconds of voice. */
export function isTooFast(text: string, voicedMs: number): boolean {
  let needed = 0
  for (const character of text) {
    if (isSingle(character)) needed += 1 / singlesPerSecond
    else if (!/\s/.test(character)) needed += 1 / lettersPerSecond
  }
  return needed > Math.max(minSeconds, voicedMs / 1000)
}
