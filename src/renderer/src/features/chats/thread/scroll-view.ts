import type { ScrollView } from './scroll.ts'

/** Maximum depth of elements searched inside a row. */
const deepest = 8

/**
 * Returns the list as the owner of scrolling uses it: `box` scrolls, `rows` contains the messages (marked
 * `data-message`), `room` is below them.
 */
export function viewOf(box: HTMLElement, rows: HTMLElement, room: HTMLElement): ScrollView {
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
