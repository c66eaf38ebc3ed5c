import type { PageRange } from './page-layout.ts'

/** What the queue is asked to draw, most wanted first. */
export interface DrawRequest {
  readonly kind: 'page' | 'thumbnail'
  readonly page: number
}

/**
 * Which pages are drawn and in which order: what is seen, from the middle outwards, then the next in the direction of
 * scrolling, then the one behind. No more than `most`, because each holds a canvas.
 */
export function drawOrder(
  seen: PageRange,
  middle: number,
  direction: 1 | -1,
  count: number,
  maxCount: number,
): readonly number[] {
  const visible = Array.from(
    { length: Math.max(0, seen.last - seen.first + 1) },
    (_, index) => seen.first + index,
  ).toSorted((a, b) => Math.abs(a - middle) - Math.abs(b - middle) || (a - b) * direction)
  const adjacent = direction > 0 ? [seen.last + 1, seen.first - 1] : [seen.first - 1, seen.last + 1]
  return [...visible, ...adjacent].filter((page) => page >= 1 && page <= count).slice(0, maxCount)
}
