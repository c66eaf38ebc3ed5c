import type { Span } from '../model/meeting.ts'

/** A word of a text with the time it was probably said at. */
export interface TimedWord extends Span {
  /** UTF-16 offsets in the text; the end is not part of it. */
  readonly from: number
  readonly to: number
}

/** A text of which only the stretch of sound is known, and where in it somebody speaks. */
export interface SpokenText {
  readonly text: string
  readonly span: Span
  /** In order, without overlaps; what lies outside the span is left out. Empty: the whole span counts as voice. */
  readonly voiced: readonly Span[]
}

/** A word of scripts with spaces, or one character of those without, with the marks behind it. */
const words = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+/gu

/** What is said of a text: marks and spaces take no time. A Han character is a syllable, about three letters long. */
function weightOf(text: string): number {
  let weight = 0
  for (const character of text) {
    if (/\p{Script=Han}/u.test(character)) weight += 3
    else if (/[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(character)) weight += 2
    else if (/[\p{L}\p{N}]/u.test(character)) weight += 1
  }
  return weight
}

/**
 * Estimates when each word was said: the characters are spread over the milliseconds with voice (notes 5.7). Whole milliseconds; the
 * words come in order and never before or behind the voice. A text without letters has no words.
 */
export function wordTimes(spoken: SpokenText): readonly TimedWord[] {
  const at = clockOf(spoken)
  return Array.from(spoken.text.matchAll(words), (match) => {
    const from = match.index
    const to = from + match[0].length
    return { from, to, startMs: at(from, 'start'), endMs: at(to, 'end') }
  }).filter((word) => weightOf(spoken.text.slice(word.from, word.to)) > 0)
}

/** Estimates when the text reaches an offset, as {@link wordTimes} does: at a word's beginning, the moment it begins. */
export function timeAtOffset(spoken: SpokenText, offset: number): number {
  return clockOf(spoken)(offset, 'start')
}

/** The offset of the word that is probably said at a moment; the last one that began. 0 for a text without words. */
export function offsetAtTime(spoken: SpokenText, ms: number): number {
  return wordTimes(spoken).findLast((word) => word.startMs <= ms)?.from ?? 0
}

type Clock = (offset: number, edge: 'start' | 'end') => number

function clockOf({ text, span, voiced }: SpokenText): Clock {
  const inside = voiced
    .map(({ startMs, endMs }) => ({
      startMs: Math.max(span.startMs, startMs),
      endMs: Math.min(span.endMs, endMs),
    }))
    .filter(({ startMs, endMs }) => endMs > startMs)
  const spans = inside.length > 0 ? inside : [span]
  const total = spans.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0)
  const whole = weightOf(text)
  return (offset, edge) => {
    const share = whole === 0 ? 0 : weightOf(text.slice(0, Math.max(0, offset))) / whole
    return momentOf(spans, share * total, edge)
  }
}

/** The moment after so much voice. Where a pause begins just then, a word ends in front of it and the next begins behind it. */
function momentOf(spans: readonly Span[], voiceMs: number, edge: 'start' | 'end'): number {
  let left = voiceMs
  for (const [i, { startMs, endMs }] of spans.entries()) {
    const length = endMs - startMs
    const here = edge === 'end' ? left <= length : left < length
    if (here || i === spans.length - 1) return Math.round(startMs + Math.min(left, length))
    left -= length
  }
  return 0
}
