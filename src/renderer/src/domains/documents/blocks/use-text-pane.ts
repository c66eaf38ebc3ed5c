import { computed, ref, shallowRef, watch, type Ref } from 'vue'
import type { Block } from '../../../../../shared/model/document.ts'
import type { CurrentPage } from '../../../../../shared/contract/documents.ts'
import { rowAt, rowWindow, useMeasuredRows } from '../../../kit/measured-rows.ts'
import { textRows, type PageLayout, type TextRow } from './text-rows.ts'

/** Input of the text layout next to the pages. */
interface TextPaneSources {
  readonly pages: () => number
  readonly page: (number: number) => CurrentPage | null
  readonly blocks: (number: number) => readonly Block[] | null
  /** Counter of changes in `page` and `blocks`. */
  readonly changes: () => number
}

/** The block at the upper edge, and the fraction of it that is scrolled out. */
export interface TextPlace {
  readonly blockId: string
  readonly page: number
  readonly fraction: number
}

/** Scroll target that has not been reached yet. */
interface Goal {
  readonly page: number
  readonly blockId: string | null
  readonly fraction: number
  readonly at: 'top' | 'near'
}

/**
 * Rows of the text, the rendered ones among them, and scrolling to positions. Rows of pages that load later do not move
 * the reading position.
 */
export function useTextPane(box: Ref<HTMLElement | null>, sources: TextPaneSources) {
  const widthRem = ref(36)
  const known = new Map<number, PageLayout>()
  const rows = computed<readonly TextRow[]>(() => {
    void sources.changes()
    return textRows({
      pages: sources.pages(),
      page: sources.page,
      blocks: sources.blocks,
      widthRem: widthRem.value,
      known,
    })
  })
  const list = useMeasuredRows(box, rows)
  watch(list.wide, (wide) => {
    if (wide > 0) widthRem.value = wide
  })
  const places = computed(() => new Map(rows.value.map(({ key }, index) => [key, index])))
  const shown = computed(() => {
    const { viewport, scrollTop, tops } = list
    // A screen above and below, so that a quick scroll shows text.
    const from = Math.max(0, scrollTop.value - viewport.value)
    return rowWindow(tops.value, from, scrollTop.value - from + viewport.value * 2, 0)
  })
  const inView = computed<readonly [first: number, last: number]>(() => {
    const { from, to } = shown.value
    return [rows.value[from]?.page ?? 1, rows.value[Math.max(from, to - 1)]?.page ?? 1]
  })

  const goal = shallowRef<Goal | null>(null)
  const reach = (): void => {
    const wanted = goal.value
    if (!wanted) return
    const index =
      places.value.get(wanted.blockId ?? `page ${wanted.page}`) ??
      places.value.get(`page ${wanted.page}`)
    const place = index === undefined ? null : list.placeOf(index)
    if (!place) return
    const height = place.bottom - place.top
    const isVisible =
      place.top >= place.scrollTop && place.bottom <= place.scrollTop + place.viewport
    if (wanted.at === 'near' && isVisible) return
    const to =
      place.top + height * wanted.fraction - (wanted.at === 'near' ? place.viewport / 4 : 0)
    list.scrollTo(Math.max(0, to))
  }
  // Rows that are measured or loaded on the way move the target: it is scrolled to again until the user scrolls.
  watch([rows, list.tops], reach, { flush: 'post' })

  const go = (next: Goal): void => {
    goal.value = next
    reach()
  }
  const onScroll = (): boolean => {
    const moved = list.onScroll()
    if (moved) goal.value = null
    return moved
  }
  /** Returns the first block that is at least partly in view; null when there is none. */
  const firstVisible = (): TextPlace | null => {
    const top = list.scrollTop.value
    for (let index = rowAt(list.tops.value, top); index < rows.value.length; index += 1) {
      const row = rows.value[index]
      const place = list.placeOf(index)
      if (!row || !place || place.top > top + list.viewport.value) return null
      if (row.kind !== 'block') continue
      const height = Math.max(1, place.bottom - place.top)
      const fraction = Math.min(1, Math.max(0, (top - place.top) / height))
      return { blockId: row.block.id, page: row.page, fraction }
    }
    return null
  }
  /** Returns the measured or estimated height of a row in pixels; null for one that does not exist. */
  const roomOf = (key: string): number | null => {
    const place = list.placeOf(places.value.get(key) ?? -1)
    return place ? place.bottom - place.top : null
  }
  return { ...list, rows, roomOf, shown, inView, onScroll, firstVisible, go }
}
