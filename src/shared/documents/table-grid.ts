/**
 * Cell as in the table source: `colspan` and `rowspan` from 1; a `rowspan` of 0 extends to the end of the table.
 */
export interface Cell {
  readonly text: string
  readonly colspan: number
  readonly rowspan: number
  readonly header: boolean
}

/** Grid position: the cell that covers it, and where that cell begins. */
interface Slot<C extends Cell = Cell> {
  readonly cell: C
  readonly row: number
  readonly column: number
}

/** Table with expanded spans. */
export interface Grid<C extends Cell = Cell> {
  /**
   * Slots by row and column; null is a position that no cell covers. A row that ends early is empty to its right.
   */
  readonly rows: readonly (readonly (Slot<C> | null)[])[]
  /** Number of columns of the widest row. */
  readonly columns: number
  /** Whether any cell covers more than one position. */
  readonly spans: boolean
  /** Whether spans required more than `places` positions and were reduced to one. */
  readonly cut: boolean
}

/** Maximum number of columns of one cell (HTML's own limit). */
const widest = 1000

const whole = (value: number, max: number): number =>
  Number.isFinite(value) ? Math.min(Math.max(Math.trunc(value), 1), max) : 1

/**
 * Lays out the cells of a table on a grid with expanded spans, as HTML's table model does: a cell takes the next free
 * position of its row; no span extends below the last row; where two cells overlap, the first one wins. Spans together
 * fill at most `places` slots (a table of a few letters can require millions); after that, each cell covers one
 * position.
 */
export function fillGrid<C extends Cell>(
  rows: readonly (readonly C[])[],
  places = 400_000,
): Grid<C> {
  const filled: (Slot<C> | null)[][] = rows.map(() => [])
  let left = places
  let spans = false
  let cut = false
  for (const [row, cells] of rows.entries()) {
    let column = 0
    for (const cell of cells) {
      while (filled[row]?.[column]) column += 1
      const below = rows.length - row
      const wide = whole(cell.colspan, widest)
      const high = cell.rowspan === 0 ? below : whole(cell.rowspan, below)
      const needed = wide * high === 1 ? 0 : cost(filled, { row, column, wide, high }, left)
      const fits = needed <= left
      const size = fits ? { wide, high } : { wide: 1, high: 1 }
      left = fits ? left - needed : 0
      cut ||= !fits
      spans ||= size.wide * size.high > 1
      cover(filled, { cell, row, column }, size)
      column += size.wide
    }
  }
  return {
    rows: filled,
    columns: filled.reduce((max, row) => Math.max(max, row.length), 0),
    spans,
    cut,
  }
}

/**
 * Returns the number of slots that a cell would add: those it covers, and the empty ones needed in the rows below. Stops
 * above `most`.
 */
function cost(
  filled: readonly (readonly unknown[])[],
  area: {
    readonly row: number
    readonly column: number
    readonly wide: number
    readonly high: number
  },
  limit: number,
): number {
  let sum = area.wide * area.high
  for (let row = area.row; row < area.row + area.high && sum <= limit; row += 1) {
    sum += Math.max(0, area.column - (filled[row]?.length ?? 0))
  }
  return sum
}

function cover<C extends Cell>(
  filled: (Slot<C> | null)[][],
  slot: Slot<C>,
  size: { readonly wide: number; readonly high: number },
): void {
  for (let row = slot.row; row < slot.row + size.high; row += 1) {
    const places = filled[row]
    if (!places) return
    while (places.length < slot.column) places.push(null)
    for (let column = slot.column; column < slot.column + size.wide; column += 1) {
      places[column] ??= slot
    }
  }
}

/**
 * Returns whether a slot is the position where its cell begins, which has the text when spans are not repeated.
 */
export function beginsAt(slot: Slot, row: number, column: number): boolean {
  return slot.row === row && slot.column === column
}

/**
 * Returns the texts of a grid, row by row, with every row as long as the widest. `repeat`: a cell's text is in every
 * position it covers; `first`: only in its first. A grid that is much wider than its rows keeps their own lengths.
 */
export function gridTexts(grid: Grid, spans: 'repeat' | 'first'): string[][] {
  const pads = grid.rows.length * grid.columns <= 4_000_000
  return grid.rows.map((slots, row) =>
    Array.from({ length: pads ? grid.columns : slots.length }, (_, column) => {
      const slot = slots[column]
      if (!slot) return ''
      return spans === 'repeat' || beginsAt(slot, row, column) ? slot.cell.text : ''
    }),
  )
}
