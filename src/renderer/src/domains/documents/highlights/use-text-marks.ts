import { onBeforeUnmount, watch } from 'vue'
import type { Block, Box } from '../../../../../shared/model/document.ts'
import { highlightColors, type Highlight } from '../../../../../shared/model/highlight.ts'
import { showHighlight } from '../../../kit/highlights.ts'
import { findWords, positionIn, quotePart } from './passages.ts'

/** Names of the highlights of find.css. */
const nameOf = (color: Highlight['color']): string => `lectern-marked-${color}`

/** Parts of a row that are not its text, or repeat it. */
const excluded = 'button, svg, textarea, .katex-mathml, [data-beside]'

/** Minimum number of characters of a quote that is looked for without a position: a shorter one is in many places. */
const minChars = 12

interface PlacedRow {
  readonly row: HTMLElement
  readonly box: Box | null | undefined
}

const isText = (node: Text): boolean => !node.parentElement?.closest(excluded)

/** Returns the words of a highlight in each block at its place; in a text without places, where its quote is first. */
function rangesOf({ boxes, quote }: Highlight, rows: readonly PlacedRow[]): readonly Range[] {
  const found = rows.flatMap(({ row, box }) => {
    const position = box ? positionIn(box, boxes) : null
    if (position === null) return []
    return findWords(row, quote, isText, (text, wanted) => quotePart(text, wanted, position)) ?? []
  })
  if (found.length > 0 || quote.length < minChars) return found
  for (const { row, box } of rows) {
    const range = box ? null : findWords(row, quote, isText)
    if (range) return [range]
  }
  return []
}

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
    for (const [page, onPage] of Map.groupBy(rows, (row) => Number(row.dataset['page']))) {
      const blocks = new Map(blocksOf(page).map((block) => [block.id, block]))
      const placed = onPage.map((row) => ({ row, box: blocks.get(row.dataset['b'] ?? '')?.box }))
      for (const highlight of pages.get(page) ?? [])
        ranges.set(highlight.color, [
          ...(ranges.get(highlight.color) ?? []),
          ...rangesOf(highlight, placed),
        ])
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
