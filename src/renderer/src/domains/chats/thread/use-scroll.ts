import { computed, onBeforeUnmount, onMounted, ref, shallowRef, type Ref } from 'vue'
import { createScroll, type Scroll, type ScrollMode, type ScrollView } from './scroll.ts'

/** Elements involved in scrolling. */
interface ScrollElements {
  readonly box: Readonly<Ref<HTMLElement | null>>
  readonly rows: Readonly<Ref<HTMLElement | null>>
  readonly room: Readonly<Ref<HTMLElement | null>>
}

/**
 * Number of screens above and below the visible part within which more is read; at most a quarter of the loaded part, or
 * both ends would alternate.
 */
const ahead = 1.5

/**
 * Creates the owner of the list's scroll position; calls `more` for another page when one of the ends is near.
 */
export function useScroll(elements: ScrollElements, more: (side: 'before' | 'after') => void) {
  const owner = shallowRef<Scroll | null>(null)
  const mode = ref<ScrollMode>('follow')
  const atEnd = ref(true)
  let frame = 0
  let touchY = 0

  const sync = (): void => {
    const scroll = owner.value
    if (!scroll) return
    mode.value = scroll.mode
    atEnd.value = scroll.atEnd
    nearEnds()
  }
  function nearEnds(): void {
    const box = elements.box.value
    if (!box || box.clientHeight === 0) return
    // Not scrolled to its end yet, so the user is not at the start.
    if (mode.value === 'follow' && !atEnd.value) return
    const margin = Math.min(ahead * box.clientHeight, (box.scrollHeight - box.clientHeight) / 4)
    if (box.scrollTop <= margin) more('before')
    if (box.scrollTop + box.clientHeight >= box.scrollHeight - margin) more('after')
  }
  const onWheel = (event: WheelEvent): void => {
    if (event.deltaY < 0 && !event.ctrlKey) owner.value?.raise()
  }
  const onTouchStart = (event: TouchEvent): void => {
    touchY = event.touches[0]?.clientY ?? 0
  }
  const onTouchMove = (event: TouchEvent): void => {
    if ((event.touches[0]?.clientY ?? 0) > touchY + 2) owner.value?.raise()
  }
  const onScroll = (): void => owner.value?.scrolled()
  const settle = (): void => owner.value?.settle()
  // After layout and before the frame is drawn: the text never appears in a wrong position.
  const observer = new ResizeObserver(settle)

  onMounted(() => {
    const { box, rows, room } = elements
    if (!box.value || !rows.value || !room.value) return
    owner.value = createScroll(viewOf(box.value, rows.value, room.value), () => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(sync)
    })
    box.value.addEventListener('scroll', onScroll, { passive: true })
    box.value.addEventListener('wheel', onWheel, { passive: true })
    box.value.addEventListener('touchstart', onTouchStart, { passive: true })
    box.value.addEventListener('touchmove', onTouchMove, { passive: true })
    observer.observe(box.value)
    observer.observe(rows.value)
  })
  onBeforeUnmount(() => {
    observer.disconnect()
    cancelAnimationFrame(frame)
    owner.value = null
  })
  return { owner: computed(() => owner.value), mode, atEnd, settle }
}

/** Maximum depth of elements searched inside a row. */
const deepest = 8

/**
 * Returns the list as the owner of scrolling uses it: `box` scrolls, `rows` contains the messages (marked
 * `data-message`), `room` is below them.
 */
function viewOf(box: HTMLElement, rows: HTMLElement, room: HTMLElement): ScrollView {
  const topOf = (element: Element): number =>
    element.getBoundingClientRect().top - rows.getBoundingClientRect().top
  const rowOf = (id: string): Element | null =>
    [...rows.children].find((row) => row instanceof HTMLElement && row.dataset['message'] === id) ??
    null
  return {
    get top() {
      return box.scrollTop
    },
    write(top) {
      box.scrollTop = top
    },
    get height() {
      return box.clientHeight
    },
    get rows() {
      return rows.getBoundingClientRect().height
    },
    room(pixels) {
      room.style.height = `${pixels}px`
    },
    row(id) {
      const row = rowOf(id)
      return row && { top: topOf(row), height: row.getBoundingClientRect().height }
    },
    mark(id) {
      const edge = box.getBoundingClientRect().top
      const row = id === undefined ? firstBelow(rows, edge) : rowOf(id)
      if (!(row instanceof HTMLElement)) return null
      const element = id === undefined ? deepestAt(row, edge) : row
      return {
        messageId: row.dataset['message'] ?? '',
        element,
        top: topOf(element),
        rowTop: topOf(row),
      }
    },
    moved({ element, messageId, top, rowTop }) {
      if (element instanceof Element && rows.contains(element)) return topOf(element) - top
      // A re-rendered element is in the same row: only content above the row can have moved it.
      const row = rowOf(messageId)
      return row && topOf(row) - rowTop
    },
    again(mark) {
      const { element, messageId, rowTop } = mark
      if (!(element instanceof Element) || !rows.contains(element)) return null
      const row = rowOf(messageId)
      return { ...mark, top: topOf(element), rowTop: row ? topOf(row) : rowTop }
    },
  }
}

/** Returns the first child that ends below an edge; children are stacked vertically. */
function firstBelow(parent: Element, edge: number): Element | null {
  const { children } = parent
  let low = 0
  let high = children.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((children[middle]?.getBoundingClientRect().bottom ?? Infinity) > edge) high = middle
    else low = middle + 1
  }
  return children[low] ?? null
}

/**
 * Returns the first element at or below an edge inside a row that begins above it, or right after: an element across the
 * edge may grow above the reading position.
 */
function deepestAt(row: Element, edge: number): Element {
  let at = row
  let next: Element | null = row.nextElementSibling
  for (let depth = 0; depth < deepest; depth++) {
    if (at.getBoundingClientRect().top >= edge) return at
    const inner = firstBelow(at, edge)
    // Content that the browser has not laid out yet will have another height.
    if (!inner?.checkVisibility({ contentVisibilityAuto: true })) break
    next = inner.nextElementSibling ?? next
    at = inner
  }
  const isNear = next !== null && next.getBoundingClientRect().top < edge + innerHeight / 2
  return isNear && next ? next : at
}
