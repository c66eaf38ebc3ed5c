import type { Block } from '../../../../shared/model/document.ts'
import { blockText } from '../../../../shared/documents/block-text.ts'
import { plainWords } from '../../../../shared/documents/plain-text.ts'
import type { Connection } from '../../../platform/database/connection.ts'
import { updateCurrentVersions } from './documents-counts.ts'
import {
  dropSearchRow,
  pageBucket,
  pageBucketSql,
  pagesOfBucket,
  putSearchRow,
} from '../../../platform/database/search-rows.ts'
import { excerptOf } from '../../../platform/text/display-title.ts'

/**
 * Number of search rows rewritten at once, some milliseconds for a full page. The rest is left to later steps, so that no
 * change takes longer than a frame.
 */
export const rowsAtOnce = 2

/** Maximum number of blocks, and of characters of each, in the excerpt. */
const excerptBlocks = 20
const excerptChars = 2000

/** Updates everything derived from pages: current versions, search, excerpt and modification time. */
export function afterPages(
  connection: Connection,
  seq: number,
  pages: readonly number[],
  at: number,
): void {
  if (pages.length === 0) return
  updateCurrentVersions(connection, seq, Math.min(...pages), Math.max(...pages))
  markStale(connection, seq, pages)
  // Saving a response with many pages has already taken long enough.
  if (pages.length <= rowsAtOnce) indexStale(connection, seq, rowsAtOnce)
  touchDocument(connection, seq, at)
}

/** Marks the search rows of these pages as outdated. */
export const markStale = (connection: Connection, seq: number, pages: readonly number[]): void =>
  void connection.run(
    'INSERT OR IGNORE INTO document_stale(item_seq, number) SELECT ?, value FROM json_each(?)',
    seq,
    JSON.stringify(Array.from(new Set(pages.map(pageBucket)))),
  )

/** Marks all search rows of a document as outdated: its title is in each of them. */
export function markAllStale(connection: Connection, seq: number): void {
  connection.run(
    `INSERT OR IGNORE INTO document_stale(item_seq, number) SELECT DISTINCT item_seq, ${pageBucketSql}
     FROM document_pages WHERE item_seq = ? AND stands > 0`,
    seq,
  )
  connection.run('INSERT OR IGNORE INTO document_stale(item_seq, number) VALUES (?, 0)', seq)
}

/** Rewrites outdated search rows of a document, in page order, and returns how many. */
export function indexStale(connection: Connection, seq: number, limit: number): number {
  const numbers = connection.all<{ number: number }>(
    'SELECT number FROM document_stale WHERE item_seq = ? ORDER BY number LIMIT ?',
    seq,
    limit,
  )
  if (numbers.length === 0) return 0
  const item = connection.get<{ title: string; pages: number }>(
    `SELECT i.title, (SELECT max(page) FROM document_pages WHERE item_seq = i.seq) AS pages FROM items i WHERE seq = ?`,
    seq,
  )
  for (const { number } of numbers) {
    const text = item ? bucketText(connection, seq, number, item.pages) : ''
    if (!item || (text === '' && number > 0)) dropSearchRow(connection, seq, number)
    else putSearchRow(connection, { seq, number, title: item.title, text })
    connection.run('DELETE FROM document_stale WHERE item_seq = ? AND number = ?', seq, number)
  }
  return numbers.length
}

const bucketText = (connection: Connection, seq: number, number: number, last: number): string =>
  connection
    .all<Pick<Block, 'kind' | 'content' | 'edited'>>(
      `${currentBlocks('b.kind, b.content, b.edited')} AND p.page IN (SELECT value FROM json_each(?)) ORDER BY p.page, b.place`,
      seq,
      JSON.stringify(pagesOfBucket(number, last)),
    )
    .map(blockText)
    .join('\n')

/** Selects columns of the blocks `b` on the current pages `p` of a document. */
export const currentBlocks = (what: string): string =>
  `SELECT ${what} FROM document_pages p CROSS JOIN document_blocks b ON b.version_seq = p.version_seq AND b.page = p.page
   WHERE p.item_seq = ? AND p.stands > 0`

/** Updates the item's excerpt and modification time from its first blocks. */
export function touchDocument(connection: Connection, seq: number, at: number): void {
  const head = connection
    .all<Pick<Block, 'kind' | 'content' | 'edited'>>(
      `${currentBlocks(
        `b.kind, substr(b.content, 1, ${excerptChars}) AS content, substr(b.edited, 1, ${excerptChars}) AS edited`,
      )} ORDER BY p.page, b.place LIMIT ${excerptBlocks}`,
      seq,
    )
    .map(plainWords)
    .filter((words) => words !== '')
    .join(' ')
  connection.run(
    'UPDATE items SET excerpt = ?, updated_at = ? WHERE seq = ?',
    excerptOf(head),
    at,
    seq,
  )
}
