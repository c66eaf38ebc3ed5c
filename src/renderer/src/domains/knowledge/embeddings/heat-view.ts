import { tileSize } from '../../../../../shared/knowledge/embeddings/levels.ts'

/** Visible part of the matrix: its first cells, and the pixels of a cell. */
export interface HeatView {
  readonly left: number
  readonly top: number
  /** Pixels per cell. */
  readonly scale: number
}

/** Returns the view that shows everything. */
export const fitted = (cells: number, pixels: number): HeatView => ({
  left: 0,
  top: 0,
  scale: cells === 0 ? 1 : pixels / cells,
})

/** Maximum size of a cell, in pixels. */
const maxScale = 48

/** Zooms by a factor around a point (pixels) within the limits, and keeps the matrix on screen. */
export function zoomed(
  view: HeatView,
  factor: number,
  at: { readonly x: number; readonly y: number },
  cells: number,
  pixels: number,
): HeatView {
  const minScale = fitted(cells, pixels).scale
  const scale = Math.min(Math.max(maxScale, minScale), Math.max(minScale, view.scale * factor))
  return clampView(
    {
      left: view.left + at.x / view.scale - at.x / scale,
      top: view.top + at.y / view.scale - at.y / scale,
      scale,
    },
    cells,
    pixels,
  )
}

/** Returns a view clamped to the cells. */
export function clampView(view: HeatView, cells: number, pixels: number): HeatView {
  const max = Math.max(0, cells - pixels / view.scale)
  const within = (value: number): number => Math.min(max, Math.max(0, value))
  return { left: within(view.left), top: within(view.top), scale: view.scale }
}

/** Returns a view in which a cell is visible. */
export function revealing(
  view: HeatView,
  row: number,
  column: number,
  cells: number,
  pixels: number,
): HeatView {
  const across = pixels / view.scale
  const to = (start: number, cell: number): number =>
    cell < start ? cell : cell + 1 > start + across ? cell + 1 - across : start
  return clampView(
    { left: to(view.left, column), top: to(view.top, row), scale: view.scale },
    cells,
    pixels,
  )
}

/** Returns the level at which a group takes at least one pixel. */
export const levelFor = (scale: number): number =>
  Math.max(0, Math.ceil(Math.log2(1 / Math.max(1e-6, scale))))

/** A tile of a level with its position on the canvas, in pixels. */
interface PlacedTile {
  readonly level: number
  readonly row: number
  readonly column: number
  readonly x: number
  readonly y: number
  readonly size: number
}

/** Returns the visible tiles. */
export function tilesIn(view: HeatView, cells: number, pixels: number): readonly PlacedTile[] {
  const level = levelFor(view.scale)
  const side = tileSize * 2 ** level
  const across = pixels / view.scale
  const last = (start: number): number =>
    Math.min(Math.ceil(cells / side) - 1, Math.floor((start + across) / side))
  const tiles: PlacedTile[] = []
  for (let row = Math.floor(view.top / side); row <= last(view.top); row++)
    for (let column = Math.floor(view.left / side); column <= last(view.left); column++)
      tiles.push({
        level,
        row,
        column,
        x: (column * side - view.left) * view.scale,
        y: (row * side - view.top) * view.scale,
        size: side * view.scale,
      })
  return tiles
}

/** A cell of the matrix, by indexes of the row order. */
export interface HeatCell {
  readonly row: number
  readonly column: number
}

/** Cells that a key moves by, rows and columns; with Shift the arrows move by ten. */
const steps: Readonly<Record<string, readonly [rows: number, columns: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  PageUp: [-50, 0],
  PageDown: [50, 0],
  Home: [0, -Infinity],
  End: [0, Infinity],
}

/**
 * Returns the cursor after a key; the first key shows it at the beginning. Null for other keys and if there are no cells.
 */
export function walked(
  from: HeatCell | null,
  { key, shiftKey }: { readonly key: string; readonly shiftKey: boolean },
  cells: number,
): HeatCell | null {
  const step = steps[key]
  if (!step || cells === 0) return null
  if (!from) return { row: 0, column: 0 }
  const times = shiftKey && key.startsWith('Arrow') ? 10 : 1
  const within = (place: number): number => Math.min(cells - 1, Math.max(0, place))
  return { row: within(from.row + step[0] * times), column: within(from.column + step[1] * times) }
}
