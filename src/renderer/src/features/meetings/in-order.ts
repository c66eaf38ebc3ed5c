import type { Span } from '../../../../shared/model/meeting.ts'

/** Something that lies on the timeline of a meeting. */
export interface Timed extends Span {
  readonly id: string
  readonly channel: number
}

/** Things by their id, in the order of time; two of one moment by channel. */
export function inOrder<T extends Timed>(things: Iterable<T>): readonly T[] {
  return [...things].toSorted((a, b) => a.startMs - b.startMs || a.channel - b.channel)
}

/** Index of the last thing that begins at a moment or before it; -1 when none does. */
export function lastBefore(things: readonly { readonly startMs: number }[], atMs: number): number {
  let low = 0
  let high = things.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((things[middle]?.startMs ?? 0) <= atMs) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** The first of these that begins after a moment, or the very first: what "the next one" goes to. */
export function nextAfter<T extends { readonly startMs: number }>(
  things: readonly T[],
  atMs: number,
): T | undefined {
  return things.find(({ startMs }) => startMs > atMs) ?? things[0]
}
