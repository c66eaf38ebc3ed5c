import type { Block, BlockKind } from '../../../../../shared/model/document.ts'
import type { CurrentPage } from '../../../../../shared/contract/documents.ts'

/**
 * A row of the text next to the pages: the header of a page, a block of it, or the space of blocks that are not loaded
 * yet.
 */
export type TextRow =
  | { readonly kind: 'page'; readonly key: string; readonly rem: number; readonly page: number }
  | {
      readonly kind: 'block'
      readonly key: string
      readonly rem: number
      readonly page: number
      readonly block: Block
    }
  | { readonly kind: 'waiting'; readonly key: string; readonly rem: number; readonly page: number }
  | {
      readonly kind: 'empty'
      readonly key: string
      readonly rem: number
      readonly page: number
      /** Null for a page that was never requested. */
      readonly currentPage: CurrentPage | null
    }

/** Heights in rem. */
const headRem = 2.5
const lineRem = 1.5
const defaultBlockRem = 4.5

/**
 * Returns the number of letters in a line, by its width in rem; a Chinese character is twice as wide as a Latin letter.
 */
const lettersOf = (widthRem: number): number => Math.max(12, widthRem * 2.05)

const wide = /[\u2E80-\u9FFF\uAC00-\uD7AF\uF900-\uFAFF\uFF00-\uFFEF]/g

/** Estimates the height of a block from its type and text; rendered blocks are measured. */
export function guessRem(
  block: Pick<Block, 'kind' | 'content' | 'edited'>,
  widthRem: number,
): number {
  const text = block.edited ?? block.content
  const lines = (letters: number): number => Math.max(1, Math.ceil(letters / lettersOf(widthRem)))
  const guesses: Readonly<Record<BlockKind, () => number>> = {
    title: () => 2.25 + (lines(text.length * 1.3) - 1) * 1.6,
    text: () => {
      const sample = text.slice(0, 4000)
      const letters =
        text.length * (1 + (sample.match(wide)?.length ?? 0) / Math.max(1, sample.length))
      return lines(letters) * lineRem
    },
    table: () => {
      const rows = text.split(/<tr[\s>]|\n\|/i, 400).length - 1
      return Math.max(1, rows) * 1.8 + 0.5
    },
    formula: () => 3 + (text.split('\\\\', 40).length - 1) * 1.75,
    figure: () => 14,
    other: () => lines(text.length) * lineRem,
  }
  // A text that is too long to be rendered shows its first letters.
  return Math.min(guesses[block.kind](), 400) + 0.5
}

/** Last layout of a page. */
export interface PageLayout {
  /** Blocks of these rows; null once they are no longer loaded. */
  readonly blocks: readonly Block[] | null
  readonly widthRem: number
  readonly rows: readonly TextRow[]
  readonly rem: number
}

/** Input of the row layout. */
interface RowSources {
  readonly pages: number
  readonly page: (number: number) => CurrentPage | null
  readonly blocks: (number: number) => readonly Block[] | null
  readonly widthRem: number
  /** Pages that were laid out before: unchanged ones are not processed again. */
  readonly known: Map<number, PageLayout>
}

/**
 * Returns the rows of all pages in reading order; a page whose blocks are not loaded reserves about the space it will
 * take.
 */
export function textRows({ pages, page, blocks, widthRem, known }: RowSources): TextRow[] {
  const rows: TextRow[] = []
  for (let number = 1; number <= pages; number += 1) {
    rows.push({ kind: 'page', key: `page ${number}`, rem: headRem, page: number })
    const held = blocks(number)
    const currentPage = page(number)
    if (!held) {
      const before = known.get(number)
      if (before?.blocks) known.set(number, { ...before, blocks: null, rows: [] })
      const rem = before?.rem ?? Math.max(1, currentPage?.blocks ?? 10) * defaultBlockRem
      rows.push({ kind: 'waiting', key: `waiting ${number}`, rem, page: number })
      continue
    }
    if (held.length === 0) {
      rows.push({
        kind: 'empty',
        key: `empty ${number}`,
        rem: 2.5,
        page: number,
        currentPage: currentPage?.versionId ? currentPage : null,
      })
      continue
    }
    const before = known.get(number)
    const isSame = before?.blocks === held && before.widthRem === widthRem
    const placed = isSame ? before : pageLayout(number, held, widthRem)
    known.set(number, placed)
    rows.push(...placed.rows)
  }
  return rows
}

function pageLayout(page: number, blocks: readonly Block[], widthRem: number): PageLayout {
  const rows = blocks.map((block): TextRow => {
    const rem = guessRem(block, widthRem)
    return { kind: 'block', key: block.id, rem, page, block }
  })
  return { blocks, widthRem, rows, rem: rows.reduce((sum, { rem }) => sum + rem, 0) }
}
