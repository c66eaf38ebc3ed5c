import type { Token } from 'markdown-it'
import { definitions, type Grammar } from './grammar.ts'

/** An item like the first one of a text, placed before a text to make it the middle of a list. */
export function dummyOf(text: string): string {
  const mark = /^[ ]{0,3}(?:[-+*]|\d{1,9}[.)])/.exec(text)?.[0] ?? '-'
  return `${mark} x\n`
}

/** First lines of a list's own items. */
export function itemsOf(tokens: readonly Token[], list: Top | undefined): readonly number[] {
  if (!list) return []
  return tokens
    .slice(list.from, list.to)
    .filter(({ type, level }) => type === 'list_item_open' && level === 1)
    .map(({ map }) => map?.[0] ?? 0)
}

/** Whether the list at the beginning is loose; its first item is one of {@link dummyOf}. */
export const isLoose = (tokens: readonly Token[]): boolean =>
  tokens.find(({ type }) => type === 'paragraph_open')?.hidden === false

/** A unit that is drawn separately: a block, a list item, a table header, or table rows. */
export type FragmentSource =
  | { readonly kind: 'block' | 'item' | 'head'; readonly text: string }
  | { readonly kind: 'rows'; readonly text: string; readonly head: string }

/** The tokens of a piece as in its original text; `goesOn`: it is the end of a growing text. */
export function tokensOf(source: FragmentSource, grammar: Grammar, goesOn = false): Token[] {
  switch (source.kind) {
    case 'block':
      return grammar.blocks(source.text, definitions(), goesOn)
    case 'item': {
      const tokens = grammar.blocks(dummyOf(source.text) + source.text, definitions())
      const marks = tokens.flatMap(({ type, level }, at) =>
        level === 1 && type.startsWith('list_item_') ? [at] : [],
      )
      const [, , from = 0, to = -1] = marks
      return tokens.slice(from, to + 1)
    }
    case 'head':
      return between(grammar.blocks(source.text, definitions()), 'thead')
    case 'rows':
      return between(grammar.blocks(source.head + source.text, definitions()), 'tbody')
  }
}

/** The tokens in the first such part of a table. */
function between(tokens: Token[], part: string): Token[] {
  const from = tokens.findIndex(({ type }) => type === `${part}_open`)
  const to = tokens.findIndex(({ type }) => type === `${part}_close`)
  return from === -1 ? [] : tokens.slice(from + 1, to)
}

/** Whether a list at the top of these tokens is tight. */
export function isTight(tokens: readonly Token[]): boolean {
  if (!/^(?:ul|ol)$/.test(tokens[0]?.tag ?? '')) return false
  return tokens.some(
    ({ level, type, hidden }) => level === 2 && type === 'paragraph_open' && hidden,
  )
}

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
interface Lines {
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
