import {
  levelOf,
  tileOf,
  type Level,
} from '../../../../../../shared/knowledge/embeddings/levels.ts'
import {
  cosineOf,
  normalise,
  readMatrix,
  rowsThere,
  type Matrix,
} from '../../../../../../shared/knowledge/embeddings/matrix.ts'
import {
  groupsOf,
  nearestRows,
  neighbourOverlap,
  searchPairs,
} from '../../../../../../shared/knowledge/embeddings/nearest.ts'
import { principal } from '../../../../../../shared/knowledge/embeddings/pca.ts'
import { seriated } from '../../../../../../shared/knowledge/embeddings/seriate.ts'
import { Gone, readBytes, readTexts } from './load.ts'
import type { RowOrder, VectorAnswers, VectorRequest } from './messages.ts'
import { neighbourMap } from './umap.ts'
import type { Watch } from './umap.ts'

/** Number of rows and columns sampled for the scale. */
const sampled = 64
/** Milliseconds of work before control returns to the event loop. */
const stepMs = 40

/** Handles all requests about one set of vectors; all calculations are here, outside of the page. */
export function createVectorService(): {
  answer<R extends VectorRequest>(request: R, watch: Watch): Promise<VectorAnswers[R['type']]>
} {
  let matrix: Matrix = readMatrix(new ArrayBuffer(0), 1)
  const orders = new Map<RowOrder, Uint32Array>()
  const levels = new Map<string, Level>()

  const orderOf = (order: RowOrder): Uint32Array => {
    const known = orders.get(order)
    if (known) return known
    const rows = rowsThere(matrix)
    const made = order === 'input' ? rows : seriated(matrix, rows)
    orders.set(order, made)
    return made
  }
  const level = (order: RowOrder, number: number): Level => {
    const key = `${order} ${number}`
    const made = levels.get(key) ?? levelOf(matrix, orderOf(order), number)
    levels.delete(key)
    levels.set(key, made)
    // Two orders plus the levels around the current one; each is half as large as the one below.
    for (const old of levels.keys()) if (levels.size > 6) levels.delete(old)
    return made
  }
  const answers: {
    readonly [T in VectorRequest['type']]: (
      request: Extract<VectorRequest, { type: T }>,
      watch: Watch,
    ) => Promise<VectorAnswers[T]>
  } = {
    async load({ texts, vectors, bytes, dimensions }, watch) {
      orders.clear()
      levels.clear()
      const [words, numbers] = await Promise.all([
        readTexts(texts),
        readBytes(vectors, bytes, watch.progress),
      ])
      await watch.breathe()
      matrix = readMatrix(numbers, dimensions)
      const rows = rowsThere(matrix)
      return {
        count: matrix.count,
        missing: matrix.count - rows.length,
        texts: words.map(({ text }) => text),
        range: rangeOf(matrix, rows),
      }
    },
    order: async ({ order }) => ({ rows: orderOf(order).slice() }),
    tile: async ({ order, level: number, row, column }) => ({
      values: tileOf(level(order, number), row, column),
    }),
    cosine: async ({ a, b }) => ({ value: cosineOf(matrix, a, b) }),
    async map({ way }, watch) {
      const rows = rowsThere(matrix)
      const plane = principal(matrix, rows, 2)
      const explained = plane.explained.reduce((sum, each) => sum + each, 0)
      if (way === 'pca' || rows.length < 8)
        return { rows, points: flat(plane.coordinates, plane.axes, rows.length), explained }
      await watch.breathe()
      return { rows, points: await neighbourMap(matrix, rows, watch), explained: 0 }
    },
    async nearest({ of, limit }) {
      if (typeof of === 'number') {
        const from = of * matrix.dimensions
        const vector = matrix.data.slice(from, from + matrix.dimensions)
        return { rows: nearestRows(matrix, vector, limit, of) }
      }
      const bytes = await readBytes(of, matrix.dimensions * 4, () => undefined)
      const vector = new Float32Array(bytes)
      normalise(vector)
      return { rows: nearestRows(matrix, vector, limit) }
    },
    async pairs({ threshold, limit }, watch) {
      const search = searchPairs(matrix, threshold, limit)
      for (let done = 0; done < 1;) {
        done = search.step(stepMs, () => performance.now())
        watch.progress(done)
        await watch.breathe()
      }
      const pairs = search.pairs()
      return { pairs, count: search.count, groups: groupsOf(pairs) }
    },
    async overlap({ vectors, bytes, dimensions, limit }, watch) {
      const other = readMatrix(await readBytes(vectors, bytes, () => undefined), dimensions)
      if (other.count !== matrix.count) throw new Gone()
      const both = [...rowsThere(matrix)].filter((row) => other.there[row] === 1)
      const rows: { row: number; share: number }[] = []
      for (let at = 0; at < both.length; at += 16) {
        rows.push(...neighbourOverlap(matrix, other, both.slice(at, at + 16), limit))
        watch.progress(at / both.length)
        await watch.breathe()
      }
      const sum = rows.reduce((all, { share }) => all + share, 0)
      return {
        mean: rows.length === 0 ? 1 : sum / rows.length,
        rows: rows.toSorted((a, b) => a.share - b.share || a.row - b.row).slice(0, 200),
      }
    },
  }
  return {
    // The table has a response of the right type for each type of request.
    answer: (request, watch) => answers[request.type](request as never, watch) as never,
  }
}

/** Returns the minimum and maximum cosine of different rows, from an evenly spaced sample. */
function rangeOf(matrix: Matrix, rows: Uint32Array): readonly [number, number] {
  const step = Math.max(1, rows.length / sampled)
  const some = Array.from(
    { length: Math.min(sampled, rows.length) },
    (_, at) => rows[Math.floor(at * step)] ?? 0,
  )
  let min = 1
  let greatest = -1
  for (const [at, a] of some.entries())
    for (const b of some.slice(at + 1)) {
      const value = cosineOf(matrix, a, b)
      min = Math.min(min, value)
      greatest = Math.max(greatest, value)
    }
  return min <= greatest ? [min, greatest] : [0, 1]
}

/** Returns two coordinates per row, zeros for missing axes. */
function flat(coordinates: Float32Array, axes: number, count: number): Float32Array {
  const points = new Float32Array(count * 2)
  for (let row = 0; row < count; row++)
    for (let axis = 0; axis < Math.min(2, axes); axis++)
      points[row * 2 + axis] = coordinates[row * axes + axis] ?? 0
  return points
}
