import Database from 'better-sqlite3'
import { vectorOfBytes } from '../../src/main/platform/vectors/bytes.ts'
import { median } from '../row.ts'

/** Results of the exact scan of all vectors, with its time. */
export interface ExactScan {
  /** IDs of the nearest items for each query. */
  readonly nearest: readonly ReadonlySet<string>[]
  /** The same among the items before a moment. */
  nearestBelow(moment: number): readonly ReadonlySet<string>[]
  /** Milliseconds of one query that reads all stored vectors; median of three. */
  readonly ms: number
}

/** Computes the cosine similarity of every stored vector in double precision. */
export function exactScan(
  path: string,
  questions: readonly Float32Array[],
  wanted: number,
): ExactScan {
  const db = new Database(path, { readonly: true })
  const rows = db
    .prepare<[], [number, Uint8Array]>('SELECT seq, vector FROM vectors ORDER BY seq')
    .raw()
  const scan = (queryVectors: readonly Float32Array[]): Float64Array[] => {
    const scores: number[][] = queryVectors.map(() => [])
    for (const [, bytes] of rows.iterate()) {
      const vector = vectorOfBytes(bytes)
      for (const [place, question] of queryVectors.entries())
        scores[place]?.push(dot(question, vector))
    }
    return scores.map((each) => Float64Array.from(each))
  }
  const durations = questions.slice(0, 3).map((question) => {
    const started = performance.now()
    best(scan([question])[0] ?? new Float64Array(), wanted)
    return performance.now() - started
  })
  const scores = scan(questions)
  db.close()
  return {
    nearest: scores.map((each) => best(each, wanted)),
    nearestBelow: (moment) => scores.map((each) => best(each.subarray(0, moment), wanted)),
    ms: median(durations),
  }
}

function best(scores: Float64Array, wanted: number): ReadonlySet<string> {
  const threshold = scores.toSorted().at(-wanted) ?? -Infinity
  const found = new Set<string>()
  for (const [place, score] of scores.entries())
    if (score >= threshold) found.add(String(place + 1))
  return found
}

/** Dot product, which is the cosine for vectors of length 1. */
function dot(one: Float32Array, other: Float32Array): number {
  let sum = 0
  for (let at = 0; at < one.length; at++) sum += (one[at] ?? 0) * (other[at] ?? 0)
  return sum
}
