import type { Span } from '../../../../shared/model/meeting.ts'
import { isSimilarText } from './similar-text.ts'
import type { TimedText } from './lines.ts'
import { plainWords, weightOf, wordsOf } from './word-units.ts'

/** Speakers reach the microphone at once, but times inside a segment are estimated: this far apart may be the same moment. */
const windowMs = 4_000
/** Shorter texts are said by both sides ("yes, thank you"), in words; characters without spaces count half. */
const minWeight = 4

/**
 * Which lines of the microphone repeat what the others said at the same moment: their voice came in over the speakers
 * (service-notes 17.4). Only text tells; the sound of real speech correlates as well.
 */
export function echoesOf(mine: readonly TimedText[], others: readonly TimedText[]): readonly boolean[] {
  return mine.map((line) => {
    const words = wordsOf(line.text)
    if (weightOf(words) < minWeight) return false
    const near = others.filter((other) => isNear(line, other))
    // Lines are cut at other places on the other side: what counts is whether the words stand there in a row.
    const text = near.flatMap((other) => plainWords(other.text))
    return isSimilarText(
      words.map((word) => word.text),
      text,
    )
  })
}

const isNear = (a: Span, b: Span): boolean =>
  a.startMs < b.endMs + windowMs && b.startMs < a.endMs + windowMs
