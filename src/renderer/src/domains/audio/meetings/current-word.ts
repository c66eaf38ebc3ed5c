import {
  maxSegmentMs,
  type Line,
  type Segment,
  type Span,
} from '../../../../../shared/model/meeting.ts'
import { offsetTime, wordTimes } from '../../../../../shared/text/word-times.ts'
import { lastBefore } from './in-order.ts'

/**
 * Returns the speech within a line, on its channel: a merged line covers several segments. `segments` are in order of time.
 */
export function voicedOfLine(
  segments: readonly Segment[],
  { startMs, endMs, channel }: Pick<Line, 'startMs' | 'endMs' | 'channel'>,
): readonly Span[] {
  const spans: Span[] = []
  // A segment that overlaps the line begins no earlier than its own length before it.
  const first = lastBefore(segments, startMs - maxSegmentMs - 1) + 1
  for (let at = first; at < segments.length; at++) {
    const segment = segments[at]
    if (!segment || segment.startMs >= endMs) break
    if (segment.channel === channel && segment.endMs > startMs) spans.push(...segment.voiced)
  }
  return withoutOverlap(spans)
}

/** Merges overlapping segments of a forced split: speech in both counts once. */
function withoutOverlap(spans: readonly Span[]): readonly Span[] {
  const apart: Span[] = []
  for (const { startMs, endMs } of spans) {
    const from = Math.max(startMs, apart.at(-1)?.endMs ?? 0)
    if (endMs > from) apart.push({ startMs: from, endMs })
  }
  return apart
}

/** Returns the word of a line that is probably spoken at a moment, as UTF-16 offsets; null outside the line. */
export function wordAt(
  line: Line,
  atMs: number,
  voiced: readonly Span[],
): readonly [start: number, end: number] | null {
  if (atMs < line.startMs || atMs >= line.endMs) return null
  const word = wordTimes(line.text, line, voiced).findLast(({ startMs }) => startMs <= atMs)
  return word ? [word.from, word.to] : null
}

/**
 * Returns when the word at an offset of a line is probably spoken, in milliseconds; after the last word, when that word is:
 * the end of the line is the start of the next one.
 */
export function momentOfOffset(line: Line, offset: number, voiced: readonly Span[]): number {
  const words = wordTimes(line.text, line, voiced)
  const word = words.find(({ to }) => offset < to) ?? words.at(-1)
  return word?.startMs ?? offsetTime(line.text, offset, line, voiced)
}
