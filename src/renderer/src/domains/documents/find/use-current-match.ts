import { onBeforeUnmount, shallowRef, watch } from 'vue'
import type { Block, Box } from '../../../../../shared/model/document.ts'
import type { FoundPlace } from './match-places.ts'
import type { DrawnPlace } from './use-find-marks.ts'
import { createLatest } from '../../../kit/use-latest.ts'

/** Side that shows the text. */
export interface TextSide {
  readonly $el: unknown
  chooseBlock(block: Block | null): void
  goTo(page: number, blockId?: string | null): void
  /** Scrolls so that this fraction of a block is above the upper edge. */
  alignTo(page: number, blockId: string, fraction: number): void
}

/** Side that shows the pages. */
export interface PagesSide {
  readonly $el: unknown
  chooseBlock(block: Block | null, show?: boolean): void
  goTo(page: number, box?: Box | null, offset?: number): void
}

/** Options of showing a match on both sides. */
interface PlaceOptions {
  readonly text: () => TextSide | null
  readonly pages: () => PagesSide | null
  readonly current: () => FoundPlace | null
  /** Returns a block with its box; null when it no longer exists. */
  readonly block: (place: FoundPlace) => Promise<Block | null>
  /** Called before scrolling to a match. */
  readonly onGo: (place: FoundPlace) => void
  /** Scrolls to a highlight with a match in its note. */
  readonly showNote: (highlightId: string) => void
}

/** Milliseconds for which content that is rendered late is still scrolled into view. */
const patienceMs = 5000
/** Fraction of a side's height above the words it was scrolled to. */
const above = 0.3

/**
 * Scrolls both sides to the current match: its block is highlighted, and the words are scrolled into view once they are
 * rendered.
 */
export function useFoundPlace(options: PlaceOptions) {
  /** Block of the current match. */
  const block = shallowRef<Block | null>(null)
  const latest = createLatest()
  /** Time until which each side may still be scrolled. */
  let textUntil = 0
  let pagesUntil = 0

  async function go(place: FoundPlace): Promise<void> {
    const isLatest = latest.start()
    if (place.highlightId !== undefined) {
      block.value = null
      options.showNote(place.highlightId)
      return
    }
    options.onGo(place)
    const found = place.blockId === null ? null : await options.block(place)
    if (!isLatest()) return
    block.value = found
    textUntil = pagesUntil = performance.now() + patienceMs
    const [text, pages] = [options.text(), options.pages()]
    text?.chooseBlock(found)
    text?.goTo(place.page, found?.id ?? null)
    pages?.chooseBlock(found)
    // Words that are already rendered are scrolled into view automatically.
    if (!found?.box && !isDrawn(pages, place.page)) pages?.goTo(place.page)
  }
  watch(options.current, (place) => {
    if (place) void go(place)
    else {
      latest.cancel()
      block.value = null
    }
  })

  /** Scrolls rendered words into view. */
  function reveal({ text: words, pages: onPage }: DrawnPlace): void {
    const place = options.current()
    const now = performance.now()
    const row = words && elementOf(words)?.closest('[data-b]')
    if (place?.blockId && words && row && now < textUntil) {
      const share = shareOver(words, row, elementOfSide(options.text()))
      if (share !== null) options.text()?.alignTo(place.page, place.blockId, share)
    }
    const frame = onPage && elementOf(onPage)?.closest('[data-page]')
    if (place && onPage && frame && now < pagesUntil) {
      const share = shareOver(onPage, frame, elementOfSide(options.pages()))
      if (share !== null) options.pages()?.goTo(place.page, null, share)
    }
  }
  /** Stops scrolling a side that the user scrolls. */
  const leave = (): void => {
    textUntil = pagesUntil = 0
  }
  const listen = { capture: true, passive: true } as const
  window.addEventListener('wheel', leave, listen)
  window.addEventListener('touchmove', leave, listen)
  onBeforeUnmount(() => {
    latest.cancel()
    window.removeEventListener('wheel', leave, listen)
    window.removeEventListener('touchmove', leave, listen)
  })
  return { block, reveal }
}

/** Returns the element of a side, if it exists. */
export const elementOfSide = (side: { readonly $el: unknown } | null): HTMLElement | null =>
  side?.$el instanceof HTMLElement ? side.$el : null

const elementOf = ({ startContainer }: Range): Element | null => startContainer.parentElement

const isDrawn = (side: PagesSide | null, page: number): boolean =>
  elementOfSide(side)?.querySelector(`[data-page="${page}"] .layer`)?.firstChild instanceof Node

/**
 * Returns the fraction of an element that must be above its side's upper edge for words in it to be in view; null when
 * they are.
 */
function shareOver(words: Range, element: Element, side: HTMLElement | null): number | null {
  const [found, whole, view] = [words, element, side].map((one) => one?.getBoundingClientRect())
  if (!found || !whole || !view || view.height === 0 || whole.height === 0) return null
  if (found.top >= view.top && found.bottom <= view.bottom) return null
  return (found.top - whole.top - view.height * above) / whole.height
}
