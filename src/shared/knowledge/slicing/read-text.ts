import { markedPage } from '../../documents/page-mark.ts'
import type { Passage } from './types.ts'
import { headingOf } from './heading.ts'
import { isLong, linesOf, maxPassageChars } from './lines.ts'

const passage = (text: string, line: number, level: number | null = null): Passage => ({
  text,
  level,
  places: [],
  line,
  sheet: null,
})

/**
 * Reduces links and images to their text, and bold text to plain text. No pattern scans past the next character of its own
 * kind, so that none scans a line twice.
 */
export const withoutMarks = (text: string): string =>
  text
    .replace(/!?\[([^[\]\n]*)\]\([^)[\n]*\)/g, '$1')
    .replace(/\*\*(?![\s*])([^*\n]+)\*\*/g, '$1')
    .replace(/__(?![\s_])([^_\n]+)__/g, '$1')

/** Collects consecutive lines until they are taken. */
function createBlock() {
  let first = 0
  let lines: string[] = []
  let size = 0
  return {
    get count() {
      return lines.length
    },
    fits: (line: string): boolean => size + line.length <= maxPassageChars,
    add(line: string, number: number): void {
      if (lines.length === 0) first = number
      lines.push(line.trimEnd())
      size += line.length + 1
    },
    take(): { readonly text: string; readonly line: number } {
      const taken = { text: lines.join('\n'), line: first }
      lines = []
      size = 0
      return taken
    },
  }
}

/** Yields paragraphs of a plain text, separated by empty lines. Null: nothing yet. */
export function* readPlain(text: string): Generator<Passage | null> {
  const block = createBlock()
  function* end(): Generator<Passage> {
    if (block.count === 0) return
    const { text: words, line } = block.take()
    yield passage(words, line)
  }
  for (const [number, line] of linesOf(text)) {
    const empty = line.trim() === ''
    if (empty && isLong(number)) yield null
    if (empty || !block.fits(line)) yield* end()
    if (!empty) block.add(line, number)
  }
  yield* end()
}

/**
 * Yields headings and blocks of a Markdown text, with their pages if marked; a fenced block is not split. Null: nothing yet.
 */
export function* readMarkdown(text: string): Generator<Passage | null> {
  const block = createBlock()
  let fence: string | undefined
  let page: number | null = null
  function* end(level: number | null = null): Generator<Passage> {
    if (block.count === 0) return
    const { text: marked, line } = block.take()
    const words = withoutMarks(marked)
    if (words.trim() !== '')
      yield { ...passage(words, line, level), ...(page !== null && { page }) }
  }
  for (const [number, line] of linesOf(text)) {
    if (isLong(number)) yield null
    if (!block.fits(line)) yield* end()
    const marked = fence === undefined ? markedPage(line) : null
    if (marked !== null) {
      yield* end()
      page = marked
      continue
    }
    const fenced = /^\s{0,3}(```+|~~~+)/.exec(line)?.[1]
    if (fence !== undefined) {
      block.add(line, number)
      if (fenced?.startsWith(fence)) fence = undefined
      continue
    }
    const heading = headingOf(line)
    const under = /^\s{0,3}(=+|-{2,})$/.exec(line.trimEnd())?.[1]
    if (heading) {
      yield* end()
      block.add(heading.text, number)
      yield* end(heading.level)
    } else if (under !== undefined && block.count === 1) {
      yield* end(under.startsWith('=') ? 1 : 2)
    } else if (line.trim() === '' || under !== undefined) {
      yield* end()
    } else {
      if (fenced !== undefined) fence = fenced
      block.add(line, number)
    }
  }
  yield* end()
}
