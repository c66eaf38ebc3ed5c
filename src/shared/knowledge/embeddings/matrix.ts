/** Vectors of the same dimension, normalized to unit length, so that a cosine is an inner product. */
export interface Matrix {
  readonly count: number
  readonly dimensions: number
  /** Values row by row. */
  readonly data: Float32Array
  /** 1 for rows with a vector; the others are zeros. */
  readonly there: Uint8Array
}

/**
 * Reads stored vectors: 32-bit floats, little-endian, NaN if there is none. The matrix takes ownership of the bytes.
 */
export function readMatrix(bytes: ArrayBuffer, dimensions: number): Matrix {
  const count = Math.floor(bytes.byteLength / (dimensions * 4))
  const data = new Float32Array(bytes, 0, count * dimensions)
  const there = new Uint8Array(count)
  for (let row = 0; row < count; row++) {
    const vector = data.subarray(row * dimensions, (row + 1) * dimensions)
    const length = normalise(vector)
    if (Number.isFinite(length) && length > 0) there[row] = 1
    else vector.fill(0)
  }
  return { count, dimensions, data, there }
}

/** Normalizes a vector to unit length and returns its original length. */
export function normalise(vector: Float32Array): number {
  let sum = 0
  for (const value of vector) sum += value * value
  const length = Math.sqrt(sum)
  if (length > 0) for (let at = 0; at < vector.length; at++) vector[at] = (vector[at] ?? 0) / length
  return length
}

/** Returns the inner product of two ranges. */
export function dotAt(
  a: Float32Array,
  fromA: number,
  b: Float32Array,
  fromB: number,
  length: number,
): number {
  let first = 0
  let second = 0
  let third = 0
  let fourth = 0
  let at = 0
  // Four sums at a time, so that the processor need not wait for one to finish.
  for (const end = length - 3; at < end; at += 4) {
    first += (a[fromA + at] ?? 0) * (b[fromB + at] ?? 0)
    second += (a[fromA + at + 1] ?? 0) * (b[fromB + at + 1] ?? 0)
    third += (a[fromA + at + 2] ?? 0) * (b[fromB + at + 2] ?? 0)
    fourth += (a[fromA + at + 3] ?? 0) * (b[fromB + at + 3] ?? 0)
  }
  for (; at < length; at++) first += (a[fromA + at] ?? 0) * (b[fromB + at] ?? 0)
  return first + second + third + fourth
}

/** Returns the cosine of two rows. */
export const cosineOf = ({ data, dimensions }: Matrix, a: number, b: number): number =>
  dotAt(data, a * dimensions, data, b * dimensions, dimensions)

/** Returns the rows that have a vector, in the given order. */
export const rowsThere = ({ there }: Matrix): Uint32Array => {
  const rows: number[] = []
  for (const [row, is] of there.entries()) if (is === 1) rows.push(row)
  return Uint32Array.from(rows)
}
