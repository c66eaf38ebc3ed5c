import type { Block } from '../../../../../shared/model/document.ts'

/** Returns the blocks of a page in reading order; empty for a page that has none. */
export type BlocksOf = (page: number) => readonly Block[]

/**
 * Returns the block before (-1) or after (1) another one in reading order, across pages. Null for `from` starts at the
 * top of `page`. Null when there is no further one.
 */
export function nextBlock(
  blocksOf: BlocksOf,
  pages: number,
  from: { readonly page: number; readonly id: string } | null,
  page: number,
  direction: 1 | -1,
): Block | null {
  const start = from?.page ?? page
  const here = blocksOf(start)
  const place = from ? here.findIndex(({ id }) => id === from.id) : -1
  const adjacent = from
    ? here[place === -1 ? (direction > 0 ? 0 : here.length - 1) : place + direction]
    : here[0]
  if (adjacent) return adjacent
  for (let other = start + direction; other >= 1 && other <= pages; other += direction) {
    const blocks = blocksOf(other)
    const block = direction > 0 ? blocks[0] : blocks.at(-1)
    if (block) return block
  }
  return null
}
