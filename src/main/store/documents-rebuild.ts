import type Database from 'better-sqlite3'
import type { Block } from '../../shared/model/document.ts'
import { blockText } from '../../shared/document/block-text.ts'
import { pageBucketSql, type SearchRow } from './search-numbers.ts'

/**
 * Reads the search rows of the documents among items `from` (inclusive) to `to` (exclusive): one per page, or one for a
 * document without pages.
 */
export function documentRows(
  db: Database.Database,
): (from: number, to: number) => Iterable<SearchRow> {
  const documents = db.prepare<[number, number], { seq: number; title: string }>(
    `SELECT seq, title FROM items WHERE kind = 'document' AND seq >= ? AND seq < ? ORDER BY seq`,
  )
  const pages = db.prepare<[number], { number: number; page: number; version: number }>(
    `SELECT ${pageBucketSql} AS number, page, version_seq AS version FROM document_pages
     WHERE item_seq = ? AND stands > 0 ORDER BY 1, page`,
  )
  const blocks = db.prepare<[number, number], Pick<Block, 'kind' | 'content' | 'edited'>>(
    'SELECT kind, content, edited FROM document_blocks WHERE version_seq = ? AND page = ? ORDER BY place',
  )
  const textOf = (version: number, page: number): string =>
    blocks.all(version, page).map(blockText).join('\n')

  return function* rows(from, to) {
    for (const { seq, title } of documents.all(from, to)) {
      const groups = Map.groupBy(pages.all(seq), (row) => row.number)
      if (!groups.has(0)) yield { seq, number: 0, title, text: '' }
      for (const [number, group] of groups) {
        const text = group.map(({ version, page }) => textOf(version, page)).join('\n')
        if (text !== '' || number === 0) yield { seq, number, title, text }
      }
    }
  }
}
