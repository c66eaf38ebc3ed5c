import { onBeforeUnmount, watch } from 'vue'
import { highlightColors, type Highlight } from '../../../../../shared/model/highlight.ts'
import { showHighlight } from '../../../kit/highlights.ts'
import { findWords } from './passages.ts'

/** Names of the highlights of find.css. */
const nameOf = (color: Highlight['color']): string => `lectern-marked-${color}`

/** Parts of a row that are not its text, or repeat it. */
const excluded = 'button, svg, textarea, .katex-mathml, [data-beside]'

/** Shows highlights in the text next to the pages, where the same words are found in a block of the page. */
export function useTextMarks(
  side: () => HTMLElement | null,
  byPage: () => ReadonlyMap<number, readonly Highlight[]>,
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
    for (const row of rows)
      for (const { quote, color } of pages.get(Number(row.dataset['page'])) ?? []) {
        const range = findWords(row, quote, (node) => !node.parentElement?.closest(excluded))
        if (range) ranges.set(color, [...(ranges.get(color) ?? []), range])
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
