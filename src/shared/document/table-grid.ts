/** A cell as a table's source has it: `colspan` and `rowspan` from 1; a `rowspan` of 0 reaches the end of the table. */
export interface Cell {
  readonly text: string
  readonly colspan: number
  readonly rowspan: number
  readonly header: boolean
}

/** One place of a grid: the cell that covers it, and where that cell begins. */
export interface Slot<C extends Cell = Cell> {
  readonly cell: C
  readonly row: number
  readonly column: number
}

/** A table with its spans filled. */
export interface Grid<C extends Cell = Cell> {
  /** Slots by row and column; null is a place no cell covers. A row that ends early is empty to its right. */
  readonly rows: readonly (readonly (Slot<C> | null)[])[]
  /** Of the widest row. */
  readonly columns: number
  /** Some cell covers more than one place. */
  readonly spans: boolean
  /** Spans asked for more places than `places`, and were cut to one. */
  readonly cut: boolean
}

/** How many columns one cell may cover (HTML's own limit). */
const widest = 1000

const whole = (value: number, max: number): number =>
  Number.isFinite(value) ? Math.min(Math.max(Math.trunc(value), 1), max) : 1

/**
 * Lays the cells of a table out on its grid, spans filled in, as HTML's table model does: a cell takes the next free
 * place of its row; no span reaches below the last row; where two cells meet, the first one stays. Spans together fill
 * at most `places` slots (a table of a few letters can ask for millions), after which cells cover one place each.
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

/** Slots that a cell would add: those it covers, and the empty ones that rows below need to reach it. Stops past `most`. */
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

/** Whether a slot is the place its cell begins at: the one that carries the text when spans are not repeated. */
export function beginsAt(slot: Slot, row: number, column: number): boolean {
  return slot.row === row && slot.column === column
}

/**
 * The texts of a grid, row by row, every row as long as the widest. `repeat`: a cell's text stands in every place it
 * covers; `first`: only in its first. A grid that is far wider than its rows are long keeps the rows' own lengths.
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
