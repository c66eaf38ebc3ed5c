import type { Segment, Span } from '../../../../shared/model/meeting.ts'

/** Stretches shorter than this are listened through, in milliseconds. */
export const longSilenceMs = 1500
/** How much is heard of the quiet in front of a voice, so that no word begins cut off, in milliseconds. */
const leadMs = 200

/** Where somebody speaks on the channels that are heard, as stretches that do not overlap. */
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

/** Where playing goes on when nobody speaks here for long; null when it plays on. Behind the last voice it plays to the end. */
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
  // The end of a voice is heard out before anything is left out.
  if (next.startMs - from <= longSilenceMs || atMs < from + leadMs || atMs >= to) return null
  return to
}
