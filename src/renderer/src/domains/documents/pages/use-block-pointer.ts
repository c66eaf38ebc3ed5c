import type { Block, BlockKind, Box } from '../../../../../shared/model/document.ts'
import type { Anchor } from './column-geometry.ts'
import type { BlocksOf } from './reading-order.ts'
import type { Turn } from './page-source.ts'
import { plainPoint } from './rotated-box.ts'

/** Options of hit-testing blocks. */
interface BlockPointerOptions {
  readonly blocks: BlocksOf
  /** Returns the shown block types; the others cannot be hovered. Null shows all. */
  readonly kinds: () => ReadonlySet<BlockKind> | null
  readonly turn: () => Turn
  readonly pointAt: (clientX: number, clientY: number) => Anchor | null
}

/** Maximum pixels that a pointer may move between down and up for a click. */
const still = 4

/** Finds the block under the pointer, with a grid created once for each page and list of its blocks. */
export function useBlockPointer({ blocks, kinds, turn, pointAt }: BlockPointerOptions) {
  let grids = new WeakMap<readonly Block[], BoxGrid>()
  let gridsOf: ReadonlySet<BlockKind> | null = null
  let down = { x: 0, y: 0 }

  function gridOf(page: readonly Block[]): BoxGrid {
    const shown = kinds()
    if (shown !== gridsOf) {
      grids = new WeakMap()
      gridsOf = shown
    }
    const known = grids.get(page)
    if (known) return known
    const grid = createBoxGrid(shown ? page.filter(({ kind }) => shown.has(kind)) : page)
    grids.set(page, grid)
    return grid
  }

  return {
    blockAt(clientX: number, clientY: number): Block | null {
      const point = pointAt(clientX, clientY)
      if (!point) return null
      const page = blocks(point.page)
      if (page.length === 0) return null
      const id = gridOf(page).at(...plainPoint(point.x, point.y, turn()))
      return id === null ? null : (page.find((block) => block.id === id) ?? null)
    },
    press(event: PointerEvent): void {
      down = { x: event.clientX, y: event.clientY }
    },
    /** Whether this is a click on the page and not the end of a selection. */
    isClick(event: MouseEvent): boolean {
      const moved = Math.hypot(event.clientX - down.x, event.clientY - down.y)
      return moved <= still && (window.getSelection()?.isCollapsed ?? true)
    },
  }
}

/** An object on a page that can be hovered. */
interface Boxed {
  readonly id: string
  readonly box: Box | null
}

/** Finds the object under a point of one page. */
interface BoxGrid {
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
