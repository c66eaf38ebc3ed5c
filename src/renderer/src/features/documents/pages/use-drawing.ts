import { onBeforeUnmount, watch, type Ref } from 'vue'
import { leftOf, type Column, type Scroll } from './anchor.ts'
import { createCanvasPool } from './canvas-pool.ts'
import { covers, planCanvas, type CanvasPlan, type Part } from './canvas-size.ts'
import { drawOrder } from './draw-order.ts'
import type { PageRange } from './page-layout.ts'
import type { PageSource, Turn } from './page-source.ts'
import { createRenderQueue, type RenderTask } from './render-queue.ts'
import type { Thumbnails } from './thumbnails.ts'
import { drawThumbnail, thumbnailOf } from './draw-thumbnail.ts'

/** What drawing needs to know of the column. */
export interface DrawingOptions {
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
  /** A page stands sharp on the screen. */
  readonly onDrawn: (page: number) => void
  /** A page cannot be drawn. */
  readonly onFailed: (page: number) => void
}

/** Canvases alive at the same time, one of them being drawn on while its page still shows the other. */
const canvases = 7
/** The sharp drawing after the last step of a zoom; until then the browser stretches what is there. */
const settleMs = 120
/** More pages than this in one frame is a fling: only thumbnails are shown. */
const flingPages = 3
/** A fling is over when nothing moved that fast for this long. */
const flungMs = 80
/** Nothing was drawn for this long: what can be made again is freed. */
const restMs = 30_000

interface Drawn {
  readonly canvas: HTMLCanvasElement
  readonly plan: CanvasPlan
  readonly turn: Turn
}

/** Keeps canvases on the pages in view and beside it: one queue, no more than seven canvases, nothing drawn while flung. */
export function useDrawing(options: DrawingOptions) {
  const { turn, column, seen, current, view } = options
  const pool = createCanvasPool(canvases)
  const drawn = new Map<number, Drawn>()
  const hosts = new Map<number, HTMLElement>()
  /** What is being drawn or was asked for, so that the same is not asked for under another name. */
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
  /** The part of a page that is in view, in CSS pixels of the page. */
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
    // Of a page beside the view there is no seen part to draw.
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
    // Fractions of the page: it stays in its place while the browser stretches it.
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
  /** Takes the canvas of the page furthest away. */
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

  /** Says anew what is to be drawn. */
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
      // Nothing to stretch: the first drawing does not wait.
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
    /** Tells which element shows a page; null when it does not any more. */
    host(page: number, element: HTMLElement | null): void {
      if (element) {
        hosts.set(page, element)
        if (settle === 0) soon(0)
        return
      }
      hosts.delete(page)
      drop(page)
    },
    /** The column moved by so many pages in one frame. */
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
    /** Canvases that show a page now. */
    alive: (): number => drawn.size,
  }
}
