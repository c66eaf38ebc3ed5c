import { onScopeDispose, type Ref, type ShallowRef } from 'vue'
import { tileSize } from '../../../../../shared/knowledge/embeddings/levels.ts'
import { colors } from '../../../kit/theme.ts'
import { heatTable, paintValues } from './heat-scale.ts'
import { tilesIn, type HeatCell, type HeatView } from './heat-view.ts'
import type { RowOrder } from './vectors/messages.ts'
import type { AskVectors } from './vectors/use-vectors.ts'
import { createLatest } from '../../../kit/use-latest.ts'

/** Data of a heat map. */
interface HeatDrawing {
  readonly canvas: Readonly<ShallowRef<HTMLCanvasElement | null>>
  readonly order: Ref<RowOrder>
  readonly view: ShallowRef<HeatView>
  readonly cursor: ShallowRef<HeatCell | null>
  /** Width and height of the canvas, in CSS pixels. */
  readonly pixels: Ref<number>
  cells(): number
  dark(): boolean
  /** Returns the values at both ends of the scale. */
  range(): readonly [number, number]
}

/**
 * Tiles of a heat map: each is requested from the worker once, cached as an image, and drawn at its position in the view.
 */
export function useHeatTiles(drawing: HeatDrawing, ask: AskVectors) {
  const { canvas, order, view, cursor, pixels } = drawing
  const tiles = new Map<string, ImageBitmap | 'asked'>()
  const latest = createLatest()
  let waits = false

  /** Discards all tiles after a change of order or colors. */
  const forget = (): void => {
    latest.cancel()
    for (const tile of tiles.values()) if (tile !== 'asked') tile.close()
    tiles.clear()
  }
  const fetchTile = async (
    key: string,
    level: number,
    row: number,
    column: number,
  ): Promise<void> => {
    const isLatest = latest.current()
    tiles.set(key, 'asked')
    const answer = await ask({ type: 'tile', order: order.value, level, row, column })
    if (!answer || !isLatest()) return
    const image = new ImageData(tileSize, tileSize)
    paintValues(answer.values, image.data, heatTable(drawing.dark()), drawing.range())
    const bitmap = await createImageBitmap(image)
    if (!isLatest()) return bitmap.close()
    tiles.set(key, bitmap)
    draw()
  }
  /** Draws in the next frame, once for any number of calls. */
  const draw = (): void => {
    if (waits) return
    waits = true
    requestAnimationFrame(() => {
      waits = false
      paint()
    })
  }
  const paint = (): void => {
    const context = canvas.value?.getContext('2d')
    if (!context || !canvas.value) return
    const ratio = devicePixelRatio
    const side = Math.round(pixels.value * ratio)
    if (canvas.value.width !== side) canvas.value.width = canvas.value.height = side
    context.setTransform(ratio, 0, 0, ratio, 0, 0)
    context.clearRect(0, 0, pixels.value, pixels.value)
    context.imageSmoothingEnabled = false
    for (const { level, row, column, x, y, size } of tilesIn(
      view.value,
      drawing.cells(),
      pixels.value,
    )) {
      const key = `${level} ${row} ${column}`
      const tile = tiles.get(key)
      if (tile === undefined) void fetchTile(key, level, row, column)
      else if (tile !== 'asked') context.drawImage(tile, x, y, size, size)
    }
    if (cursor.value) paintCursor(context, cursor.value)
  }
  const paintCursor = (context: CanvasRenderingContext2D, { row, column }: HeatCell): void => {
    const { left, top, scale } = view.value
    const size = Math.max(6, scale) + 2
    const [x, y] = [(column - left) * scale - 1, (row - top) * scale - 1]
    // Light and dark lines around each other are visible on every color of the scale.
    for (const [width, name] of [
      [3, 'surface'],
      [1.5, 'text'],
    ] as const) {
      context.lineWidth = width
      context.strokeStyle = colors[name][drawing.dark() ? 1 : 0]
      context.strokeRect(x, y, size, size)
    }
  }
  onScopeDispose(forget)
  return { draw, forget }
}
