import { isSingle } from '../word-units.ts'

/** Maximum characters per second of speech: of alphabets, and of scripts without spaces (service-notes 17.3). */
const lettersPerSecond = 25
const singlesPerSecond = 12
/** Minimum duration assumed, in seconds: voice activity misses the edges of words. */
const minSeconds = 1

/** Whether the text has more characters than anyone can say in this much voice. */
export function isTooFast(text: string, voicedMs: number): boolean {
  let needed = 0
  for (const character of text) {
    if (isSingle(character)) needed += 1 / singlesPerSecond
    else if (!/\s/.test(character)) needed += 1 / lettersPerSecond
  }
  return needed > Math.max(minSeconds, voicedMs / 1000)
}
