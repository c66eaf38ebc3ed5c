import type { Token } from 'markdown-it'
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
