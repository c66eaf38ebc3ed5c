import type Database from 'better-sqlite3'
import type { Connection } from './connection.ts'
import { indexTokens } from './search-text.ts'

/** Search rows of one item lie side by side, one for each transcript: `seq * rowsPerItem + number`. */
export const rowsPerItem = 4096

const insert = 'INSERT OR REPLACE INTO search_text(rowid, title, body) VALUES (?, ?, ?)'

/** Writes the search row of one transcript; a new item without any writes the row of its first with an empty text. */
export function putSearchRow(
  connection: Connection,
  row: {
    readonly seq: number
    readonly number: number
    readonly title: string
    readonly text: string
  },
): void {
  connection.run(
    insert,
    row.seq * rowsPerItem + row.number,
    indexTokens(row.title),
    indexTokens(row.text),
  )
}

/** Builds the whole index anew from items and transcripts, in one transaction: after a repair, or after rows were written in bulk. */
export function rebuildSearch(db: Database.Database): void {
  const rows = db.prepare<
    [number, number],
    { seq: number; number: number; title: string; text: string }
  >(`
    SELECT i.seq, coalesce(t.number, 0) AS number, i.title, coalesce(t.text, '') AS text
    FROM items i LEFT JOIN transcripts t ON t.item_seq = i.seq
    WHERE i.seq >= ? AND i.seq < ? ORDER BY i.seq, t.number`)
  const write = db.prepare(insert)
  const last = db
    .prepare<[], { seq: number | null }>('SELECT max(seq) AS seq FROM items')
    .get()?.seq
  db.transaction(() => {
    db.exec(`INSERT INTO search_text(search_text) VALUES ('delete-all')`)
    const step = 1000
    for (let from = 0; from <= (last ?? -1); from += step) {
      for (const row of rows.all(from, from + step)) {
        write.run(row.seq * rowsPerItem + row.number, indexTokens(row.title), indexTokens(row.text))
      }
    }
  }).immediate()
}
