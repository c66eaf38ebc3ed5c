import { onBeforeUnmount, watch, type Ref } from 'vue'
import { leftOf, type Column, type Scroll } from './column-geometry.ts'
import { createCanvasPool } from './canvas-pool.ts'
import { covers, planCanvas, type CanvasPlan, type Part } from './canvas-size.ts'
import { drawOrder } from './draw-order.ts'
import type { PageRange } from './page-layout.ts'
import type { PageSource, Turn } from './page-source.ts'
import { createRenderQueue, type RenderTask } from './render-queue.ts'
import { drawThumbnail, thumbnailOf, type Thumbnails } from './thumbnails.ts'

/** Options of the drawing. */
interface DrawingOptions {
  /** Null while nothing can be drawn yet. */
  readonly source: () => PageSource | null
  readonly thumbnails: () => Thumbnails | null
  readonly turn: Ref<Turn>
  readonly column: Ref<Column>
  readonly seen: Ref<PageRange>
  readonly current: Ref<number>
  readonly view: Ref<{ readonly width: number; readonly height: number }>
  readonly scroll: () => Scroll
  readonly direction: () => 1 | -1
  /** Called when a page has been drawn at full resolution. */
  readonly onDrawn: (page: number) => void
  /** Called when a page cannot be drawn. */
  readonly onFailed: (page: number) => void
}

/** Maximum number of canvases; one of them is being drawn while its page still shows the other. */
const canvases = 7
/**
 * Milliseconds after the last zoom step before the sharp drawing; until then the browser scales the old one.
 */
const settleMs = 120
/** Number of pages in one frame above which only thumbnails are shown, during fast scrolling. */
const flingPages = 3
/** Milliseconds without such movement after which fast scrolling has ended. */
const flungMs = 80
/** Milliseconds without drawing after which everything that can be recreated is freed. */
const restMs = 30_000

interface Drawn {
  readonly canvas: HTMLCanvasElement
  readonly plan: CanvasPlan
  readonly turn: Turn
}

/**
 * Draws canvases for the pages in view and next to it: one queue, at most seven canvases, no drawing during fast
 * scrolling.
 */
export function useDrawing(options: DrawingOptions) {
  const { turn, column, seen, current, view } = options
  const pool = createCanvasPool(canvases)
  const drawn = new Map<number, Drawn>()
  const hosts = new Map<number, HTMLElement>()
  /** Drawings in progress or requested, so that the same one is not requested with another key. */
  const planned = new Map<number, { readonly key: string; readonly plan: CanvasPlan }>()
  const failed = new Set<string>()
  let number = 0
  let settle = 0
  let rest = 0
  let flinging = false
  let fling = 0

  const queue = createRenderQueue({
    onIdle() {
      clearTimeout(rest)
      rest = window.setTimeout(() => options.source()?.rest?.(), restMs)
    },
  })

  function pixelsOf(page: number): { readonly width: number; readonly height: number } {
    const { layout, scale } = column.value
    const size = layout.size(page)
    return { width: size.width * scale, height: size.height * scale }
  }
  /** Returns the part of a page that is in view, in CSS pixels of the page. */
  function seenPart(page: number): Part {
    const { layout, scale } = column.value
    const size = pixelsOf(page)
    const { left, top } = options.scroll()
    const x = left - leftOf(column.value, page)
    const y = top - layout.top(page, scale)
    const cut = (from: number, length: number, whole: number): readonly [number, number] => {
      const start = Math.min(Math.max(from, 0), whole)
      return [start, Math.max(1, Math.min(from + length, whole) - start)]
    }
    const [fromX, wide] = cut(x, view.value.width, size.width)
    const [fromY, high] = cut(y, view.value.height, size.height)
    return { x: fromX, y: fromY, width: wide, height: high }
  }
  const fits = (plan: CanvasPlan, next: CanvasPlan, part: Part): boolean =>
    plan.width === next.width && plan.height === next.height && covers(plan.part, part)

  function renderTaskFor(page: number): RenderTask | null {
    const size = pixelsOf(page)
    if (size.width < 1 || size.height < 1) return null
    const part = seenPart(page)
    const plan = planCanvas(size.width, size.height, window.devicePixelRatio, part)
    // A page next to the view has no visible part to draw.
    if (plan.clip && (page < seen.value.first || page > seen.value.last)) return null
    const there = drawn.get(page)
    if (there && there.turn === turn.value && fits(there.plan, plan, part)) return null
    const before = planned.get(page)
    const reusable = before && fits(before.plan, plan, part) ? before : null
    const same = reusable ?? { key: `${page}:${plan.width}:${turn.value}:${number++}`, plan }
    planned.set(page, same)
    if (failed.has(`${page}:${turn.value}`)) return null
    return { key: same.key, run: (signal) => draw(page, same.plan, signal) }
  }
  async function draw(page: number, plan: CanvasPlan, signal: AbortSignal): Promise<void> {
    const source = options.source()
    const canvas = source ? (pool.take() ?? evict(page)) : null
    if (!source || !canvas) return
    const facing = turn.value
    try {
      const { width, height, clip } = plan
      const drawing = { canvas, page, turn: facing, width, height }
      await source.draw(clip ? { ...drawing, clip } : drawing, signal)
      signal.throwIfAborted()
    } catch (error) {
      pool.give(canvas)
      planned.delete(page)
      if (!drawn.has(page)) source.release?.(page)
      if (!signal.aborted) {
        failed.add(`${page}:${facing}`)
        options.onFailed(page)
        options.thumbnails()?.far()
      }
      throw error
    }
    planned.delete(page)
    put(page, { canvas, plan, turn: facing })
  }
  function put(page: number, next: Drawn): void {
    const host = hosts.get(page)
    if (!host) {
      pool.give(next.canvas)
      return
    }
    const size = pixelsOf(page)
    const { part } = next.plan
    // Fractions of the page, so that it keeps its position while the browser scales it.
    const percent = (length: number, whole: number): string => `${(length / whole) * 100}%`
    Object.assign(next.canvas.style, {
      left: part ? percent(part.x, size.width) : '0',
      top: part ? percent(part.y, size.height) : '0',
      width: part ? percent(part.width, size.width) : '100%',
      height: part ? percent(part.height, size.height) : '100%',
    })
    const old = drawn.get(page)
    host.append(next.canvas)
    if (old) pool.give(old.canvas)
    drawn.set(page, next)
    options.onDrawn(page)
    const thumbnails = options.thumbnails()
    thumbnails?.far()
    if (thumbnails && !part && next.turn === 0) void thumbnailOf(thumbnails, page, next.canvas)
  }
  /** Reuses the canvas of the most distant page. */
  function evict(page: number): HTMLCanvasElement | null {
    const far = [...drawn.keys()]
      .filter((other) => other !== page)
      .toSorted((a, b) => Math.abs(b - current.value) - Math.abs(a - current.value))[0]
    if (far === undefined) return null
    drop(far)
    return pool.take()
  }
  function drop(page: number): void {
    const there = drawn.get(page)
    drawn.delete(page)
    planned.delete(page)
    if (there) pool.give(there.canvas)
    options.source()?.release?.(page)
  }

  function previewTask(source: PageSource, page: number): RenderTask {
    const thumbnails = options.thumbnails()
    return {
      key: `small:${page}`,
      async run(signal) {
        if (!thumbnails) return
        await drawThumbnail(source, thumbnails, column.value.layout.size(page), page, signal)
        if (!drawn.has(page)) source.release?.(page)
      },
    }
  }

  /** Updates the drawing requests. */
  function update(): void {
    const source = options.source()
    if (flinging || !source) {
      queue.want([])
      return
    }
    const { layout } = column.value
    const order = drawOrder(
      seen.value,
      current.value,
      options.direction(),
      layout.count,
      canvases - 1,
    ).filter((page) => hosts.has(page))
    for (const page of drawn.keys()) if (!order.includes(page)) drop(page)
    const pages = order.map(renderTaskFor).filter((task) => task !== null)
    const thumbnails = options.thumbnails()
    const small = (thumbnails?.missing() ?? []).map((page) => previewTask(source, page))
    clearTimeout(rest)
    queue.want([...pages, ...small])
  }
  let later = 0
  const soon = (ms: number): void => {
    clearTimeout(later)
    later = window.setTimeout(update, ms)
  }
  watch(
    () => [column.value.scale, turn.value] as const,
    () => {
      clearTimeout(settle)
      // There is nothing to scale, so the first drawing does not wait.
      if (drawn.size === 0) {
        soon(0)
        return
      }
      settle = window.setTimeout(() => {
        settle = 0
        update()
      }, settleMs)
    },
  )
  watch(options.source, () => {
    queue.want([])
    failed.clear()
    for (const page of drawn.keys()) drop(page)
    planned.clear()
    update()
  })
  onBeforeUnmount(() => {
    clearTimeout(later)
    clearTimeout(settle)
    clearTimeout(rest)
    clearTimeout(fling)
    queue.close()
    pool.close()
  })

  return {
    /** Sets the element that shows a page; null when it is no longer shown. */
    host(page: number, element: HTMLElement | null): void {
      if (element) {
        hosts.set(page, element)
        if (settle === 0) soon(0)
        return
      }
      hosts.delete(page)
      drop(page)
    },
    /** Called with the number of pages by which the column moved in one frame. */
    moved(pages: number): void {
      if (pages > flingPages) {
        flinging = true
        queue.want([])
        clearTimeout(fling)
        fling = window.setTimeout(() => {
          flinging = false
          update()
        }, flungMs)
      } else if (settle === 0 && !flinging) soon(0)
    },
    update,
    isDrawn: (page: number): boolean => drawn.has(page),
    /** Returns the number of canvases that currently show a page. */
    alive: (): number => drawn.size,
  }
}
