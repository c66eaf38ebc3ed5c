import type { Block, BlockKind } from '../../../../../shared/model/document.ts'
import type { Anchor } from './anchor.ts'
import { createBoxGrid, type BoxGrid } from './box-grid.ts'
import type { BlocksOf } from './reading-order.ts'
import type { Turn } from './page-source.ts'
import { plainPoint } from './rotated-box.ts'

/** Options of hit-testing blocks. */
export interface BlockPointerOptions {
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
