import { dotAt, type Matrix } from './matrix.ts'

/**
 * Aggregated rows in a given order: at level n, one row is the mean of 2^n consecutive rows. The mean cosine of two
 * groups is exactly the product of their means, so that a map of thousands of rows is drawn from few products.
 */
export interface Level {
  readonly level: number
  readonly count: number
  readonly dimensions: number
  readonly data: Float32Array
}

/** Computes one level for an order of rows. */
export function levelOf({ data, dimensions }: Matrix, order: Uint32Array, level: number): Level {
  const size = 2 ** level
  const count = Math.ceil(order.length / size)
  const means = new Float32Array(count * dimensions)
  for (let group = 0; group < count; group++) {
    const members = order.subarray(group * size, (group + 1) * size)
    const to = group * dimensions
    for (const row of members) {
      const from = row * dimensions
      for (let at = 0; at < dimensions; at++)
        means[to + at] = (means[to + at] ?? 0) + (data[from + at] ?? 0)
    }
    for (let at = 0; at < dimensions; at++) means[to + at] = (means[to + at] ?? 0) / members.length
  }
  return { level, count, dimensions, data: means }
}

/** Number of groups per side of a tile. */
export const tileSize = 64

/** Returns the mean cosines of a square of groups, row by row, `tileSize` wide; NaN after the last group. */
export function tileOf(
  { data, dimensions, count }: Level,
  row: number,
  column: number,
): Float32Array {
  const values = new Float32Array(tileSize * tileSize).fill(Number.NaN)
  const rows = Math.min(tileSize, count - row * tileSize)
  const columns = Math.min(tileSize, count - column * tileSize)
  for (let y = 0; y < rows; y++)
    for (let x = 0; x < columns; x++)
      values[y * tileSize + x] = dotAt(
        data,
        (row * tileSize + y) * dimensions,
        data,
        (column * tileSize + x) * dimensions,
        dimensions,
      )
  return values
}
