import { indexTokens } from '../../../shared/text/cut.ts'
import type { Connection } from './connection.ts'
import { rowsPerItem, type SearchRow } from './search-numbers.ts'

/** Writes one search row: its number, its title and its text as words of the index. */
export const insertSearchRow =
  'INSERT OR REPLACE INTO search_text(rowid, title, body) VALUES (?, ?, ?)'

/**
 * Writes the search row of one transcript, one minute of a meeting or one page of a document; a new item without any gets the
 * row of its first with an empty text.
 */
export function putSearchRow(connection: Connection, row: SearchRow): void {
  connection.run(
    insertSearchRow,
    row.seq * rowsPerItem + row.number,
    indexTokens(row.title),
    indexTokens(row.text),
  )
}

/** Deletes one search row. */
export const dropSearchRow = (connection: Connection, seq: number, number: number): void =>
  void connection.run('DELETE FROM search_text WHERE rowid = ?', BigInt(seq * rowsPerItem + number))
