import type { Ref, ShallowRef } from 'vue'
import { pointAt, toScreen, type PointDrawing } from './draw-points.ts'
import { isInside, type PlaneView } from './point-view.ts'

/** State of a map of points that its controls change. */
interface PointsMoved {
  readonly canvas: Readonly<ShallowRef<HTMLCanvasElement | null>>
  /** Returns the present drawing. */
  drawn(): PointDrawing
  readonly view: Ref<PlaneView>
  /** Row under the pointer. */
  readonly hovered: Ref<number | null>
  readonly chosen: Ref<ReadonlySet<number>>
  readonly line: Ref<PointDrawing['line']>
  /** Fits all points into the view. */
  fit(): void
}

/**
 * Pointer, wheel and keys of a map of points: drag pans, wheel and plus zoom, a click selects a point, Shift draws a lasso
 * around several.
 */
export function usePointMoves({ canvas, drawn, view, hovered, chosen, line, fit }: PointsMoved) {
  function nearest(event: MouseEvent): number | null {
    return pointAt(drawn(), event.offsetX, event.offsetY)
  }
  let dragged: { x: number; y: number; view: PlaneView; moved: boolean; lasso: boolean } | null =
    null
  function onDown(event: PointerEvent): void {
    dragged = {
      x: event.clientX,
      y: event.clientY,
      view: view.value,
      moved: false,
      lasso: event.shiftKey,
    }
    if (event.shiftKey) line.value = [[event.offsetX, event.offsetY]]
    canvas.value?.setPointerCapture(event.pointerId)
  }
  function onMove(event: PointerEvent): void {
    if (!dragged) {
      hovered.value = nearest(event)
      return
    }
    const [x, y] = [event.clientX - dragged.x, event.clientY - dragged.y]
    if (Math.hypot(x, y) > 3) dragged.moved = true
    if (dragged.lasso) line.value = [...line.value, [event.offsetX, event.offsetY]]
    else if (dragged.moved) {
      const { view: from } = dragged
      view.value = { ...from, x: from.x - x / from.scale, y: from.y - y / from.scale }
    }
  }
  function onUp(event: PointerEvent): void {
    if (dragged?.lasso) {
      const inside = [...drawn().rows].filter((_, place) => {
        const [x, y] = toScreen(drawn(), place)
        return isInside(x, y, line.value)
      })
      chosen.value = new Set(inside)
      line.value = []
    } else if (dragged && !dragged.moved) {
      const row = nearest(event)
      chosen.value = row === null ? new Set() : new Set([row])
    }
    dragged = null
  }
  function onWheel(event: WheelEvent): void {
    if (!event.ctrlKey && !event.metaKey && document.activeElement !== canvas.value) return
    event.preventDefault()
    zoom(Math.exp(-event.deltaY / 300))
  }
  function zoom(factor: number): void {
    view.value = { ...view.value, scale: view.value.scale * factor }
  }
  function onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const by = 40 / view.value.scale
    const moves: Readonly<Record<string, () => void>> = {
      '+': () => zoom(1.4),
      '=': () => zoom(1.4),
      '-': () => zoom(1 / 1.4),
      '0': fit,
      ArrowLeft: () => (view.value = { ...view.value, x: view.value.x - by }),
      ArrowRight: () => (view.value = { ...view.value, x: view.value.x + by }),
      ArrowUp: () => (view.value = { ...view.value, y: view.value.y - by }),
      ArrowDown: () => (view.value = { ...view.value, y: view.value.y + by }),
      Escape: () => (chosen.value = new Set()),
    }
    const move = moves[event.key]
    if (!move) return
    event.preventDefault()
    move()
  }
  return { onDown, onMove, onUp, onWheel, onKey, zoom }
}
