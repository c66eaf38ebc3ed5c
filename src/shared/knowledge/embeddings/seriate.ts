import { cosineOf, type Matrix } from './matrix.ts'
import { principal } from './pca.ts'

/** Maximum number of rows clustered at once; larger sets are split into separate parts first. */
const atOnce = 1000

/**
 * Orders rows so that similar ones are adjacent: clusters are joined by their mean cosine, and leaves flipped so that
 * neighbors match. Many rows are first split along their main axis.
 */
export function seriated(matrix: Matrix, rows: Uint32Array): Uint32Array {
  if (rows.length <= 2) return rows
  if (rows.length <= atOnce) return clustered(matrix, rows)
  const { coordinates, axes } = principal(matrix, rows, 1)
  const along = (place: number): number => coordinates[place * axes] ?? 0
  const sorted = [...rows.keys()].toSorted((a, b) => along(a) - along(b) || a - b)
  const half = sorted.length >> 1
  const part = (places: readonly number[]): Uint32Array =>
    seriated(
      matrix,
      Uint32Array.from(places, (place) => rows[place] ?? 0),
    )
  return Uint32Array.from([...part(sorted.slice(0, half)), ...part(sorted.slice(half))])
}

interface Cluster {
  readonly leaves: readonly number[]
}

/** Average linkage by nearest-neighbor chains: exact, with as many steps as rows squared. */
function clustered(matrix: Matrix, rows: Uint32Array): Uint32Array {
  const count = rows.length
  const similarity = new Float32Array(count * count)
  for (let a = 0; a < count; a++)
    for (let b = a + 1; b < count; b++) {
      const value = cosineOf(matrix, rows[a] ?? 0, rows[b] ?? 0)
      similarity[a * count + b] = value
      similarity[b * count + a] = value
    }
  const original = similarity.slice()
  const clusters: (Cluster | null)[] = Array.from(rows, (_, place) => ({ leaves: [place] }))
  const chain: number[] = []
  for (let left = count; left > 1;) {
    const start = chain.at(-1) ?? clusters.findIndex((cluster) => cluster !== null)
    if (chain.length === 0) chain.push(start)
    const before = chain.at(-2)
    const next = nearest(similarity, clusters, count, start, before)
    if (next === -1) break
    if (next !== before) {
      chain.push(next)
      continue
    }
    chain.length -= 2
    merge(similarity, original, clusters, count, next, start)
    left -= 1
  }
  const [leaves = []] = clusters.flatMap((cluster) => (cluster ? [cluster.leaves] : []))
  return Uint32Array.from(leaves, (place) => rows[place] ?? 0)
}

function nearest(
  similarity: Float32Array,
  clusters: readonly (Cluster | null)[],
  count: number,
  of: number,
  before: number | undefined,
): number {
  // On a tie, the previous one wins: otherwise the chain would never end.
  let best = before ?? -1
  let value = before === undefined ? -Infinity : (similarity[of * count + before] ?? -Infinity)
  for (let other = 0; other < count; other++) {
    if (other === of || clusters[other] === null) continue
    const own = similarity[of * count + other] ?? -Infinity
    if (own > value) {
      best = other
      value = own
    }
  }
  return best
}

/** Merges two clusters into the first, flipping the leaves so that the most similar ends meet. */
function merge(
  similarity: Float32Array,
  original: Float32Array,
  clusters: (Cluster | null)[],
  count: number,
  into: number,
  from: number,
): void {
  const a = clusters[into]?.leaves ?? []
  const b = clusters[from]?.leaves ?? []
  const near = (x: number | undefined, y: number | undefined): number =>
    original[(x ?? 0) * count + (y ?? 0)] ?? 0
  const ways = [
    { fit: near(a.at(-1), b.at(0)), leaves: () => [...a, ...b] },
    { fit: near(a.at(-1), b.at(-1)), leaves: () => [...a, ...b.toReversed()] },
    { fit: near(a.at(0), b.at(0)), leaves: () => [...a.toReversed(), ...b] },
    { fit: near(a.at(0), b.at(-1)), leaves: () => [...b, ...a] },
  ]
  const best = ways.reduce((one, other) => (other.fit > one.fit ? other : one))
  clusters[into] = { leaves: best.leaves() }
  clusters[from] = null
  for (let other = 0; other < count; other++) {
    if (other === into || clusters[other] === null) continue
    const mean =
      ((similarity[into * count + other] ?? 0) * a.length +
        (similarity[from * count + other] ?? 0) * b.length) /
      (a.length + b.length)
    similarity[into * count + other] = mean
    similarity[other * count + into] = mean
  }
}
