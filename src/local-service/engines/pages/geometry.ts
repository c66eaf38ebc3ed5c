/** Left, top, right, bottom in pixels of a page's raster, y downwards. */
export type Box = readonly [left: number, top: number, right: number, bottom: number]

/** Something that lies on a page. */
export interface Placed {
  readonly box: Box
}

/** Width in pixels. */
export const widthOf = ([left, , right]: Box): number => right - left

/** Height in pixels. */
export const heightOf = ([, top, , bottom]: Box): number => bottom - top

/** Area in square pixels; 0 for a box turned inside out. */
export const areaOf = (box: Box): number => Math.max(0, widthOf(box)) * Math.max(0, heightOf(box))

/** The smallest box around all; zeros for none. */
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

/** The part two boxes share; its sides may be negative. */
export const sharedBox = (a: Box, b: Box): Box => [
  Math.max(a[0], b[0]),
  Math.max(a[1], b[1]),
  Math.min(a[2], b[2]),
  Math.min(a[3], b[3]),
]

/** Part of the first box that lies within the second, 0 to 1. */
export function coveredPart(box: Box, by: Box): number {
  const shared = sharedBox(box, by)
  if (widthOf(shared) <= 0 || heightOf(shared) <= 0) return 0
  return areaOf(shared) / Math.max(1e-9, areaOf(box))
}

/** Height two boxes share, as a part of the lower one, 0 to 1: one means that they stand on one line. */
export function sameLine(a: Box, b: Box): number {
  const shared = Math.min(a[3], b[3]) - Math.max(a[1], b[1])
  return Math.max(0, shared) / Math.max(1e-9, Math.min(heightOf(a), heightOf(b)))
}

/** The box in whole pixels within a page. */
export function rounded(box: Box, width: number, height: number): Box {
  const within = (value: number, max: number): number => Math.max(0, Math.min(max, value))
  return [
    within(Math.floor(box[0]), width),
    within(Math.floor(box[1]), height),
    within(Math.ceil(box[2]), width),
    within(Math.ceil(box[3]), height),
  ]
}

/** Boxes that touch or lie within `reach` of each other become one. */
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

/** The middle of the values; 0 for none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
