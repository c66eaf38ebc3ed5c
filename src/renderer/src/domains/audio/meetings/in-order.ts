import type { Span } from '../../../../../shared/model/meeting.ts'

/** An element on the timeline of a meeting. */
interface Timed extends Span {
  readonly id: string
  readonly channel: number
}

/** Returns elements in order of time; at the same moment by channel. */
export function inOrder<T extends Timed>(things: Iterable<T>): readonly T[] {
  return [...things].toSorted((a, b) => a.startMs - b.startMs || a.channel - b.channel)
}

/** Returns the index of the last element that begins at or before a moment; -1 if there is none. */
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

/** Returns the first element after a moment, or else the very first: the target of "next". */
export function nextAfter<T extends { readonly startMs: number }>(
  things: readonly T[],
  atMs: number,
): T | undefined {
  return things.find(({ startMs }) => startMs > atMs) ?? things[0]
}
