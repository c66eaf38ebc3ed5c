import { onBeforeUnmount, onMounted, watch } from 'vue'
import type { Term } from '../../../../../shared/text/query.ts'
import { drawnRanges } from '../../documents/find/rendered-words.ts'
import '../../documents/find/find.css'
import type { ThreadPlace } from './find-in-thread.ts'
import { createNthPlace, type NthPlace, type PagePosition } from './nth-place.ts'

/** What is marked, and where. */
export interface ThreadMarkOptions {
  /** Holds the messages. */
  readonly rows: () => HTMLElement | null
  readonly terms: () => readonly Term[]
  readonly byMessage: () => ReadonlyMap<string, readonly number[]>
  readonly current: () => ThreadPlace | null
  /** Which of its message's places the current one is, from 0. */
  readonly nth: () => number
  /** The marks were made anew; where the current place is, once that is known. */
  readonly onMarked: (here: PagePosition | null) => void
}

const names = { all: 'lectern-find', here: 'lectern-find-here' } as const
/** Pause between two markings, in milliseconds: an answer that is being written changes with every frame. */
const pauseMs = 100

/** Marks the words of a search in the messages that are drawn, anew whenever more is drawn. */
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
    // Two colours over each other would be a third.
    const others = all.filter((range) => range !== here)
    CSS.highlights.set(names.all, new Highlight(...others))
    CSS.highlights.set(names.here, new Highlight(...(here instanceof Range ? [here] : [])))
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
    for (const name of Object.values(names)) CSS.highlights.delete(name)
  })
}
