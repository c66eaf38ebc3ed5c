import type { CaptureEvent, Gap } from '../../shared/model/meeting.ts'
import type { JournalEntry } from './session-files.ts'

/** A gap before it has an id. */
export type FoundGap = Omit<Gap, 'id'>

/** What a journal tells of happenings, in their order. */
export const eventsIn = (entries: readonly JournalEntry[]): CaptureEvent[] =>
  entries.flatMap((entry) => (entry.t === 'event' ? entry.event : []))

/**
 * The gaps of a session of this length, by time; those of one kind that touch are one. What the writer itself noted (`lost`) gives
 * way to a gap that somebody could give a reason for.
 */
export function gapsOf(events: readonly CaptureEvent[], durationMs: number): FoundGap[] {
  const told = events
    .flatMap((event): FoundGap[] => {
      if (event.type !== 'gap') return []
      const { atMs: startMs, endMs, channel, reason } = event
      return [{ startMs, endMs: Math.min(endMs, durationMs), channel, reason }]
    })
    .filter((gap) => gap.endMs > gap.startMs)
    .toSorted((a, b) => a.startMs - b.startMs)
  const explained = told.filter((gap) => gap.reason !== 'lost')
  const gaps: FoundGap[] = []
  for (const gap of told) {
    if (gap.reason === 'lost' && explained.some((other) => covers(other, gap))) continue
    const same = gaps.findIndex(
      (other) =>
        other.reason === gap.reason && other.channel === gap.channel && other.endMs >= gap.startMs,
    )
    const before = gaps[same]
    if (before) gaps[same] = { ...before, endMs: Math.max(before.endMs, gap.endMs) }
    else gaps.push(gap)
  }
  return gaps
}

/** A block's length and rounding on both sides may lie between two accounts of the same gap. */
const slackMs = 250

const covers = (outer: FoundGap, inner: FoundGap): boolean =>
  (outer.channel === null || outer.channel === inner.channel) &&
  outer.startMs - slackMs <= inner.startMs &&
  outer.endMs + slackMs >= inner.endMs
