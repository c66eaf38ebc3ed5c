import type { Token } from 'markdown-it'
import { definitions, type Grammar } from './grammar.ts'
import type { Top } from './top-level-blocks.ts'

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
