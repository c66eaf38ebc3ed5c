import type { Segment } from '../../../../../shared/model/meeting.ts'
import { fold } from '../../../../../shared/text/fold.ts'

/** Maximum length of earlier text used as context, in UTF-16 units: more adds nothing and promotes loops. */
const maxContextLength = 400
/** Length of sufficient earlier text; a second segment is added only below it. */
const enough = 200
/** Pause after which earlier speech is unrelated to what follows, in milliseconds. */
const maxPauseMs = 20_000

/** Text of an earlier segment on the same channel. */
interface Earlier {
  readonly segment: Pick<Segment, 'id' | 'startMs' | 'endMs' | 'state' | 'flags'>
  readonly text: string
}

/**
 * Returns the prompt of a segment: the meeting's own prompt, and the end of the last one or two texts of the channel
 * (service-notes 17.3). No earlier text is included after a pause of 20 s, or if the directly preceding segment (`beforeId`) has
 * no reliable text. `earlier` newest first; `mostChars` is the provider's limit.
 */
export function promptFor(
  own: string,
  segment: Pick<Segment, 'startMs'>,
  beforeId: string | null,
  earlier: readonly Earlier[],
  maxChars: number,
): string {
  const base = own.trim().slice(0, maxChars)
  const context = contextOf(segment, beforeId, earlier)
  if (context === '') return base
  const room = maxChars - base.length - 1
  if (base === '') return tail(context, maxChars)
  return room < 20 ? base : `${base}\n${tail(context, room)}`
}

function contextOf(
  segment: Pick<Segment, 'startMs'>,
  beforeId: string | null,
  earlier: readonly Earlier[],
): string {
  const texts: string[] = []
  let { startMs } = segment
  for (const [index, one] of earlier.slice(0, 2).entries()) {
    if (index === 0 && one.segment.id !== beforeId) break
    if (!isTrusted(one) || startMs - one.segment.endMs > maxPauseMs) break
    texts.unshift(one.text.trim())
    startMs = one.segment.startMs
    if (one.text.length >= enough) break
  }
  return tail(texts.join(' ').trim(), maxContextLength)
}

/** Flags of a seam: a word may occur twice, which does no harm. */
const harmless: ReadonlySet<string> = new Set(['seam', 'seam-unsure'])

const isTrusted = ({ segment, text }: Earlier): boolean =>
  segment.state === 'done' &&
  text.trim() !== '' &&
  segment.flags.every((flag) => harmless.has(flag))

/** The end of a text, from the start of a word or character. */
function tail(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text
  const cut = text.slice(text.length - maxChars)
  const space = cut.search(/\s/)
  const whole = space >= 0 && space < 40 ? cut.slice(space + 1) : cut
  return whole.replace(/^[\uDC00-\uDFFF]/, '')
}

/**
 * Ranks the hotwords, at most `most`: those that were transcribed incorrectly before come first (`learned`), then the others as
 * given. Spellings that fold to the same word are merged.
 */
export function rankHotwords(
  given: readonly string[],
  learned: readonly string[],
  maxWords: number,
): readonly string[] {
  const wrong = new Set(learned.map(fold))
  const seen = new Set<string>()
  const words = given.filter((word) => {
    const plain = fold(word)
    if (word.trim() === '' || seen.has(plain)) return false
    seen.add(plain)
    return true
  })
  if (words.length <= maxWords) return words
  const first = words.filter((word) => wrong.has(fold(word)))
  const rest = words.filter((word) => !wrong.has(fold(word)))
  return [...first, ...rest].slice(0, maxWords)
}
