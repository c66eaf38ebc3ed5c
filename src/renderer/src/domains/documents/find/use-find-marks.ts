import { onBeforeUnmount, onMounted, watch } from 'vue'
import type { Box } from '../../../../../shared/model/document.ts'
import type { Term } from '../../../../../shared/text/query.ts'
import { showHighlight } from '../../../kit/highlights.ts'
import { drawnRanges } from '../../../kit/rendered-words.ts'
import type { FoundPlace } from './match-places.ts'

/** Words of the current match where they are rendered; null on a side that does not show them. */
export interface DrawnPlace {
  readonly text: Range | null
  readonly pages: Range | null
}

/** Options of the search highlighting. */
interface MarkOptions {
  /** Elements of the sides that show blocks and pages. */
  readonly text: () => HTMLElement | null
  readonly pages: () => HTMLElement | null
  readonly terms: () => readonly Term[]
  /** Returns the number of matches by block and by page. */
  readonly counts: () => {
    readonly byBlock: ReadonlyMap<string, number>
    readonly byPage: ReadonlyMap<number, number>
  }
  readonly current: () => FoundPlace | null
  /** Returns the position of the current match's block on its page. */
  readonly box: () => Box | null
  /** Called after the highlights were updated: content came into view, or the search continued. */
  readonly onMarked: (place: DrawnPlace) => void
}

const names = {
  text: 'lectern-find',
  textHere: 'lectern-find-here',
  pages: 'lectern-find-page',
  pagesHere: 'lectern-find-page-here',
} as const

/**
 * Highlights the words of a search in the rendered text and in the pages' own text, and updates them whenever more is
 * rendered.
 */
export function useFindMarks(options: MarkOptions) {
  let frame = 0
  const soon = (): void => {
    frame ||= requestAnimationFrame(() => {
      frame = 0
      mark()
    })
  }
  const observer = new MutationObserver(soon)

  function mark(): void {
    const text = inText()
    const pages = onPages()
    showHighlight(names.text, others(text))
    showHighlight(names.textHere, text.here ? [text.here] : [])
    showHighlight(names.pages, others(pages))
    showHighlight(names.pagesHere, pages.here ? [pages.here] : [])
    options.onMarked({ text: text.here, pages: pages.here })
  }
  function inText(): Marked {
    const current = options.current()
    const { byBlock } = options.counts()
    const all: Range[] = []
    let here: Range | null = null
    for (const row of byBlock.size > 0 ? drawn(options.text(), '[data-b]') : []) {
      const id = row.dataset['b'] ?? ''
      if (!byBlock.has(id)) continue
      const ranges = drawnRanges(row, options.terms())
      all.push(...ranges)
      if (current?.blockId === id) here = nthOf(ranges, current.nth)
    }
    return { all, here }
  }
  function onPages(): Marked {
    const current = options.current()
    const { byPage } = options.counts()
    const all: Range[] = []
    let here: Range | null = null
    for (const layer of byPage.size > 0 ? drawn(options.pages(), '[data-page] .layer') : []) {
      const sheet = layer.closest<HTMLElement>('[data-page]')
      const page = Number(sheet?.dataset['page'])
      if (!sheet || !byPage.has(page)) continue
      const ranges = drawnRanges(layer, options.terms())
      all.push(...ranges)
      if (current?.page !== page) continue
      const box = current.blockId === null ? null : options.box()
      if (current.highlightId !== undefined) continue
      if (current.blockId === null) here = nthOf(ranges, current.nth)
      else if (box) here = nthOf(ranges.filter(within(sheet, box)), current.nth)
    }
    return { all, here }
  }

  const clear = (): void => {
    for (const name of Object.values(names)) showHighlight(name, [])
  }
  function watchSides(): void {
    observer.disconnect()
    for (const side of [options.text(), options.pages()])
      if (side) observer.observe(side, { childList: true, subtree: true })
  }
  watch(
    () => [options.text(), options.pages()] as const,
    () => {
      watchSides()
      soon()
    },
    { flush: 'post' },
  )
  watch(() => [options.terms(), options.counts(), options.current(), options.box()] as const, soon)
  onMounted(() => {
    watchSides()
    soon()
  })
  onBeforeUnmount(() => {
    cancelAnimationFrame(frame)
    observer.disconnect()
    clear()
  })
  return { soon }
}

interface Marked {
  readonly all: readonly Range[]
  readonly here: Range | null
}

const drawn = (side: HTMLElement | null, what: string): readonly HTMLElement[] =>
  side ? [...side.querySelectorAll<HTMLElement>(what)] : []

/**
 * The searched and the rendered text may differ in matches: the last rendered one is used for those beyond it.
 */
const nthOf = (ranges: readonly Range[], nth: number): Range | null =>
  ranges[Math.min(nth, ranges.length - 1)] ?? null

/** Two overlapping colors would result in a third. */
const others = ({ all, here }: Marked): readonly Range[] => all.filter((range) => range !== here)

/** Whether the middle of a range is in a box of its page. */
function within(sheet: HTMLElement, [left, top, right, bottom]: Box): (range: Range) => boolean {
  const page = sheet.getBoundingClientRect()
  return (range) => {
    const rect = range.getBoundingClientRect()
    const x = (rect.left + rect.width / 2 - page.left) / page.width
    const y = (rect.top + rect.height / 2 - page.top) / page.height
    return x >= left && x <= right && y >= top && y <= bottom
  }
}
