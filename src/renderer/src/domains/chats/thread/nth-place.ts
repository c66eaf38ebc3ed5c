import { locate, merge } from '../../../../../shared/text/locate.ts'
import type { Term } from '../../../../../shared/text/query.ts'
import { elementsAway, textAway } from '../../../lib/markdown/stream/groups.ts'

/** Position of a match in the page. */
export type PagePosition = Pick<Range, 'getBoundingClientRect'>

/** Maximum milliseconds of counting at a time: unrendered text may have megabytes. */
const countMs = 20

/** Matches of a search in one answer, parts of which may not be rendered. */
export interface NthPlace {
  /**
   * Finds the n-th match, from 0: a range if it is rendered; otherwise approximately where it will be rendered when it is
   * in view. Null: none; `later`: the next call continues counting.
   */
  find(words: Element, ranges: readonly Range[], nth: number): Range | PagePosition | 'later' | null
}

/** Creates it for one query. */
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
        // An element that is being rendered again is counted with the one it belongs to.
        while (isInside(ranges[at], element)) at += 1
        if (performance.now() > until && !counts.has(element)) return 'later'
        const inside = count(element)
        if (left < inside) return within(element, left / inside)
        left -= inside
      }
      // The searched and the rendered text may differ in matches: the last rendered one is used for those beyond it.
      return ranges[Math.min(at + left, ranges.length - 1)] ?? null
    },
  }
}

const isBefore = (range: Range | undefined, element: Element): boolean =>
  range !== undefined &&
  (element.compareDocumentPosition(range.startContainer) & Node.DOCUMENT_POSITION_PRECEDING) !== 0

const isInside = (range: Range | undefined, element: Element): boolean =>
  range !== undefined && element.contains(range.startContainer)

/** Returns a position at this fraction of an element that reserves its space. */
function within(element: Element, share: number): PagePosition {
  return {
    getBoundingClientRect() {
      const { left, top, width, height } = element.getBoundingClientRect()
      return new DOMRect(left, top + height * share, width, 0)
    },
  }
}
