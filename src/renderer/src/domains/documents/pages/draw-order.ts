import type { PageRange } from './page-layout.ts'

/**
 * Returns the pages to draw, in order: visible ones from the middle outwards, then the next in the scroll direction,
 * then the one behind. At most `most`, because each needs a canvas.
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
