import { locate, merge } from '../../../../../shared/text/locate.ts'
import type { Term } from '../../../../../shared/text/query.ts'
import { elementsAway, textAway } from '../../../markdown/stream/groups.ts'

/** Where something stands in the page. */
export type PagePosition = Pick<Range, 'getBoundingClientRect'>

/** Milliseconds that counting takes at a time: what is out of the page may be megabytes. */
const countMs = 20

/** The places of a search in one answer, of which parts may be out of the page. */
export interface NthPlace {
  /**
   * The n-th place, from 0: a range where it is drawn; else about where it will be drawn when that comes into view. Null: none; `later`:
   * asked again it is counted on.
   */
  find(words: Element, ranges: readonly Range[], nth: number): Range | PagePosition | 'later' | null
}

/** Builds it for one query. */
export function createNthPlace(terms: readonly Term[]): NthPlace {
  const counts = new WeakMap<Element, number>()
  const count = (element: Element): number => {
    const known = counts.get(element)
    if (known !== undefined) return known
    const found = merge(locate(textAway(element), terms).flat()).length
    counts.set(element, found)
    return found
  }
  return {
    find(words, ranges, nth) {
      const until = performance.now() + countMs
      let left = nth
      let at = 0
      for (const element of elementsAway(words)) {
        for (; isBefore(ranges[at], element); at += 1, left -= 1)
          if (left === 0) return ranges[at] ?? null
        // What is coming back is counted with the whole it belongs to.
        while (isInside(ranges[at], element)) at += 1
        if (performance.now() > until && !counts.has(element)) return 'later'
        const inside = count(element)
        if (left < inside) return within(element, left / inside)
        left -= inside
      }
      // What was searched and what is drawn may count a match differently: the last one stands for those beyond.
      return ranges[Math.min(at + left, ranges.length - 1)] ?? null
    },
  }
}

const isBefore = (range: Range | undefined, element: Element): boolean =>
  range !== undefined &&
  (element.compareDocumentPosition(range.startContainer) & Node.DOCUMENT_POSITION_PRECEDING) !== 0

const isInside = (range: Range | undefined, element: Element): boolean =>
  range !== undefined && element.contains(range.startContainer)

/** So far down an element that keeps its room. */
function within(element: Element, share: number): PagePosition {
  return {
    getBoundingClientRect() {
      const { left, top, width, height } = element.getBoundingClientRect()
      return new DOMRect(left, top + height * share, width, 0)
    },
  }
}
