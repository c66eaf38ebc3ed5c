import type { Ref, ShallowRef } from 'vue'
import {
  fitted,
  clampView,
  revealing,
  walked,
  zoomed,
  type HeatCell,
  type HeatView,
} from './heat-view.ts'

/** State changed by the controls: the view, the cell of the cursor and the one under the pointer. */
interface HeatMoved {
  readonly canvas: Readonly<ShallowRef<HTMLCanvasElement | null>>
  /** Number of rows, and side length of the drawing in pixels. */
  cells(): number
  pixels(): number
  readonly view: Ref<HeatView>
  readonly cursor: Ref<HeatCell | null>
  readonly hovered: Ref<HeatCell | null>
}

/** Pointer, wheel and keys of a heat map: drag pans, wheel and plus zoom, a click and arrows select a cell. */
export function useHeatMoves({ canvas, cells, pixels, view, cursor, hovered }: HeatMoved) {
  function cellAt(event: MouseEvent): HeatCell | null {
    const { left, top, scale } = view.value
    const column = Math.floor(left + event.offsetX / scale)
    const row = Math.floor(top + event.offsetY / scale)
    const inside = row >= 0 && column >= 0 && row < cells() && column < cells()
    return inside ? { row, column } : null
  }
  let dragged: { x: number; y: number; view: HeatView; moved: boolean } | null = null
  function onDown(event: PointerEvent): void {
    dragged = { x: event.clientX, y: event.clientY, view: view.value, moved: false }
    canvas.value?.setPointerCapture(event.pointerId)
  }
  function onMove(event: PointerEvent): void {
    if (!dragged) {
      hovered.value = cellAt(event)
      return
    }
    const [x, y] = [event.clientX - dragged.x, event.clientY - dragged.y]
    if (Math.hypot(x, y) > 3) dragged.moved = true
    const { left, top, scale } = dragged.view
    if (dragged.moved)
      view.value = clampView(
        { left: left - x / scale, top: top - y / scale, scale },
        cells(),
        pixels(),
      )
  }
  function onUp(event: PointerEvent): void {
    if (dragged && !dragged.moved) cursor.value = cellAt(event)
    dragged = null
  }
  function onWheel(event: WheelEvent): void {
    if (
      !event.ctrlKey &&
      !event.metaKey &&
      !event.altKey &&
      document.activeElement !== canvas.value
    )
      return
    event.preventDefault()
    zoom(Math.exp(-event.deltaY / 300), { x: event.offsetX, y: event.offsetY })
  }
  function zoom(factor: number, at = { x: pixels() / 2, y: pixels() / 2 }): void {
    view.value = zoomed(view.value, factor, at, cells(), pixels())
  }
  function onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === '+' || event.key === '=' || event.key === '-' || event.key === '0') {
      event.preventDefault()
      if (event.key === '0') view.value = fitted(cells(), pixels())
      else zoom(event.key === '-' ? 1 / 1.6 : 1.6)
      return
    }
    const to = walked(cursor.value, event, cells())
    if (!to) return
    event.preventDefault()
    hovered.value = null
    cursor.value = to
    view.value = revealing(view.value, to.row, to.column, cells(), pixels())
  }
  return { onDown, onMove, onUp, onWheel, onKey, zoom }
}
