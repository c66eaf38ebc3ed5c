import type { ScrollView } from './scroll.ts'

/** How deep a mark is looked for inside a row. */
const deepest = 8

/** The list as the owner of scrolling sees it: `box` scrolls, `rows` holds the messages (marked `data-message`), `room` stands below. */
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
        offset: element.getBoundingClientRect().top - edge,
        rowOffset: row.getBoundingClientRect().top - edge,
      }
    },
    drift(mark) {
      const { element, messageId, offset, rowOffset } = mark
      const edge = box.getBoundingClientRect().top
      if (element instanceof Element && rows.contains(element))
        return element.getBoundingClientRect().top - edge - offset
      // What is drawn anew stands in the same row: only what lies above the row can have moved it.
      const row = rowOf(messageId)
      return row && row.getBoundingClientRect().top - edge - rowOffset
    },
    stands: ({ element }) => element instanceof Element && rows.contains(element),
  }
}

/** The first child that ends below an edge; children stand under each other. */
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

/** What stands at an edge inside a row that begins above it: the deeper, the less moves when something above it grows. */
function deepestAt(row: Element, edge: number): Element {
  let at = row
  for (let depth = 0; depth < deepest; depth++) {
    if (at.getBoundingClientRect().top >= edge) return at
    const inner = firstBelow(at, edge)
    if (!inner || inner.getClientRects().length === 0) return at
    at = inner
  }
  return at
}
