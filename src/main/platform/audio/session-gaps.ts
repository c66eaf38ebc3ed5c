import type { CaptureEvent, Gap } from '../../../shared/model/meeting.ts'
import type { JournalEntry } from './session-files.ts'

/** Gap before it has an ID. */
export type FoundGap = Omit<Gap, 'id'>

export const eventsIn = (entries: readonly JournalEntry[]): CaptureEvent[] =>
  entries.flatMap((entry) => (entry.t === 'event' ? entry.event : []))

/**
 * Returns the gaps of a session of this length, by time; touching gaps of one type are merged. Gaps noted by the writer itself
 * (`lost`) are replaced by gaps with a known reason.
 */
export function gapsOf(events: readonly CaptureEvent[], durationMs: number): FoundGap[] {
  const reportedGaps = events
    .flatMap((event): FoundGap[] => {
      if (event.type !== 'gap') return []
      const { atMs: startMs, endMs, channel, reason } = event
      return [{ startMs, endMs: Math.min(endMs, durationMs), channel, reason }]
    })
    .filter((gap) => gap.endMs > gap.startMs)
    .toSorted((a, b) => a.startMs - b.startMs)
  const isExplained = explainer(reportedGaps.filter((gap) => gap.reason !== 'lost'))
  const gaps: FoundGap[] = []
  // Index of the newest gap of each type: only that one can touch a gap that begins later.
  const newest = new Map<string, number>()
  for (const gap of reportedGaps) {
    if (gap.reason === 'lost' && isExplained(gap)) continue
    const kind = `${gap.reason} ${gap.channel}`
    const same = newest.get(kind) ?? -1
    const before = gaps[same]
    if (before && before.endMs >= gap.startMs)
      gaps[same] = { ...before, endMs: Math.max(before.endMs, gap.endMs) }
    else newest.set(kind, gaps.push(gap) - 1)
  }
  return gaps
}

/** A block's length and rounding on both sides may lie between two records of the same gap. */
const slackMs = 250

/** Returns a check for whether one of these gaps covers another; call it in order of starts, so that each is visited once. */
function explainer(explained: readonly FoundGap[]): (gap: FoundGap) => boolean {
  const reached = new Map<number | null, number>()
  let at = 0
  return ({ startMs, endMs, channel }) => {
    for (;;) {
      const next = explained[at]
      if (!next || next.startMs - slackMs > startMs) break
      reached.set(next.channel, Math.max(next.endMs, reached.get(next.channel) ?? 0))
      at += 1
    }
    const end = Math.max(reached.get(null) ?? 0, reached.get(channel) ?? 0)
    return at > 0 && end + slackMs >= endMs
  }
}
