import { expect, test } from 'vitest'
import { levelOf, tileOf, tileSize } from '../../../../src/shared/knowledge/embeddings/levels.ts'
import {
  cosineOf,
  readMatrix,
  rowsThere,
  type Matrix,
} from '../../../../src/shared/knowledge/embeddings/matrix.ts'
import {
  groupsOf,
  nearestRows,
  neighbourOverlap,
  searchPairs,
} from '../../../../src/shared/knowledge/embeddings/nearest.ts'
import { principal } from '../../../../src/shared/knowledge/embeddings/pca.ts'
import { splitIntoChunks } from '../../../../src/shared/knowledge/embeddings/text-chunks.ts'
import { seriated } from '../../../../src/shared/knowledge/embeddings/seriate.ts'
import { estimateTokens } from '../../../../src/shared/text/token-estimate.ts'
import { randomFrom } from '../../../fixtures/random.ts'

const matrixOf = (vectors: readonly (readonly number[])[]): Matrix =>
  readMatrix(Float32Array.from(vectors.flat()).buffer, vectors[0]?.length ?? 1)

/** Returns points around some centers, alternating: 0, 1, 2, 0, 1, 2... */
function clouds(
  centres: number,
  count: number,
  dimensions: number,
  spread: number,
  seed = 3,
): Matrix {
  const random = randomFrom(seed)
  const at = Array.from({ length: centres }, () =>
    Array.from({ length: dimensions }, () => random() - 0.5),
  )
  return matrixOf(
    Array.from({ length: count }, (_, row) =>
      (at[row % centres] ?? []).map((value) => value + (random() - 0.5) * spread),
    ),
  )
}
/** Simplest calculation, with 64-bit numbers. */
function plainCosine(matrix: Matrix, a: number, b: number): number {
  let sum = 0
  for (let at = 0; at < matrix.dimensions; at++)
    sum +=
      (matrix.data[a * matrix.dimensions + at] ?? 0) *
      (matrix.data[b * matrix.dimensions + at] ?? 0)
  return sum
}

test('reads saved vectors: normalizes any length, treats NaN and zeros as missing', () => {
  const matrix = matrixOf([
    [3, 4],
    [Number.NaN, Number.NaN],
    [0, 0],
    [-6, 8],
  ])
  expect([...matrix.there]).toEqual([1, 0, 0, 1])
  expect([...rowsThere(matrix)]).toEqual([0, 3])
  expect(cosineOf(matrix, 0, 3)).toBeCloseTo((-18 + 32) / 50, 6)
  expect(cosineOf(matrix, 0, 1)).toBe(0)
})

test('averages the cosines below a higher-level square, including an incomplete last group', () => {
  const matrix = clouds(3, 21, 37, 1)
  const order = rowsThere(matrix).toReversed()
  const tile = tileOf(levelOf(matrix, order, 2), 0, 0)
  const groups = Math.ceil(21 / 4)
  for (let y = 0; y < groups; y++)
    for (let x = 0; x < groups; x++) {
      const rows = [...order.subarray(y * 4, y * 4 + 4)]
      const columns = [...order.subarray(x * 4, x * 4 + 4)]
      const all = rows.flatMap((a) => columns.map((b) => plainCosine(matrix, a, b)))
      expect(tile[y * tileSize + x]).toBeCloseTo(all.reduce((a, b) => a + b) / all.length, 5)
    }
  expect(tile[groups]).toBeNaN()
})

test('finds the axes of greatest variance reproducibly, with their share', () => {
  // A long line, a short one across it, and almost nothing in the third direction.
  const random = randomFrom(5)
  const points = Array.from({ length: 200 }, () => [
    (random() - 0.5) * 10,
    (random() - 0.5) * 2,
    (random() - 0.5) * 0.01,
  ])
  const matrix: Matrix = {
    count: 200,
    dimensions: 3,
    data: Float32Array.from(points.flat()),
    there: new Uint8Array(200).fill(1),
  }
  const rows = rowsThere(matrix)
  const found = principal(matrix, rows, 2)
  expect(found.axes).toBe(2)
  expect(
    (found.explained[0] ?? 0) > 0.9 &&
      (found.explained[0] ?? 0) + (found.explained[1] ?? 0) > 0.9999,
  ).toBe(true)
  const mean = points.reduce((sum, [x = 0]) => sum + x, 0) / 200
  for (const [row, [x = 0]] of points.entries())
    expect(Math.abs(found.coordinates[row * 2] ?? 0)).toBeCloseTo(Math.abs(x - mean), 1)
  expect(principal(matrix, rows, 2)).toEqual(found)
  expect(principal(matrix, rows.subarray(0, 1), 2)).toMatchObject({ axes: 0 })
})

test('groups clusters when sorting by similarity, for few and many rows', () => {
  for (const count of [30, 1200]) {
    const matrix = clouds(3, count, 16, 0.1)
    const order = [...seriated(matrix, rowsThere(matrix))]
    expect(order.toSorted((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, row) => row))
    const changes = order.filter((row, at) => at > 0 && row % 3 !== (order[at - 1] ?? 0) % 3).length
    // Two if all are clustered at once; a split part adds two.
    expect(changes).toBeLessThanOrEqual(count === 30 ? 2 : 5)
  }
})

test('finds the same nearest rows and pairs as a full comparison', () => {
  const matrix = clouds(8, 150, 64, 0.7)
  const all = Array.from({ length: 150 }, (_, a) =>
    Array.from({ length: 150 }, (__, b) => ({ a, b, cosine: plainCosine(matrix, a, b) })),
  )
    .flat()
    .filter(({ a, b }) => a < b)
  const near = nearestRows(matrix, matrix.data.subarray(0, 64), 5, 0)
  const plain = all
    .filter(({ a }) => a === 0)
    .toSorted((x, y) => y.cosine - x.cosine)
    .slice(0, 5)
  expect(near.map(({ row }) => row)).toEqual(plain.map(({ b }) => b))
  for (const threshold of [0.9, 0.5, -1]) {
    const search = searchPairs(matrix, threshold, 40)
    let now = 0
    while (search.step(1, () => (now += 0.4)) < 1);
    const wanted = all
      .filter(({ cosine }) => cosine >= threshold)
      .toSorted((x, y) => y.cosine - x.cosine)
    expect(search.count).toBe(wanted.length)
    expect(search.pairs().map(({ a, b }) => `${a} ${b}`)).toEqual(
      wanted.slice(0, 40).map(({ a, b }) => `${a} ${b}`),
    )
  }
})

test('groups connected pairs, largest group first', () => {
  const pair = (a: number, b: number) => ({ a, b, cosine: 1 })
  expect(groupsOf([pair(5, 9), pair(1, 2), pair(2, 7), pair(7, 8)])).toEqual([
    [1, 2, 7, 8],
    [5, 9],
  ])
  expect(groupsOf([])).toEqual([])
})

test('shares all neighbors for similar vector sets, few for random ones', () => {
  const one = clouds(4, 80, 32, 0.5)
  const rows = Array.from({ length: 80 }, (_, row) => row)
  expect(neighbourOverlap(one, one, rows, 5).every(({ share }) => share === 1)).toBe(true)
  const other = clouds(80, 80, 16, 0, 99)
  const shares = neighbourOverlap(one, other, rows, 5).map(({ share }) => share)
  expect(shares.reduce((a, b) => a + b) / 80).toBeLessThan(0.3)
})

test('splits a long text into accepted sizes without loss, keeping sentences whole if possible', () => {
  const text = `First paragraph.\n\n${'A sentence of some words that goes on for a while. '.repeat(40)}\n\n${'字'.repeat(500)}。${'词'.repeat(90)}\n\nLast.`
  const chunks = splitIntoChunks(text, 100)
  expect(chunks.every((chunk) => estimateTokens(chunk).likely <= 110)).toBe(true)
  const letters = (words: string): string => words.replace(/\s+/g, '')
  expect(letters(chunks.join(''))).toBe(letters(text))
  expect(chunks[0]).toBe('First paragraph.')
  expect(splitIntoChunks('short\n\nand short', 100)).toEqual(['short\n\nand short'])
  expect(splitIntoChunks(' \n\n ', 100)).toEqual([])
})
