import { onBeforeUnmount, watch } from 'vue'
import type { Block, Box } from '../../../../../shared/model/document.ts'
import { highlightColors, type Highlight } from '../../../../../shared/model/highlight.ts'
import { showHighlight } from '../../../kit/highlights.ts'
import { findWords } from './passages.ts'

/** Names of the highlights of find.css. */
const nameOf = (color: Highlight['color']): string => `lectern-marked-${color}`

/** Parts of a row that are not its text, or repeat it. */
const excluded = 'button, svg, textarea, .katex-mathml, [data-beside]'

/** Whether a highlight reaches into a block; both sides of a comparison may be slightly off. */
const touches = ({ boxes }: Highlight, box: Box): boolean =>
  boxes.some(
    ([left, top, right, bottom]) =>
      left < box[2] &&
      right > box[0] &&
      (top + bottom) / 2 > box[1] - 0.005 &&
      (top + bottom) / 2 < box[3] + 0.005,
  )

/** Shows highlights in the text next to the pages, where their words are found in a block at the same place. */
export function useTextMarks(
  side: () => HTMLElement | null,
  byPage: () => ReadonlyMap<number, readonly Highlight[]>,
  blocksOf: (page: number) => readonly Block[],
): void {
  let frame = 0
  const soon = (): void => {
    frame ||= requestAnimationFrame(() => {
      frame = 0
      mark()
    })
  }
  const observer = new MutationObserver(soon)

  function mark(): void {
    const pages = byPage()
    const rows =
      pages.size > 0 ? [...(side()?.querySelectorAll<HTMLElement>('[data-b]') ?? [])] : []
    const ranges = new Map<Highlight['color'], Range[]>()
    for (const row of rows) {
      const page = Number(row.dataset['page'])
      const box = blocksOf(page).find(({ id }) => id === row.dataset['b'])?.box
      for (const highlight of pages.get(page) ?? []) {
        if (box && !touches(highlight, box)) continue
        const { quote, color } = highlight
        const range = findWords(row, quote, (node) => !node.parentElement?.closest(excluded))
        if (range) ranges.set(color, [...(ranges.get(color) ?? []), range])
      }
    }
    for (const color of highlightColors) showHighlight(nameOf(color), ranges.get(color) ?? [])
  }

  watch(
    side,
    (element) => {
      observer.disconnect()
      if (element) observer.observe(element, { childList: true, subtree: true })
      soon()
    },
    { flush: 'post', immediate: true },
  )
  watch(byPage, soon)
  onBeforeUnmount(() => {
    cancelAnimationFrame(frame)
    observer.disconnect()
    for (const color of highlightColors) showHighlight(nameOf(color), [])
  })
}
