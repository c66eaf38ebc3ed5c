import { createCanvas } from '@napi-rs/canvas'
import type { Canvas } from '@napi-rs/canvas'
import { expect, test } from 'vitest'
import { bodySizeOf, layoutPage } from '../../src/local-service/engines/pages/layout/layout.ts'
import { splitAtGutters } from '../../src/local-service/engines/pages/ocr/gaps.ts'
import type { Quad } from '../../src/local-service/engines/pages/ocr/quad.ts'
import { steadySizes } from '../../src/local-service/engines/pages/ocr/sizes.ts'

const left = { from: 100, to: 500 }
const right = { from: 526, to: 926 }
const rows = 12
const leading = 29
const lineHeight = 26

/** Creates a page of two columns with a narrow gutter: each line is a bar of ink with word spaces. */
function twoColumns(): Canvas {
  const canvas = createCanvas(1026, 100 + rows * leading)
  const context = canvas.getContext('2d')
  context.fillStyle = '#fff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.fillStyle = '#111'
  for (let row = 0; row < rows; row++)
    for (const { from, to } of [left, right])
      for (let word = 0; word < 5; word++) {
        const wide = (to - from - 4 * 8) / 5
        context.fillRect(from + word * (wide + 8), 53 + row * leading, wide, 14)
      }
  return canvas
}

const quad = (row: number, from: number, to: number, height = lineHeight): Quad => ({
  x: (from + to) / 2,
  y: 60 + row * leading,
  width: to - from,
  height,
  angle: 0,
})

/**
 * Simulates detection on such a page: some lines across the gutter, some with a bit of the other column, some boxes too
 * high.
 */
const detected = (): Quad[] =>
  Array.from({ length: rows }, (_, row) => {
    const high = row % 3 === 0 ? 32 : lineHeight
    if (row % 2 === 0) return [quad(row, left.from - 4, right.to + 4, high)]
    if (row === 5)
      return [quad(row, left.from - 4, right.from + 18), quad(row, right.from - 6, right.to + 4)]
    return [quad(row, left.from - 4, left.to + 10), quad(row, right.from - 10, right.to + 4, high)]
  })
    .flat()
    .concat(quad(7, 504, 522, 15))

test('ends lines at a narrow gutter and leaves it empty', () => {
  const lines = splitAtGutters(twoColumns(), detected())
  expect(lines).toHaveLength(2 * rows)
  for (const { x, width } of lines) {
    const column = x < 513 ? left : right
    expect(Math.abs(x - width / 2 - column.from)).toBeLessThan(12)
    expect(Math.abs(x + width / 2 - column.to)).toBeLessThan(12)
    expect(x < 513 ? 513 - (x + width / 2) : x - width / 2 - 513).toBeGreaterThan(5)
  }
})

test('reads a scan in two close columns as two consecutive texts without headings', () => {
  const lines = splitAtGutters(twoColumns(), detected())
  const sizes = steadySizes(lines)
  const runs = lines.map(({ x, y, width, height }, i) => ({
    text: `${x < 513 ? 'left' : 'right'} column has words in every line`,
    box: [x - width / 2, y - height / 2, x + width / 2, y + height / 2] as const,
    size: sizes[i] ?? 0,
    bold: false,
    spaceBefore: true,
  }))
  const page = { width: 1026, height: 100 + rows * leading, runs, ocr: true }
  const nothing = { turned: [], images: [], rules: [], inks: [] }
  const around = { pageNumber: 1, bodySize: bodySizeOf(runs), neighbours: [] }
  const blocks = layoutPage({ ...page, ...nothing }, around)
  expect(blocks.map(({ nativeLabel }) => nativeLabel)).toEqual(['text', 'text'])
  expect(blocks[0]?.content).not.toContain('right')
  expect(blocks[1]?.content).not.toContain('left')
})

test('evens out sizes of lines, but not of headings and notes', () => {
  const heights = [28, 34, 26, 30, 45, 18]
  const lines = heights.map((height) => ({ width: 400, height }))
  const sizes = steadySizes([...lines, { width: 900, height: 28 }, { width: 900, height: 44 }])
  expect(new Set(sizes.slice(0, 4)).size).toBe(1)
  expect(sizes[4]).toBe(0.75 * 45)
  expect(sizes[5]).toBe(0.75 * 18)
  // Half a page wide and slightly higher: two lines in one box.
  expect(sizes[7]).toBe(sizes[0])
})
