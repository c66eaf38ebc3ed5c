import { flattened, outlineOf, withoutLeadIn } from '../assistants/outline.ts'
import { sentencesOf } from '../assistants/sentences.ts'

/** One page: a title and the lines below it. */
export interface SlidePage {
  readonly title: string
  readonly lines: readonly SlideLine[]
}

/** A line of a page; `level` 0 is closest to the title. */
export interface SlideLine {
  readonly text: string
  readonly level: number
  /** Marks the rest of a line that began on the previous page. */
  readonly continued?: true
}

/** Maximum number of lines on a page; further lines get a page of their own. */
const maxLines = 7

function linesOf(nodes: ReturnType<typeof outlineOf>, level: number): readonly SlideLine[] {
  return nodes.flatMap(({ text, children }) => [
    { text, level },
    ...linesOf(children, Math.min(2, level + 1)),
  ])
}

function split(title: string, lines: readonly SlideLine[]): readonly SlidePage[] {
  if (lines.length === 0) return [{ title, lines }]
  const pages: SlidePage[] = []
  for (let at = 0; at < lines.length; at += maxLines)
    pages.push({ title, lines: lines.slice(at, at + maxLines) })
  return pages
}

/**
 * Splits a text into pages: one for each heading or entry that has children. A single entry above all others becomes the
 * title page. Text without an outline is split into sentences, the first of which is the title.
 */
export function deckOf(text: string): readonly SlidePage[] {
  const outline = outlineOf(withoutLeadIn(text))
  if (flattened(outline).length < 2) {
    const [title = text.trim(), ...rest] = sentencesOf(text)
    return split(
      title,
      rest.map((line) => ({ text: line, level: 0 })),
    )
  }
  const top = outline.length === 1 ? outline[0] : undefined
  const below = top && top.children.some(({ children }) => children.length > 0)
  const groups = below ? top.children : outline
  const first = below ? [{ title: top.text, lines: [] }] : []
  const flat = groups.every(({ children }) => children.length === 0)
  const pages = flat
    ? split(groups[0]?.text ?? '', linesOf(groups.slice(1), 0))
    : groups.flatMap(({ text: title, children }) => split(title, linesOf(children, 0)))
  return [...first, ...pages]
}
