import type Database from 'better-sqlite3'
import { rowsPerItem, type SearchRow } from './search-numbers.ts'

/** Writes all search rows of the narrations in a range of items, for an index that is rebuilt. */
export function speechRows(
  db: Database.Database,
): (from: number, upTo: number) => readonly SearchRow[] {
  const items = db.prepare<[number, number], { seq: number; title: string }>(
    `SELECT seq, title FROM items WHERE kind = 'speech' AND seq >= ? AND seq < ? ORDER BY seq`,
  )
  const segments = db.prepare<[number], { number: number; text: string }>(
    `SELECT place % ${rowsPerItem} AS number, group_concat(text, char(10) ORDER BY place) AS text
     FROM speech_pieces WHERE item_seq = ? AND place >= 0 GROUP BY 1 ORDER BY 1`,
  )
  return (from, upTo) =>
    items.all(from, upTo).flatMap(({ seq, title }) => {
      const rows = segments.all(seq).map((row) => ({ seq, title, ...row }))
      return rows[0]?.number === 0 ? rows : [{ seq, number: 0, title, text: '' }, ...rows]
    })
}
