import { hardCuts } from './sentences.ts'

/**
 * Maximum number of characters in a passage of a text; longer ones are split, so that no processing step takes long.
 */
export const maxPassageChars = 65_536

/** Yields lines with their numbers from 1; one that is longer than a passage may be is split. */
export function* linesOf(text: string): Generator<readonly [number: number, line: string]> {
  let at = 0
  for (let number = 1; ; number++) {
    const end = text.indexOf('\n', at)
    const line = text.slice(at, end < 0 ? text.length : end)
    if (line.length > maxPassageChars)
      for (const part of hardCuts(line, maxPassageChars)) yield [number, part]
    else yield [number, line]
    if (end < 0) return
    at = end + 1
  }
}

/** Number of lines without content after which a reader reports that it is still working. */
const maxSilent = 4096

/** Returns whether a reader without a result on this line should report that it is working. */
export const isLong = (number: number): boolean => number % maxSilent === 0
