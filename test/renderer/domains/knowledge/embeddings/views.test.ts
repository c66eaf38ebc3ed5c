import { expect, test } from 'vitest'
import {
  heatTable,
  paintValues,
} from '../../../../../src/renderer/src/domains/knowledge/embeddings/heat-scale.ts'
import {
  fitted,
  clampView,
  levelFor,
  revealing,
  tilesIn,
  walked,
  zoomed,
} from '../../../../../src/renderer/src/domains/knowledge/embeddings/heat-view.ts'
import {
  fitPoints,
  isInside,
} from '../../../../../src/renderer/src/domains/knowledge/embeddings/point-view.ts'
import { neighbourMap } from '../../../../../src/renderer/src/domains/knowledge/embeddings/vectors/umap.ts'
import { readMatrix, rowsThere } from '../../../../../src/shared/knowledge/embeddings/matrix.ts'
import { randomFrom } from '../../../../fixtures/random.ts'

test('keeps the view on the matrix, zooms at the pointer and scrolls to the cursor', () => {
  const whole = fitted(1000, 500)
  expect(whole).toEqual({ left: 0, top: 0, scale: 0.5 })
  expect(zoomed(whole, 0.1, { x: 0, y: 0 }, 1000, 500)).toEqual(whole)
  const near = zoomed(whole, 8, { x: 250, y: 250 }, 1000, 500)
  // The point under the pointer stays there.
  expect(near.left + 250 / near.scale).toBeCloseTo(500, 9)
  expect(clampView({ left: 990, top: -5, scale: 4 }, 1000, 500)).toEqual({
    left: 875,
    top: 0,
    scale: 4,
  })
  const shown = revealing(near, 999, 0, 1000, 500)
  expect(shown.top + 500 / shown.scale).toBeCloseTo(1000, 9)
  expect(shown.left).toBe(0)
})

test('covers the canvas with visible tiles, at the level with one pixel per group', () => {
  expect([0.1, 0.5, 1, 20].map(levelFor)).toEqual([4, 1, 0, 0])
  const tiles = tilesIn(fitted(10_000, 500), 10_000, 500)
  expect(new Set(tiles.map(({ level }) => level))).toEqual(new Set([5]))
  expect(tiles.length).toBe(25)
  const last = tiles.at(-1)
  expect((last?.x ?? 0) + (last?.size ?? 0)).toBeGreaterThanOrEqual(500)
})

test('moves between cells with keys, but never beyond the ends', () => {
  const key = (name: string, shiftKey = false) => ({ key: name, shiftKey })
  expect(walked(null, key('ArrowDown'), 30)).toEqual({ row: 0, column: 0 })
  expect(walked({ row: 3, column: 3 }, key('ArrowLeft', true), 30)).toEqual({ row: 3, column: 0 })
  expect(walked({ row: 3, column: 3 }, key('End'), 30)).toEqual({ row: 3, column: 29 })
  expect(walked({ row: 3, column: 3 }, key('PageDown'), 30)).toEqual({ row: 29, column: 3 })
  expect(walked({ row: 3, column: 3 }, key('x'), 30)).toBeNull()
  expect(walked(null, key('Home'), 0)).toBeNull()
})

test('runs the color scale from minimum to maximum with monotonic lightness, in both themes', () => {
  for (const dark of [false, true]) {
    const table = heatTable(dark)
    const light = Array.from({ length: 256 }, (_, step) => {
      const [r = 0, g = 0, b = 0] = table.subarray(step * 4)
      return 0.2126 * r + 0.7152 * g + 0.0722 * b
    })
    const turns = light.filter((value, at) => {
      const before = light[at - 1]
      return before !== undefined && (dark ? value < before - 1 : value > before + 1)
    })
    expect(turns).toEqual([])
    const pixels = new Uint8ClampedArray(16)
    paintValues(Float32Array.from([-1, 0.5, 2, Number.NaN]), pixels, table, [0, 1])
    expect([...pixels.subarray(0, 4)]).toEqual([...table.subarray(0, 4)])
    expect([...pixels.subarray(8, 12)]).toEqual([...table.subarray(255 * 4)])
    expect(pixels[15]).toBe(0)
  }
})

test('fits points with a margin, and returns the points inside a drawn line', () => {
  const { x, y, scale } = fitPoints(Float32Array.from([0, 0, 10, 4]), 100, 100)
  expect([x, y]).toEqual([5, 2])
  expect(scale).toBeCloseTo(8.8, 9)
  expect(fitPoints(new Float32Array(), 100, 100)).toEqual({ x: 0, y: 0, scale: 1 })
  const line = [
    [0, 0],
    [10, 0],
    [10, 10],
    [0, 10],
  ] as const
  expect([isInside(5, 5, line), isInside(15, 5, line), isInside(5, -1, line)]).toEqual([
    true,
    false,
    false,
  ])
})

test('draws the same neighbor map each time, and separates clusters', async () => {
  const random = randomFrom(11)
  const centres = Array.from({ length: 3 }, () => Array.from({ length: 24 }, () => random() - 0.5))
  const vectors = Array.from({ length: 60 }, (_, row) =>
    (centres[row % 3] ?? []).map((value) => value + (random() - 0.5) * 0.1),
  )
  const matrix = readMatrix(Float32Array.from(vectors.flat()).buffer, 24)
  const watch = { progress: () => undefined, breathe: async () => undefined }
  const one = await neighbourMap(matrix, rowsThere(matrix), watch)
  expect(await neighbourMap(matrix, rowsThere(matrix), watch)).toEqual(one)
  const far = (a: number, b: number): number =>
    Math.hypot((one[a * 2] ?? 0) - (one[b * 2] ?? 0), (one[a * 2 + 1] ?? 0) - (one[b * 2 + 1] ?? 0))
  for (let row = 0; row < 60; row++) {
    const [nearest] = Array.from({ length: 60 }, (_, other) => other)
      .filter((other) => other !== row)
      .toSorted((a, b) => far(row, a) - far(row, b))
    expect((nearest ?? 0) % 3).toBe(row % 3)
  }
})
