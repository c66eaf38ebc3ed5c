import { dotAt, type Matrix } from './matrix.ts'

/** Row with its cosine. */
export interface Near {
  readonly row: number
  readonly cosine: number
}

/** Returns the rows nearest to a unit vector, best first; ties in row order. `but`: a row to exclude. */
export function nearestRows(
  matrix: Matrix,
  vector: Float32Array,
  limit: number,
  but = -1,
): readonly Near[] {
  const { count, dimensions, data, there } = matrix
  const found: Near[] = []
  let minCosine = -Infinity
  for (let row = 0; row < count; row++) {
    if (there[row] !== 1 || row === but) continue
    const cosine = dotAt(vector, 0, data, row * dimensions, dimensions)
    if (found.length >= limit && cosine <= minCosine) continue
    let at = found.length
    while (at > 0 && (found[at - 1]?.cosine ?? 0) < cosine) at -= 1
    found.splice(at, 0, { row, cosine })
    if (found.length > limit) found.pop()
    minCosine = found.at(-1)?.cosine ?? -Infinity
  }
  return found
}

/** Two rows with their cosine; `a` comes before `b`. */
export interface Pair {
  readonly a: number
  readonly b: number
  readonly cosine: number
}

interface PairSearch {
  /** Continues for about the given milliseconds; returns the progress, 0 to 1. */
  step(ms: number, now: () => number): number
  /** Returns the pairs found so far, nearest first, up to the requested number. */
  pairs(): readonly Pair[]
  /** Number of all pairs that reach the threshold so far. */
  readonly count: number
}

/**
 * Searches for every pair of rows whose cosine reaches a threshold. Multiplies the first quarter of the dimensions
 * first: the maximum that the rest can add follows from its length, so that most pairs are excluded early, and none
 * wrongly.
 */
export function searchPairs(matrix: Matrix, threshold: number, limit: number): PairSearch {
  const { count, dimensions, data, there } = matrix
  const head = Math.max(1, dimensions >> 2)
  const rest = new Float32Array(count)
  for (let row = 0; row < count; row++) {
    const from = row * dimensions + head
    rest[row] = Math.sqrt(dotAt(data, from, data, from, dimensions - head))
  }
  let found: Pair[] = []
  let reached = 0
  let minCosine = threshold
  let a = 0

  const trim = (): void => {
    found = found.toSorted(nearer).slice(0, limit)
    if (found.length === limit) minCosine = found.at(-1)?.cosine ?? minCosine
  }
  const searchFrom = (row: number): void => {
    const from = row * dimensions
    for (let b = row + 1; b < count; b++) {
      if (there[b] !== 1) continue
      const start = dotAt(data, from, data, b * dimensions, head)
      // Slightly below the threshold, because sums of 32-bit numbers are rounded.
      if (start + (rest[row] ?? 0) * (rest[b] ?? 0) < threshold - 1e-5) continue
      const cosine =
        start + dotAt(data, from + head, data, b * dimensions + head, dimensions - head)
      if (cosine < threshold) continue
      reached += 1
      if (found.length < limit || cosine > minCosine) found.push({ a: row, b, cosine })
      if (found.length >= limit * 2) trim()
    }
  }
  return {
    get count() {
      return reached
    },
    step(ms, now) {
      for (const until = now() + ms; a < count; a++) {
        if (now() > until) break
        if (there[a] === 1) searchFrom(a)
      }
      return count === 0 ? 1 : a / count
    },
    pairs() {
      trim()
      return found
    },
  }
}

const nearer = (x: Pair, y: Pair): number => y.cosine - x.cosine || x.a - y.a || x.b - y.b

/** Returns groups of rows connected by pairs, largest first; the rows of each in order. */
export function groupsOf(pairs: readonly Pair[]): readonly (readonly number[])[] {
  const parent = new Map<number, number>()
  const root = (row: number): number => {
    let at = row
    for (let up = parent.get(at); up !== undefined && up !== at; up = parent.get(at)) at = up
    parent.set(row, at)
    return at
  }
  for (const { a, b } of pairs) {
    const first = root(a)
    const second = root(b)
    parent.set(Math.max(first, second), Math.min(first, second))
  }
  const members = Map.groupBy(
    [...parent.keys()].toSorted((x, y) => x - y),
    root,
  )
  return [...members.values()].toSorted((x, y) => y.length - x.length || (x[0] ?? 0) - (y[0] ?? 0))
}

/**
 * Returns how similarly two sets of vectors rank the same texts: the share of each row's nearest rows in one set that
 * are also nearest in the other.
 */
export function neighbourOverlap(
  first: Matrix,
  second: Matrix,
  rows: readonly number[],
  limit: number,
): readonly { readonly row: number; readonly share: number }[] {
  return rows.map((row) => {
    const of = (matrix: Matrix) => {
      const from = row * matrix.dimensions
      const vector = matrix.data.subarray(from, from + matrix.dimensions)
      return nearestRows(matrix, vector, limit, row).map((near) => near.row)
    }
    const one = of(first)
    const other = new Set(of(second))
    return {
      row,
      share: one.length === 0 ? 1 : one.filter((near) => other.has(near)).length / one.length,
    }
  })
}
