import type { Segment } from '../../../../../shared/model/meeting.ts'

/** Fields of a segment that planning uses. */
export type Place = Pick<Segment, 'id' | 'channel' | 'startMs' | 'endMs' | 'forcedStart'>

/** Consecutive segments of one channel that are sent one after the other, so that each has the text before it as context. */
export interface SegmentQueue {
  readonly channel: number
  /** Segments to be sent, in chronological order. */
  readonly ids: string[]
}

/** Minimum number of segments in a queue, to be worth a start without context. */
const shortest = 4

/**
 * Splits the segments to be sent into contiguous queues: one per channel, and together up to `places` if there are many.
 * Queues begin at the longest pause near an even split, and at a cut in speech only if there is no other option.
 * `segments` in chronological order.
 */
export function planSegmentQueues(
  segments: readonly Place[],
  places: number,
): readonly SegmentQueue[] {
  const channels = new Map<number, Place[]>()
  for (const segment of segments) {
    const list = channels.get(segment.channel)
    if (list) list.push(segment)
    else channels.set(segment.channel, [segment])
  }
  const spare = Math.max(0, places - channels.size)
  return Array.from(channels.values()).flatMap((list) => {
    const share = 1 + Math.round((spare * list.length) / segments.length)
    return split(list, Math.min(share, Math.max(1, Math.floor(list.length / shortest))))
  })
}

function split(list: readonly Place[], lanes: number): readonly SegmentQueue[] {
  const starts = [0]
  const even = list.length / lanes
  for (let laneNumber = 1; laneNumber < lanes; laneNumber++) {
    const middle = Math.round(laneNumber * even)
    const reach = Math.floor(even / 3)
    const from = Math.max((starts.at(-1) ?? 0) + 1, middle - reach)
    starts.push(bestStart(list, from, Math.min(list.length - 1, middle + reach)))
  }
  return starts.map((start, index) => {
    const part = list.slice(start, starts[index + 1] ?? list.length)
    return { channel: part[0]?.channel ?? 0, ids: part.map(({ id }) => id) }
  })
}

/** The segment between `from` and `to` (both included) with the longest pause before it. */
function bestStart(list: readonly Place[], from: number, to: number): number {
  let best = from
  let longest = -Infinity
  for (let at = from; at <= to; at++) {
    const [before, segment] = [list[at - 1], list[at]]
    if (!before || !segment) continue
    const pause = segment.forcedStart ? -1 : segment.startMs - before.endMs
    if (pause > longest) {
      longest = pause
      best = at
    }
  }
  return best
}
