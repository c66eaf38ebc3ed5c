import type Database from 'better-sqlite3'
import { indexTokens } from '../../../shared/text/cut.ts'
import type { Connection } from './connection.ts'
import { rowsPerItem, type SearchRow } from './search-numbers.ts'

const insert = 'INSERT OR REPLACE INTO search_text(rowid, title, body) VALUES (?, ?, ?)'

/**
 * Writes the search row of one minute of a meeting or one page of a document; a new item without any gets the row of its
 * first with an empty text.
 */
export const putSearchRow = (connection: Connection, row: SearchRow): void =>
  void connection.run(insert, ...valuesOf(row))

/** Returns a writer of many search rows, for an index that is rebuilt. */
export function rowWriter(db: Database.Database): (row: SearchRow) => void {
  const write = db.prepare(insert)
  return (row) => void write.run(...valuesOf(row))
}

const valuesOf = ({ seq, number, title, text }: SearchRow): readonly [number, string, string] => [
  seq * rowsPerItem + number,
  indexTokens(title),
  indexTokens(text),
]

/** Deletes one search row. */
export const dropSearchRow = (connection: Connection, seq: number, number: number): void =>
  void connection.run('DELETE FROM search_text WHERE rowid = ?', BigInt(seq * rowsPerItem + number))
