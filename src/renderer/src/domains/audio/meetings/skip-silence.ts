import type { Segment, Span } from '../../../../../shared/model/meeting.ts'

/** Minimum length of skipped silence, in milliseconds. */
const longSilenceMs = 1500
/** Silence played before speech, so that no word is cut off, in milliseconds. */
const leadMs = 200

/** Returns the speech on the played channels, as ranges that do not overlap. */
export function speechSpans(
  segments: readonly Segment[],
  isAudible: (channel: number) => boolean,
): readonly Span[] {
  const spans: { startMs: number; endMs: number }[] = []
  for (const { startMs, endMs, channel } of segments) {
    if (!isAudible(channel)) continue
    const last = spans.at(-1)
    if (last && startMs <= last.endMs) last.endMs = Math.max(last.endMs, endMs)
    else spans.push({ startMs, endMs })
  }
  return spans
}

/**
 * Returns where playback continues after a long silence; null if nothing is skipped. After the last speech it plays to the
 * end.
 */
export function skipTo(spans: readonly Span[], atMs: number): number | null {
  let low = 0
  let high = spans.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((spans[middle]?.endMs ?? 0) <= atMs) low = middle + 1
    else high = middle
  }
  const next = spans[low]
  if (!next || next.startMs <= atMs) return null
  const from = spans[low - 1]?.endMs ?? 0
  const to = next.startMs - leadMs
  // The end of speech is played completely before anything is skipped.
  if (next.startMs - from <= longSilenceMs || atMs < from + leadMs || atMs >= to) return null
  return to
}
