/** Left, top, right and bottom in pixels of the page raster; y points down. */
export type Box = readonly [left: number, top: number, right: number, bottom: number]

/** Anything with a position on a page. */
export interface Placed {
  readonly box: Box
}

/** Width in pixels. */
export const widthOf = ([left, , right]: Box): number => right - left

/** Height in pixels. */
export const heightOf = ([, top, , bottom]: Box): number => bottom - top

/** Area in square pixels; 0 for an inverted box. */
export const areaOf = (box: Box): number => Math.max(0, widthOf(box)) * Math.max(0, heightOf(box))

/** Returns the smallest box around all boxes; zeros if there are none. */
export function boxAround(boxes: readonly Box[]): Box {
  const [first, ...rest] = boxes
  if (!first) return [0, 0, 0, 0]
  let [left, top, right, bottom] = first
  for (const box of rest) {
    left = Math.min(left, box[0])
    top = Math.min(top, box[1])
    right = Math.max(right, box[2])
    bottom = Math.max(bottom, box[3])
  }
  return [left, top, right, bottom]
}

/** Returns the intersection of two boxes; its sides may be negative. */
export const sharedBox = (a: Box, b: Box): Box => [
  Math.max(a[0], b[0]),
  Math.max(a[1], b[1]),
  Math.min(a[2], b[2]),
  Math.min(a[3], b[3]),
]

/** Returns the fraction (0 to 1) of the first box that is inside the second. */
export function coveredPart(box: Box, by: Box): number {
  const shared = sharedBox(box, by)
  if (widthOf(shared) <= 0 || heightOf(shared) <= 0) return 0
  return areaOf(shared) / Math.max(1e-9, areaOf(box))
}

/**
 * Returns the shared height of two boxes as a fraction (0 to 1) of the lower one; 1 means that they are on the same
 * line.
 */
export function sameLine(a: Box, b: Box): number {
  const shared = Math.min(a[3], b[3]) - Math.max(a[1], b[1])
  return Math.max(0, shared) / Math.max(1e-9, Math.min(heightOf(a), heightOf(b)))
}

/** Returns the box in whole pixels, clamped to the page. */
export function rounded(box: Box, width: number, height: number): Box {
  const within = (value: number, max: number): number => Math.max(0, Math.min(max, value))
  return [
    within(Math.floor(box[0]), width),
    within(Math.floor(box[1]), height),
    within(Math.ceil(box[2]), width),
    within(Math.ceil(box[3]), height),
  ]
}

/** Merges boxes that touch or are within `reach` pixels of each other. */
export function mergeBoxes(boxes: readonly Box[], reach: number): Box[] {
  const merged: Box[] = []
  for (const box of boxes) {
    let grown = box
    for (;;) {
      const near = merged.findIndex((other) => {
        const shared = sharedBox(grown, other)
        return widthOf(shared) > -reach && heightOf(shared) > -reach
      })
      const other = merged[near]
      if (!other) break
      merged.splice(near, 1)
      grown = boxAround([grown, other])
    }
    merged.push(grown)
  }
  return merged
}

/** Returns the median; 0 for no values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
