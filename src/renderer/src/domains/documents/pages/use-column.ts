import {
  computed,
  nextTick,
  onBeforeUnmount,
  onMounted,
  ref,
  shallowRef,
  watch,
  type Ref,
} from 'vue'
import type { Box, PageSize } from '../../../../../shared/model/document.ts'
import { anchorAt, leftOf, scrollTo, type Anchor, type Column } from './column-geometry.ts'
import { createLayout, gap, pagesBetween, type PageRange } from './page-layout.ts'
import type { Turn } from './page-source.ts'
import { turnedBox } from './rotated-box.ts'
import { scaleOf, wheelScale, within, type Zoom } from './zoom.ts'

/** Options of a column of pages. */
interface ColumnOptions {
  /** Element that scrolls. */
  readonly view: Ref<HTMLElement | null>
  readonly sizes: () => readonly PageSize[]
  readonly unit: () => number
  readonly turn: Ref<Turn>
  readonly zoom: Ref<Zoom>
  /** Called once for each frame in which the column has moved. */
  readonly onMove: (pagesMoved: number) => void
}

/**
 * Scrolling and zooming of pages of known sizes: the visible content keeps its position when anything around it changes.
 */
export function useColumn({ view, sizes, unit, turn, zoom, onMove }: ColumnOptions) {
  const size = shallowRef<PageSize>({ width: 0, height: 0 })
  const fitted = ref(1)
  const layout = computed(() => createLayout(sizes(), turn.value, unit()))
  const scale = computed(() => scaleOf(zoom.value, layout.value, size.value, fitted.value))
  const width = computed(() =>
    Math.max(size.value.width, layout.value.widest * scale.value + 2 * gap),
  )
  const height = computed(() => layout.value.height(scale.value))
  const column = computed<Column>(() => ({
    layout: layout.value,
    scale: scale.value,
    width: width.value,
  }))
  const seen = shallowRef<PageRange>({ first: 1, last: 1 })
  const current = ref(1)
  /** Last known scroll position: reading it forces no layout. */
  let scroll = { left: 0, top: 0 }
  let direction: 1 | -1 = 1
  /** Anchor to preserve, and the point of the view where it is. */
  let held: { readonly anchor: Anchor; readonly x: number; readonly y: number } | null = null
  let frame = 0

  function take(): void {
    const element = view.value
    if (!element) return
    const before = scroll.top
    scroll = { left: element.scrollLeft, top: element.scrollTop }
    if (scroll.top !== before) direction = scroll.top > before ? 1 : -1
    const { layout: pages, scale: by } = column.value
    const next = pagesBetween(pages, by, scroll.top, scroll.top + size.value.height)
    if (next.first !== seen.value.first || next.last !== seen.value.last) seen.value = next
    current.value = pages.pageAt(scroll.top + size.value.height / 2, by)
    held = {
      anchor: anchorAt(column.value, scroll, size.value.width / 2, 0),
      x: size.value.width / 2,
      y: 0,
    }
    const page = Math.max(1, pages.size(current.value).height * by)
    onMove(Math.abs(scroll.top - before) / page)
  }
  function onScroll(): void {
    frame ||= requestAnimationFrame(() => {
      frame = 0
      take()
    })
  }
  function place(to: { readonly left: number; readonly top: number }): void {
    if (!view.value) return
    view.value.scrollLeft = to.left
    view.value.scrollTop = to.top
    take()
  }
  watch(
    column,
    (now) => {
      const keep = held
      if (keep) place(scrollTo(now, keep.anchor, keep.x, keep.y))
      else take()
    },
    { flush: 'post' },
  )
  watch(
    () => zoom.value.kind,
    () => (fitted.value = current.value),
    { flush: 'sync' },
  )

  /** Zooms around a point of the view; null is its middle. */
  function zoomTo(next: number, point: { readonly x: number; readonly y: number } | null): void {
    const { x, y } = point ?? { x: size.value.width / 2, y: size.value.height / 2 }
    const to = within(next, layout.value)
    if (to === scale.value) return
    held = { anchor: anchorAt(column.value, scroll, x, y), x, y }
    zoom.value = { kind: 'scale', scale: to }
  }
  function onWheel(event: WheelEvent): void {
    if (!event.ctrlKey && !event.metaKey) return
    event.preventDefault()
    const rect = view.value?.getBoundingClientRect()
    if (!rect) return
    const delta = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? event.deltaY * 33 : event.deltaY
    const point = { x: event.clientX - rect.left, y: event.clientY - rect.top }
    zoomTo(wheelScale(scale.value, delta), point)
  }
  /** Scrolls to a page, or to a box of it unless it is in view; `offset` is a fraction of the page's height. */
  function goTo(
    page: number,
    target: { readonly box?: Box | null; readonly offset?: number } = {},
  ): void {
    const number = Math.min(Math.max(Math.round(page), 1), layout.value.count)
    const { box, offset } = target
    if (!box) {
      const top = layout.value.top(number, scale.value)
      const high = layout.value.size(number).height * scale.value
      place({ left: scroll.left, top: offset === undefined ? top - gap : top + high * offset })
      return
    }
    const [left, above, right, below] = edges(number, turnedBox(box, turn.value))
    const margin = Math.min(48, size.value.height / 8)
    const fits = above >= scroll.top + margin && below <= scroll.top + size.value.height - margin
    const across = left >= scroll.left && right <= scroll.left + size.value.width
    place({
      left: across ? scroll.left : left - margin,
      top: fits ? scroll.top : above - Math.max(margin, (size.value.height - (below - above)) / 3),
    })
  }
  function edges(page: number, [left, top, right, bottom]: Box): Box {
    const { width: wide, height: high } = layout.value.size(page)
    const x = leftOf(column.value, page)
    const y = layout.value.top(page, scale.value)
    const [across, down] = [wide * scale.value, high * scale.value]
    return [x + left * across, y + top * down, x + right * across, y + bottom * down]
  }
  /** Returns the page under a point of the screen, and the position on it, as fractions of the rotated page. */
  function pointAt(clientX: number, clientY: number): Anchor | null {
    const rect = view.value?.getBoundingClientRect()
    if (!rect) return null
    const anchor = anchorAt(column.value, scroll, clientX - rect.left, clientY - rect.top)
    const inside = anchor.x >= 0 && anchor.x <= 1 && anchor.y >= 0 && anchor.y <= 1
    return inside && anchor.page > 0 ? anchor : null
  }

  const observer = new ResizeObserver(() => {
    const element = view.value
    if (element) size.value = { width: element.clientWidth, height: element.clientHeight }
  })
  onMounted(() => {
    const element = view.value
    if (!element) return
    size.value = { width: element.clientWidth, height: element.clientHeight }
    observer.observe(element)
    element.addEventListener('scroll', onScroll, { passive: true })
    element.addEventListener('wheel', onWheel, { passive: false })
    void nextTick(take)
  })
  onBeforeUnmount(() => {
    observer.disconnect()
    cancelAnimationFrame(frame)
    view.value?.removeEventListener('scroll', onScroll)
    view.value?.removeEventListener('wheel', onWheel)
  })

  return {
    layout,
    scale,
    width,
    height,
    column,
    seen,
    current,
    size,
    goTo,
    zoomTo,
    pointAt,
    scroll: () => scroll,
    direction: () => direction,
  }
}
