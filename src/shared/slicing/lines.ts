import { hardCuts } from './sentences.ts'

/** Characters of one passage of a text; longer ones are several, so that no step of the work on them takes long. */
export const maxPassageChars = 65_536

/** Lines with their numbers from 1; one that is longer than a passage may be comes in pieces. */
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

/** Lines of nothing after which a reader says that it is still at work. */
const maxSilent = 4096

/** Whether a reader that found nothing on this line should say that it is at work. */
export const isLong = (number: number): boolean => number % maxSilent === 0
