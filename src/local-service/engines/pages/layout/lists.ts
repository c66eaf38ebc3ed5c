import type { Box } from '../geometry.ts'
import type { Line } from './lines.ts'

/** Start of a list item. */
interface ListMark {
  /** Markdown marker: `-` or a number with a period. */
  readonly mark: string
  readonly rest: string
}

const bullet = /^([•‣▪◦●○■□∙⁃➢➤✓✔·]|[-–*])\s+(?=\S)/
const letter = /^\(?([ivx]{1,4}|[a-h])\)\s+(?=\S)/
const number = /^\(?(\d{1,3})[.)、]\s*(?=\S)/

/**
 * Returns the marker at the start of a text; undefined if it is not a list item. A number before a digit is a section
 * number or a decimal.
 */
export function listMark(text: string): ListMark | undefined {
  const dot = bullet.exec(text)
  if (dot) return { mark: '-', rest: text.slice(dot[0].length) }
  // Markdown has no letter markers, so they stay in the text.
  if (letter.test(text)) return { mark: '-', rest: text }
  const count = number.exec(text)
  if (!count || /^\d/.test(text.slice(count[0].length))) return undefined
  return { mark: `${count[1]}.`, rest: text.slice(count[0].length) }
}

/** Formats list items as Markdown; items further right are one level deeper. */
export function listMarkdown(items: readonly Paragraph[]): string {
  const edges: number[] = []
  return items
    .map((item) => {
      const left = item.box[0]
      while (edges.length > 0 && (edges.at(-1) ?? 0) > left + 0.7 * item.size) edges.pop()
      if (edges.length === 0 || left > (edges.at(-1) ?? 0) + 0.7 * item.size) edges.push(left)
      const { mark, rest } = listMark(item.text) ?? { mark: '-', rest: item.text }
      return `${'  '.repeat(edges.length - 1)}${mark} ${rest}`
    })
    .join('\n')
}

/** Lines that belong together: running text, a heading, or one list item. */
export interface Paragraph {
  readonly lines: readonly Line[]
  readonly text: string
  readonly box: Box
  readonly size: number
  readonly bold: boolean
}
