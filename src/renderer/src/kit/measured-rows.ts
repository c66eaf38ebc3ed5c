import { computed, onBeforeUnmount, onMounted, ref, watch, type Ref } from 'vue'
import { textSizeEvent } from './appearance.ts'

/**
 * Returns the top offsets of rows with known heights, for finding the visible ones. The last entry is the total height.
 */
export function rowTops(heights: readonly number[]): readonly number[] {
  const tops = [0]
  let top = 0
  for (const height of heights) {
    top += height
    tops.push(top)
  }
  return tops
}

/** Returns the index of the row at an offset: the last one whose top is not below it. */
export function rowAt(tops: readonly number[], y: number): number {
  let low = 0
  let high = tops.length - 2
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((tops[middle] ?? 0) <= y) low = middle
    else high = middle - 1
  }
  return Math.max(0, low)
}

/**
 * Returns the rows to render for a viewport of a scrolled list, with a few beyond each edge; `to` is exclusive.
 */
export function rowWindow(
  tops: readonly number[],
  scrollTop: number,
  viewport: number,
  overscan = 6,
): { readonly from: number; readonly to: number } {
  const count = tops.length - 1
  if (count <= 0) return { from: 0, to: 0 }
  return {
    from: Math.max(0, rowAt(tops, scrollTop) - overscan),
    to: Math.min(count, rowAt(tops, scrollTop + viewport) + 1 + overscan),
  }
}

/** A row of unknown height, with an estimate in rem. */
interface GuessedRow {
  readonly key: string
  readonly rem: number
}

/** Scroll anchor: the row at the upper edge, and how far it is scrolled out, in pixels. */
interface Anchor {
  readonly key: string
  readonly offset: number
}

/**
 * Returns the scroll position that keeps visible content in place; null if it is right. At the very top, new rows become
 * visible.
 */
export function heldTop(
  anchor: Anchor | null,
  scrollTop: number,
  topOf: (key: string) => number | undefined,
): number | null {
  if (!anchor || scrollTop <= 0) return null
  const top = topOf(anchor.key)
  if (top === undefined || Math.abs(top + anchor.offset - scrollTop) < 1) return null
  return top + anchor.offset
}

/**
 * Whether a list was scrolled only because it became shorter than its scroll position: rows were lower than estimated.
 */
export const isCutShort = (
  before: number,
  { scrollHeight, clientHeight }: Pick<HTMLElement, 'scrollHeight' | 'clientHeight'>,
): boolean => before >= scrollHeight - clientHeight + 1

/**
 * Rows whose heights are measured when they are drawn; until then an estimate is used. Visible content stays in place when
 * rows above it are added, removed, or turn out higher than estimated. Drawn rows are in the normal flow after a filler as
 * high as `tops[from]`.
 */
export function useMeasuredRows(box: Ref<HTMLElement | null>, rows: Ref<readonly GuessedRow[]>) {
  const heights = new Map<string, number>()
  const measured = ref(0)
  const scrollTop = ref(0)
  const viewport = ref(600)
  const wide = ref(0)
  /** Estimate of a rem of text in pixels. */
  const rem = ref(16)
  let width = 0
  let root = 0
  let reading = 1

  const tops = computed(() => {
    void measured.value
    return rowTops(rows.value.map(({ key, rem: guess }) => heights.get(key) ?? guess * rem.value))
  })
  const shown = computed(() => rowWindow(tops.value, scrollTop.value, viewport.value, 4))
  const height = computed(() => tops.value.at(-1) ?? 0)

  let anchor: Anchor | null = null
  const remember = (): void => {
    const index = rowAt(tops.value, scrollTop.value)
    const row = rows.value[index]
    anchor = row ? { key: row.key, offset: scrollTop.value - (tops.value[index] ?? 0) } : null
  }
  const hold = (): void => {
    const to = heldTop(
      anchor,
      scrollTop.value,
      (key) => tops.value[rows.value.findIndex((row) => row.key === key)],
    )
    if (to !== null) scrollTo(to)
  }
  const scrollTo = (to: number): void => {
    if (!box.value) return
    box.value.scrollTop = to
    scrollTop.value = box.value.scrollTop
    remember()
  }
  /** Updates the anchor after scrolling; false if only the list itself scrolled. */
  const onScroll = (): boolean => {
    const element = box.value
    if (!element || Math.abs(element.scrollTop - scrollTop.value) < 1) return false
    const before = scrollTop.value
    scrollTop.value = element.scrollTop
    remember()
    return !isCutShort(before, element)
  }

  const drawn = new Map<Element, string>()
  const rowObserver = new ResizeObserver((entries) => {
    let changed = false
    for (const { target, borderBoxSize } of entries)
      if (take(target, borderBoxSize[0]?.blockSize ?? 0)) changed = true
    if (!changed) return
    measured.value++
    hold()
  })
  const take = (element: Element, tall: number): boolean => {
    if (!element.isConnected) {
      rowObserver.unobserve(element)
      drawn.delete(element)
      return false
    }
    const key = drawn.get(element)
    if (key === undefined || tall === 0 || heights.get(key) === tall) return false
    heights.set(key, tall)
    return true
  }
  /** Observes a drawn row; for the `ref` of its element. */
  const watchRow = (element: unknown, key: string): void => {
    if (!(element instanceof Element) || drawn.get(element) === key) return
    drawn.set(element, key)
    rowObserver.observe(element)
  }
  /** Measures again where texts wrap differently: heights of rows outside the viewport are no longer valid. */
  const fit = (): void => {
    if (!box.value) return
    const style = getComputedStyle(document.documentElement)
    const before = [width, root, reading]
    width = box.value.clientWidth
    root = Number.parseFloat(style.fontSize)
    reading = Number(style.getPropertyValue('--reading')) || 1
    if ([width, root, reading].every((size, at) => size === before[at])) return
    wide.value = width / root
    // Larger text has higher lines, and more of them.
    rem.value = root * reading * reading
    heights.clear()
    for (const element of drawn.keys()) take(element, element.getBoundingClientRect().height)
    measured.value++
    hold()
  }
  const boxObserver = new ResizeObserver(() => {
    if (!box.value) return
    viewport.value = box.value.clientHeight
    fit()
  })
  onMounted(() => {
    if (box.value) boxObserver.observe(box.value)
    window.addEventListener(textSizeEvent, fit)
  })
  onBeforeUnmount(() => {
    window.removeEventListener(textSizeEvent, fit)
    rowObserver.disconnect()
    boxObserver.disconnect()
    drawn.clear()
  })
  watch(rows, hold, { flush: 'post' })

  /** Returns the position of a row; null for one that does not exist. */
  const placeOf = (index: number) => {
    const [top, bottom] = [tops.value[index], tops.value[index + 1]]
    if (top === undefined || bottom === undefined) return null
    return { top, bottom, scrollTop: scrollTop.value, viewport: viewport.value }
  }
  return { tops, shown, height, wide, viewport, scrollTop, onScroll, scrollTo, watchRow, placeOf }
}
