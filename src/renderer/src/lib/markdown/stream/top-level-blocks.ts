import type { Token } from 'markdown-it'

/** A top-level block of a parsed text. */
export interface Top {
  readonly type: string
  /** Its tokens: from `from` (included) to `to` (excluded). */
  readonly from: number
  readonly to: number
  /** Its lines: from `line` (included) to `end` (excluded). */
  readonly line: number
  readonly end: number
}

/** The top-level blocks of a text, in order. */
export function topsOf(tokens: readonly Token[]): readonly Top[] {
  const tops: Top[] = []
  for (let from = 0; from < tokens.length;) {
    const first = tokens[from]
    if (!first) break
    let to = from + 1
    if (first.nesting === 1) {
      while (to < tokens.length && !(tokens[to]?.level === 0 && tokens[to]?.nesting === -1)) to += 1
      to += 1
    }
    const [line, end] = first.map ?? [0, 0]
    tops.push({ type: first.type, from, to, line, end })
    from = to
  }
  return tops
}

/** Blocks that may still include the first line after them. */
const drawsIn = new Set([
  'paragraph_open',
  'bullet_list_open',
  'ordered_list_open',
  'blockquote_open',
  'table_open',
  'reference_definition',
  'html_block',
])

/** Number of lines that identify a block that interrupts another one without an empty line. */
const linesToBe: Readonly<Record<string, number>> = {
  fence: 1,
  heading_open: 1,
  hr: 1,
  blockquote_open: 1,
  bullet_list_open: 1,
  ordered_list_open: 1,
  html_block: 1,
  table_open: 2,
}

/** The required information about a text's lines. */
export interface Lines {
  /** Number of complete lines. */
  readonly complete: number
  isEmpty(line: number): boolean
}

/**
 * Number of leading blocks that cannot change, whatever follows the text: all before the last one that is definitely a separate
 * block.
 */
export function settledTops(tokens: readonly Token[], tops: readonly Top[], lines: Lines): number {
  let last = tops.length - 1
  while (last > 0 && !isApart(tokens, tops, last, lines)) last -= 1
  return Math.max(0, last)
}

function isApart(
  tokens: readonly Token[],
  tops: readonly Top[],
  at: number,
  lines: Lines,
): boolean {
  const [before, top] = [tops[at - 1], tops[at]]
  if (!before || !top || top.line >= lines.complete) return false
  if (!drawsIn.has(before.type) || lines.isEmpty(top.line - 1)) return true
  if (top.type === 'math') return tokens[top.from]?.info === 'closed'
  return top.line + (linesToBe[top.type] ?? Infinity) <= lines.complete
}
