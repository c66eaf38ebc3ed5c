import { onBeforeUnmount, onMounted, watch } from 'vue'
import type { Term } from '../../../../../shared/text/query.ts'
import { drawnRanges } from '../../../kit/rendered-words.ts'
import { showHighlight } from '../../../kit/highlights.ts'
import type { ThreadPlace } from './find-in-thread.ts'
import { locate, merge } from '../../../../../shared/text/locate.ts'
import { elementsAway, textAway } from '../../../lib/markdown/stream/mounted-fragments.ts'

/** Options of the highlighting in a chat. */
interface ThreadMarkOptions {
  /** Returns the element that contains the messages. */
  readonly rows: () => HTMLElement | null
  readonly terms: () => readonly Term[]
  readonly byMessage: () => ReadonlyMap<string, readonly number[]>
  readonly current: () => ThreadPlace | null
  /** Returns the index of the current match within its message, from 0. */
  readonly nth: () => number
  /** Called after the highlights were updated, with the position of the current match once it is known. */
  readonly onMarked: (here: PagePosition | null) => void
}

const names = { all: 'lectern-find', here: 'lectern-find-here' } as const
/** Milliseconds between two updates: an answer that is being written changes with every frame. */
const pauseMs = 100

/** Highlights the search terms in rendered messages, and updates them whenever more is rendered. */
export function useThreadMarks(options: ThreadMarkOptions) {
  let timer: ReturnType<typeof setTimeout> | undefined
  const soon = (ms = pauseMs): void => {
    timer ??= setTimeout(() => {
      timer = undefined
      mark()
    }, ms)
  }
  const observer = new MutationObserver(() => options.byMessage().size > 0 && soon())

  let nthPlace: { readonly terms: readonly Term[]; readonly of: NthPlace } | null = null
  const nthOf = (terms: readonly Term[]): NthPlace => {
    if (nthPlace?.terms !== terms) nthPlace = { terms, of: createNthPlace(terms) }
    return nthPlace.of
  }

  function mark(): void {
    const current = options.current()
    const terms = options.terms()
    const counts = options.byMessage()
    const all: Range[] = []
    let here: Range | PagePosition | null = null
    const rows = counts.size > 0 ? (options.rows()?.children ?? []) : []
    for (const row of rows) {
      const id = row instanceof HTMLElement ? (row.dataset['message'] ?? '') : ''
      const words = counts.has(id) ? row.querySelector('[data-words]') : null
      if (!words) continue
      const ranges = drawnRanges(words, terms)
      all.push(...ranges)
      if (current?.messageId !== id) continue
      const found = nthOf(terms).find(words, ranges, options.nth())
      if (found === 'later') soon()
      else here = found
    }
    // Two overlapping colors would result in a third.
    const others = all.filter((range) => range !== here)
    showHighlight(names.all, others)
    showHighlight(names.here, here instanceof Range ? [here] : [])
    options.onMarked(here)
  }
  watch(
    () => [options.terms(), options.byMessage(), options.current()] as const,
    () => soon(0),
  )
  watch(
    options.rows,
    (rows) => {
      observer.disconnect()
      if (rows) observer.observe(rows, { childList: true, subtree: true, characterData: true })
    },
    { flush: 'post' },
  )
  onMounted(() => {
    const rows = options.rows()
    if (rows) observer.observe(rows, { childList: true, subtree: true, characterData: true })
  })
  onBeforeUnmount(() => {
    clearTimeout(timer)
    observer.disconnect()
    for (const name of Object.values(names)) showHighlight(name, [])
  })
}

/** Position of a match in the page. */
type PagePosition = Pick<Range, 'getBoundingClientRect'>

/** Maximum milliseconds of counting at a time: unrendered text may have megabytes. */
const countMs = 20

/** Matches of a search in one answer, parts of which may not be rendered. */
interface NthPlace {
  /**
   * Finds the n-th match, from 0: a range if it is rendered; otherwise approximately where it will be rendered when it is
   * in view. Null: none; `later`: the next call continues counting.
   */
  find(words: Element, ranges: readonly Range[], nth: number): Range | PagePosition | 'later' | null
}

/** Creates it for one query. */
function createNthPlace(terms: readonly Term[]): NthPlace {
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
