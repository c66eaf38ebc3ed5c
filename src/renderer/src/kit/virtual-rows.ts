/**
 * Returns the top offsets of rows with known heights, for finding the visible ones. The last entry is the total height.
 */
export function rowTops(heights: readonly number[]): readonly number[] {
  const tops = [0]
  let top = 0
  for (const height of heights) {
    top += height
    tops.push(top)
  }
  return tops
}

/** Returns the index of the row at an offset: the last one whose top is not below it. */
export function rowAt(tops: readonly number[], y: number): number {
  let low = 0
  let high = tops.length - 2
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((tops[middle] ?? 0) <= y) low = middle
    else high = middle - 1
  }
  return Math.max(0, low)
}

/**
 * Returns the rows to render for a viewport of a scrolled list, with a few beyond each edge; `to` is exclusive.
 */
export function rowWindow(
  tops: readonly number[],
  scrollTop: number,
  viewport: number,
  overscan = 6,
): { readonly from: number; readonly to: number } {
  const count = tops.length - 1
  if (count <= 0) return { from: 0, to: 0 }
  return {
    from: Math.max(0, rowAt(tops, scrollTop) - overscan),
    to: Math.min(count, rowAt(tops, scrollTop + viewport) + 1 + overscan),
  }
}
