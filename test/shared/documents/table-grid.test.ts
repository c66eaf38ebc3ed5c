import { expect, test } from 'vitest'
import type { Cell } from '../../../src/shared/documents/table-grid.ts'
import { beginsAt, fillGrid, gridTexts } from '../../../src/shared/documents/table-grid.ts'

const cell = (text: string, colspan = 1, rowspan = 1): Cell => ({
  text,
  colspan,
  rowspan,
  header: false,
})

test('uses a plain table as its own grid', () => {
  const grid = fillGrid([
    [cell('a'), cell('b')],
    [cell('c'), cell('d')],
  ])
  expect(grid).toMatchObject({ columns: 2, spans: false, cut: false })
  expect(gridTexts(grid, 'first')).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ])
})

test('pushes other cells aside for spanning cells', () => {
  const grid = fillGrid([
    [cell('a', 2), cell('b', 1, 2)],
    [cell('c'), cell('d')],
    [cell('e', 1, 2), cell('f', 2, 2)],
    [],
  ])
  expect(grid).toMatchObject({ columns: 3, spans: true })
  expect(gridTexts(grid, 'repeat')).toEqual([
    ['a', 'a', 'b'],
    ['c', 'd', 'b'],
    ['e', 'f', 'f'],
    ['e', 'f', 'f'],
  ])
  expect(gridTexts(grid, 'first')).toEqual([
    ['a', '', 'b'],
    ['c', 'd', ''],
    ['e', 'f', ''],
    ['', '', ''],
  ])
})

test('ends a span with the table; 0 spans to its end', () => {
  const grid = fillGrid([[cell('a', 1, 9), cell('b')], [cell('c')], [cell('d')]])
  expect(gridTexts(grid, 'repeat').map((row) => row.join(' '))).toEqual(['a b', 'a c', 'a d'])
  expect(gridTexts(fillGrid([[cell('a', 1, 0)], [], []]), 'repeat')).toEqual([['a'], ['a'], ['a']])
})

test('keeps the first of two overlapping cells', () => {
  const grid = fillGrid([[cell('a'), cell('b', 1, 2)], [cell('c', 2)]])
  expect(gridTexts(grid, 'repeat')).toEqual([
    ['a', 'b'],
    ['c', 'b'],
  ])
})

test('leaves uncovered positions empty', () => {
  const grid = fillGrid([[cell('a'), cell('b'), cell('c', 1, 2)], [cell('d')]])
  expect(grid.rows[1]?.[1]).toBeNull()
  expect(gridTexts(grid, 'repeat')[1]).toEqual(['d', '', 'c'])
})

test('treats invalid spans as one, and limits them to 1000', () => {
  const grid = fillGrid([[cell('a', -4, Number.NaN), cell('b', 1e9)]])
  expect(grid.columns).toBe(1001)
  expect(gridTexts(grid, 'first')[0]?.slice(0, 3)).toEqual(['a', 'b', ''])
})

test('limits a table that requests millions of positions', () => {
  const rows = Array.from({ length: 3000 }, (_, row) => [cell(`${row}`, 1000, 1000)])
  const grid = fillGrid(rows, 10_000)
  expect(grid.cut).toBe(true)
  expect(grid.rows.flat().filter(Boolean).length).toBeLessThan(20_000)
  expect(gridTexts(grid, 'first').map((row) => row.find((text) => text !== ''))).toEqual(
    rows.map((_, row) => `${row}`),
  )
})

test('starts every cell at exactly one position', () => {
  const rows = [
    [cell('a', 3, 2), cell('b', 2)],
    [cell('c'), cell('d', 2, 3)],
    [cell('e', 2, 2), cell('f')],
    [cell('g'), cell('h')],
  ]
  const grid = fillGrid(rows)
  const begun = grid.rows.flatMap((slots, row) =>
    slots.flatMap((slot, column) => (slot && beginsAt(slot, row, column) ? [slot.cell.text] : [])),
  )
  expect(begun.toSorted()).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'])
})

test('keeps the length of rows much narrower than the widest', () => {
  const rows = [
    Array.from({ length: 5000 }, () => cell('w')),
    ...Array.from({ length: 5000 }, () => [cell('n')]),
  ]
  const texts = gridTexts(fillGrid(rows), 'first')
  expect(texts[0]).toHaveLength(5000)
  expect(texts[1]).toEqual(['n'])
})

test('does not fill the area before a distant cell that spans many rows', () => {
  const first = [...Array.from({ length: 20_000 }, () => cell('w')), cell('deep', 1, 0)]
  const grid = fillGrid([first, ...Array.from({ length: 20_000 }, () => [cell('n')])])
  expect(grid.cut).toBe(true)
  expect(grid.rows.reduce((sum, row) => sum + row.length, 0)).toBeLessThan(500_000)
})
