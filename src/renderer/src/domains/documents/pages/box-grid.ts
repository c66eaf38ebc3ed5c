import type { Box } from '../../../../../shared/model/document.ts'

/** An object on a page that can be hovered. */
export interface Boxed {
  readonly id: string
  readonly box: Box | null
}

/** Finds the object under a point of one page. */
export interface BoxGrid {
  /**
   * Returns the ID of the smallest box that contains the point (fractions); of two equal ones the later. Null when there
   * is none.
   */
  at(x: number, y: number): string | null
}

/** Number of cells along each side: a page of 150 blocks has about one of them in a cell. */
const side = 16

/**
 * Sorts the boxes of one page into cells, smallest first, so that a moving pointer checks a few instead of all.
 */
export function createBoxGrid(boxes: readonly Boxed[]): BoxGrid {
  const cells = new Map<number, Boxed[]>()
  const sorted = boxes
    .map((boxed, order) => ({ boxed, order, area: boxed.box ? areaOf(boxed.box) : Infinity }))
    .filter(({ boxed }) => boxed.box !== null)
    .toSorted((a, b) => a.area - b.area || b.order - a.order)
  for (const { boxed } of sorted) for (const cell of cellsOf(boxed.box)) put(cells, cell, boxed)
  return {
    at(x, y) {
      const found = cells.get(cellOf(x, y))?.find(({ box }) => box && holds(box, x, y))
      return found?.id ?? null
    },
  }
}

function put(cells: Map<number, Boxed[]>, cell: number, boxed: Boxed): void {
  const there = cells.get(cell)
  if (there) there.push(boxed)
  else cells.set(cell, [boxed])
}

function* cellsOf(box: Box | null): Generator<number> {
  if (!box) return
  const [left, top, right, bottom] = box
  for (let row = index(top); row <= index(bottom); row++)
    for (let column = index(left); column <= index(right); column++) yield row * side + column
}

function cellOf(x: number, y: number): number {
  return index(y) * side + index(x)
}

function index(fraction: number): number {
  return Math.min(Math.max(Math.floor(fraction * side), 0), side - 1)
}

function holds([left, top, right, bottom]: Box, x: number, y: number): boolean {
  return left <= x && x <= right && top <= y && y <= bottom
}

function areaOf([left, top, right, bottom]: Box): number {
  return (right - left) * (bottom - top)
}
