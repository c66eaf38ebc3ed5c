import { boxAround, type Box } from '../geometry.ts'

/** Affine transformation: x' = a x + c y + e, y' = b x + d y + f. */
export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number]

/** Applies `inner` first, then `outer`. */
export const multiply = (outer: Matrix, inner: Matrix): Matrix => [
  outer[0] * inner[0] + outer[2] * inner[1],
  outer[1] * inner[0] + outer[3] * inner[1],
  outer[0] * inner[2] + outer[2] * inner[3],
  outer[1] * inner[2] + outer[3] * inner[3],
  outer[0] * inner[4] + outer[2] * inner[5] + outer[4],
  outer[1] * inner[4] + outer[3] * inner[5] + outer[5],
]

/** Transforms a point. */
export const apply = (m: Matrix, x: number, y: number): readonly [x: number, y: number] => [
  m[0] * x + m[2] * y + m[4],
  m[1] * x + m[3] * y + m[5],
]

/** Returns the bounding box of a transformed rectangle. */
export function mapBox(m: Matrix, [left, top, right, bottom]: Box): Box {
  const corner = (x: number, y: number): Box => {
    const [px, py] = apply(m, x, y)
    return [px, py, px, py]
  }
  return boxAround([
    corner(left, top),
    corner(right, top),
    corner(left, bottom),
    corner(right, bottom),
  ])
}

/** Converts a value from the library to a matrix; undefined if it is not one. */
export function asMatrix(value: unknown): Matrix | undefined {
  if (!Array.isArray(value) && !ArrayBuffer.isView(value)) return undefined
  const [a, b, c, d, e, f] = Array.from(value as ArrayLike<unknown>, Number)
  if (a === undefined || b === undefined || c === undefined) return undefined
  if (d === undefined || e === undefined || f === undefined) return undefined
  return [a, b, c, d, e, f]
}
