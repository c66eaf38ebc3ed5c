import type { Span } from '../../../../shared/model/meeting.ts'
import { isSimilarText } from './similar-text.ts'
import type { TimedText } from './lines.ts'
import { plainWords, weightOf, wordsOf } from './word-units.ts'

/** Time tolerance: loudspeakers reach the microphone at once, but times inside a segment are estimated. */
const windowMs = 4_000
/** Minimum length in words: both sides may say shorter texts ("yes, thank you"); characters without spaces count half. */
const minWeight = 4

/**
 * Returns which lines of the microphone repeat what the others said at the same moment, because the microphone picked up the
 * loudspeakers (service-notes 17.4). Only text is conclusive; the audio of real speech correlates as well.
 */
export function echoesOf(
  mine: readonly TimedText[],
  others: readonly TimedText[],
): readonly boolean[] {
  return mine.map((line) => {
    const words = wordsOf(line.text)
    if (weightOf(words) < minWeight) return false
    const near = others.filter((other) => isNear(line, other))
    // Lines are split differently on the other side: what counts is whether the words occur there in sequence.
    const text = near.flatMap((other) => plainWords(other.text))
    return isSimilarText(
      words.map((word) => word.text),
      text,
    )
  })
}

const isNear = (a: Span, b: Span): boolean =>
  a.startMs < b.endMs + windowMs && b.startMs < a.endMs + windowMs
