import type { Span } from '../model/meeting.ts'

/** Word of a text with the time at which it was probably spoken. */
interface TimedWord extends Span {
  /** UTF-16 offsets in the text; the end is exclusive. */
  readonly from: number
  readonly to: number
}

/** Word of scripts with spaces, or one character of those without. */
const words = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]|[^\s\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]+/gu
const syllable = /^[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]$/u
const letter = /^[\p{L}\p{N}]$/u

/** Returns the speaking duration of a text in letters: a syllabic character counts as three, punctuation and spaces as none. */
function weightOf(text: string): number {
  let weight = 0
  for (const character of text)
    weight += syllable.test(character) ? 3 : letter.test(character) ? 1 : 0
  return weight
}

/**
 * Estimates when each word of a text is spoken, given only the range of the audio and its voiced ranges: the characters are
 * distributed over the voiced milliseconds (service-notes 17.5). Whole milliseconds, in order, all within the span. Without
 * voiced ranges the whole span counts. A text without letters has no words.
 */
export function wordTimes(text: string, span: Span, voiced: readonly Span[]): readonly TimedWord[] {
  const spans = voicedIn(span, voiced)
  const scale = lengthOf(spans) / Math.max(1, weightOf(text))
  let spokenWeight = 0
  return Array.from(text.matchAll(words)).flatMap((match) => {
    const weight = weightOf(match[0])
    if (weight === 0) return []
    const startMs = momentOf(spans, spokenWeight * scale, 'start')
    spokenWeight += weight
    const endMs = momentOf(spans, spokenWeight * scale, 'end')
    return [{ from: match.index, to: match.index + match[0].length, startMs, endMs }]
  })
}

/**
 * Estimates when a text reaches a UTF-16 offset, in whole milliseconds, like {@link wordTimes}. If there is a pause at that
 * point, `start` returns its end, at which the next word begins, and `end` its beginning.
 */
export function offsetTime(
  text: string,
  offset: number,
  span: Span,
  voiced: readonly Span[],
  edge: Edge = 'start',
): number {
  const whole = weightOf(text)
  if (whole === 0) return span.startMs
  const spans = voicedIn(span, voiced)
  const share = weightOf(text.slice(0, Math.max(0, offset))) / whole
  return momentOf(spans, share * lengthOf(spans), edge)
}

/** Whether a time is the start or the end of something. */
type Edge = 'start' | 'end'

function voicedIn(span: Span, voiced: readonly Span[]): readonly Span[] {
  const inside = voiced
    .map(({ startMs, endMs }) => ({
      startMs: Math.max(span.startMs, startMs),
      endMs: Math.min(span.endMs, endMs),
    }))
    .filter(({ startMs, endMs }) => endMs > startMs)
  return inside.length > 0 ? inside : [span]
}

const lengthOf = (spans: readonly Span[]): number =>
  spans.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0)

/** Sums of fractions are never exact: this fraction of a millisecond counts as zero. */
const rounding = 1e-6

/** Returns the time after this much voice. */
function momentOf(spans: readonly Span[], voiceMs: number, edge: Edge): number {
  let left = voiceMs
  let moment = spans[0]?.startMs ?? 0
  for (const { startMs, endMs } of spans) {
    const length = endMs - startMs
    moment = Math.round(startMs + Math.min(left, length))
    if (edge === 'end' ? left <= length + rounding : left < length - rounding) return moment
    left = Math.max(0, left - length)
  }
  return moment
}
