import { dotAt, type Matrix } from './matrix.ts'
import { seededRandom } from './random.ts'

/** Rows projected onto their principal axes. */
interface Projection {
  readonly axes: number
  /** Coordinates, row by row in the order of `rows`. */
  readonly coordinates: Float32Array
  /** Share of the total variance of each axis, greatest first. */
  readonly explained: readonly number[]
}

/** Number of iterations: more than the axes of any text vectors need to converge. */
const rounds = 12

/**
 * Computes the principal components of some rows, by subspace iteration from a fixed seed: the same rows result in the
 * same axes, and each axis is oriented so that its largest weight is positive.
 */
export function principal(
  { data, dimensions }: Matrix,
  rows: Uint32Array,
  wanted: number,
): Projection {
  const axes = Math.max(0, Math.min(wanted, rows.length - 1, dimensions))
  const mean = meanOf(data, dimensions, rows)
  const centred = new Float32Array(rows.length * dimensions)
  let variance = 0
  for (const [place, row] of rows.entries())
    for (let at = 0; at < dimensions; at++) {
      const value = (data[row * dimensions + at] ?? 0) - (mean[at] ?? 0)
      centred[place * dimensions + at] = value
      variance += value * value
    }
  // A few more axes than requested make the requested ones converge sooner.
  const width = Math.min(axes + 8, Math.max(axes, rows.length - 1), dimensions)
  const basis = randomBasis(width, dimensions)
  orthonormalise(basis, width, dimensions)
  for (let round = 0; round < rounds; round++) {
    const scores = project(centred, rows.length, basis, width, dimensions)
    basis.fill(0)
    for (let row = 0; row < rows.length; row++)
      for (let axis = 0; axis < width; axis++) {
        const weight = scores[row * width + axis] ?? 0
        const to = axis * dimensions
        const from = row * dimensions
        for (let at = 0; at < dimensions; at++)
          basis[to + at] = (basis[to + at] ?? 0) + weight * (centred[from + at] ?? 0)
      }
    orthonormalise(basis, width, dimensions)
  }
  return rotated(
    project(centred, rows.length, basis, width, dimensions),
    rows.length,
    width,
    axes,
    variance,
  )
}

function meanOf(data: Float32Array, dimensions: number, rows: Uint32Array): Float64Array {
  const mean = new Float64Array(dimensions)
  for (const row of rows)
    for (let at = 0; at < dimensions; at++)
      mean[at] = (mean[at] ?? 0) + (data[row * dimensions + at] ?? 0)
  for (let at = 0; at < dimensions; at++) mean[at] = (mean[at] ?? 0) / Math.max(1, rows.length)
  return mean
}

function randomBasis(width: number, dimensions: number): Float32Array {
  const random = seededRandom(20)
  return Float32Array.from({ length: width * dimensions }, () => random() - 0.5)
}

/** Orthonormalizes the rows of a basis (Gram-Schmidt, twice, because once loses precision). */
function orthonormalise(basis: Float32Array, width: number, dimensions: number): void {
  for (let axis = 0; axis < width; axis++) {
    const own = axis * dimensions
    for (let pass = 0; pass < 2; pass++)
      for (let other = 0; other < axis; other++) {
        const from = other * dimensions
        const shared = dotAt(basis, own, basis, from, dimensions)
        for (let at = 0; at < dimensions; at++)
          basis[own + at] = (basis[own + at] ?? 0) - shared * (basis[from + at] ?? 0)
      }
    const length = Math.sqrt(dotAt(basis, own, basis, own, dimensions))
    for (let at = 0; at < dimensions; at++)
      basis[own + at] = length > 1e-12 ? (basis[own + at] ?? 0) / length : 0
  }
}

function project(
  centred: Float32Array,
  count: number,
  basis: Float32Array,
  width: number,
  dimensions: number,
): Float32Array {
  const scores = new Float32Array(count * width)
  for (let row = 0; row < count; row++)
    for (let axis = 0; axis < width; axis++)
      scores[row * width + axis] = dotAt(
        centred,
        row * dimensions,
        basis,
        axis * dimensions,
        dimensions,
      )
  return scores
}

/** Rotates scores within their subspace onto the axes of greatest variance. */
function rotated(
  scores: Float32Array,
  count: number,
  width: number,
  axes: number,
  variance: number,
): Projection {
  const gram = Array.from({ length: width }, (_, a) =>
    Array.from({ length: width }, (__, b) => {
      let sum = 0
      for (let row = 0; row < count; row++)
        sum += (scores[row * width + a] ?? 0) * (scores[row * width + b] ?? 0)
      return sum
    }),
  )
  const { values, vectors } = eigen(gram)
  const ranked = values.map((value, at) => ({ value, at })).toSorted((a, b) => b.value - a.value)
  const chosen = ranked.slice(0, axes)
  const coordinates = new Float32Array(count * axes)
  for (const [axis, { at: from }] of chosen.entries()) {
    const weights = vectors.map((row) => row[from] ?? 0)
    const largest = weights.reduce(
      (best, weight) => (Math.abs(weight) > Math.abs(best) ? weight : best),
      0,
    )
    const sign = largest < 0 ? -1 : 1
    for (let row = 0; row < count; row++) {
      let sum = 0
      for (let at = 0; at < width; at++) sum += (scores[row * width + at] ?? 0) * (weights[at] ?? 0)
      coordinates[row * axes + axis] = sign * sum
    }
  }
  return {
    axes,
    coordinates,
    explained: chosen.map(({ value }) => (variance > 0 ? Math.max(0, value) / variance : 0)),
  }
}

/** Returns eigenvalues and eigenvectors (as columns) of a small symmetric matrix, by Jacobi rotations. */
function eigen(input: readonly (readonly number[])[]): {
  readonly values: readonly number[]
  readonly vectors: readonly (readonly number[])[]
} {
  const size = input.length
  const matrix = input.map((row) => [...row])
  const vectors = input.map((_, a) => input.map((__, b) => (a === b ? 1 : 0)))
  const at = (grid: readonly (readonly number[])[], a: number, b: number): number =>
    grid[a]?.[b] ?? 0
  const turn = (
    grid: number[][],
    row: number,
    p: number,
    q: number,
    c: number,
    s: number,
  ): void => {
    const line = grid[row]
    if (!line) return
    const left = line[p] ?? 0
    const right = line[q] ?? 0
    line[p] = c * left - s * right
    line[q] = s * left + c * right
  }
  for (let sweep = 0; sweep < 60; sweep++) {
    let off = 0
    for (let p = 0; p < size; p++) for (let q = p + 1; q < size; q++) off += at(matrix, p, q) ** 2
    if (off < 1e-18) break
    for (let p = 0; p < size; p++)
      for (let q = p + 1; q < size; q++) {
        const shared = at(matrix, p, q)
        if (Math.abs(shared) < 1e-15) continue
        const ratio = (at(matrix, q, q) - at(matrix, p, p)) / (2 * shared)
        const tangent = (ratio < 0 ? -1 : 1) / (Math.abs(ratio) + Math.sqrt(ratio * ratio + 1))
        const c = 1 / Math.sqrt(tangent * tangent + 1)
        const s = tangent * c
        for (let row = 0; row < size; row++) turn(matrix, row, p, q, c, s)
        const first = matrix[p]
        const second = matrix[q]
        if (!first || !second) continue
        for (let column = 0; column < size; column++) {
          const upper = first[column] ?? 0
          const lower = second[column] ?? 0
          first[column] = c * upper - s * lower
          second[column] = s * upper + c * lower
        }
        for (let row = 0; row < size; row++) turn(vectors, row, p, q, c, s)
      }
  }
  return { values: matrix.map((row, place) => row[place] ?? 0), vectors }
}
