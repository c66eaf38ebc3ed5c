import type { Block } from '../../../../../shared/model/document.ts'
import type { ExportPage } from '../document-export-types.ts'
import { blockNodes } from './content.ts'
import type { Node } from '../../../../platform/export-files/nodes.ts'
import { tablesIn, type ContentTable } from './tables.ts'

/** A block with its parsed content. */
export interface ReadBlock {
  readonly block: Block
  readonly nodes: readonly Node[]
}

/** Returns the blocks of a page in reading order, without those that have no content. */
export function readBlocks(page: ExportPage): readonly ReadBlock[] {
  const figures = page.blocks.filter(({ kind }) => kind === 'figure')
  return page.blocks
    .toSorted((a, b) => a.order - b.order)
    .map((block) => ({ block, nodes: blockNodes(block, figures) }))
    .filter(({ nodes }) => nodes.length > 0)
}

/** A table of a document with its position. */
export interface PlacedTable {
  readonly page: number
  /** Number of the table on its page, from 1. */
  readonly number: number
  readonly table: ContentTable
}

/** Returns the tables of a page, including those inside text blocks; tables without rows are left out. */
export function tablesOfPage(page: ExportPage): readonly PlacedTable[] {
  return readBlocks(page)
    .flatMap(({ nodes }) => tablesIn(nodes))
    .filter(({ grid }) => grid.columns > 0)
    .map((table, index) => ({ page: page.page, number: index + 1, table }))
}
