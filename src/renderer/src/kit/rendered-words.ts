import { locate, merge } from '../../../shared/text/locate.ts'
import type { Term } from '../../../shared/text/query.ts'

/** Inline elements: words continue across them. */
const inLine = new Set(
  'A ABBR B CITE CODE DEL EM FONT I INS KBD MARK Q S SMALL SPAN STRONG SUB SUP U'.split(' '),
)
/** Elements that are not part of the text, or repeat it. */
const excludedSelector = 'button, svg, textarea, .katex-mathml, [data-beside]'

interface TextRun {
  readonly node: Text
  /** Start of the node in the whole text. */
  readonly from: number
}

/** Returns the text that an element shows, and its text nodes; there is a break between lines and cells. */
function shownText(root: Element): { readonly text: string; readonly runs: readonly TextRun[] } {
  const runs: TextRun[] = []
  let text = ''
  const walk = (node: Node): void => {
    for (const child of node.childNodes) {
      if (child instanceof Text) {
        runs.push({ node: child, from: text.length })
        text += child.data
        continue
      }
      if (!(child instanceof Element) || child.matches(excludedSelector)) continue
      const parts = !inLine.has(child.tagName)
      if (parts) text += '\n'
      walk(child)
      if (parts) text += '\n'
    }
  }
  walk(root)
  return { text, runs }
}

/** Returns the segment that contains an offset: the last one that begins at or before it. */
function textRunAt(runs: readonly TextRun[], offset: number): TextRun | undefined {
  let low = 0
  let high = runs.length
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((runs[middle]?.from ?? Infinity) <= offset) low = middle
    else high = middle
  }
  return runs[low]
}

/** Returns the ranges in which a rendered element shows the terms of a query, in the order of its text. */
export function drawnRanges(root: Element, terms: readonly Term[]): readonly Range[] {
  const { text, runs } = shownText(root)
  return merge(locate(text, terms).flat()).flatMap(([from, to]) => {
    const start = textRunAt(runs, from)
    const end = textRunAt(runs, to - 1)
    if (!start || !end) return []
    const range = document.createRange()
    range.setStart(start.node, Math.min(from - start.from, start.node.length))
    range.setEnd(end.node, Math.min(to - end.from, end.node.length))
    return [range]
  })
}
