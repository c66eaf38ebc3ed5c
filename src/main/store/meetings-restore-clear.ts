import type { Connection } from './connection.ts'
import { rowsPerItem } from './search-numbers.ts'

/** Number of rows deleted in one step; a search row is a minute of text. */
const stepRows = 200
const stepMinutes = 20

/**
 * Tables with rows of a meeting; readings come before their segments, which would cascade to all of them at once.
 */
const tables = [
  'meeting_edits',
  'meeting_readings',
  'meeting_segments',
  'meeting_lines',
  'meeting_bookmarks',
  'meeting_gaps',
  'meeting_summaries',
  'meeting_speakers',
]

/** Deletes some of the rows of a meeting, in the caller's transaction; returns true when none is left. */
export function clearRows(connection: Connection, seq: number): boolean {
  for (const table of tables) {
    const { changes } = connection.run(
      `DELETE FROM ${table} WHERE seq IN (SELECT seq FROM ${table} WHERE item_seq = ? LIMIT ${stepRows})`,
      seq,
    )
    if (changes > 0) return false
  }
  // Integers: the index accepts no floating-point row number.
  const first = BigInt(seq * rowsPerItem)
  const minutes = connection.all<{ rowid: number }>(
    `SELECT rowid FROM search_text WHERE rowid > ? AND rowid < ? LIMIT ${stepMinutes}`,
    first,
    first + BigInt(rowsPerItem),
  )
  for (const { rowid } of minutes)
    connection.run('DELETE FROM search_text WHERE rowid = ?', BigInt(rowid))
  if (minutes.length > 0) return false
  // These counts increase with new rows, but deletions do not decrease them.
  connection.run(
    `UPDATE meetings SET gaps_ms = 0, segments = 0, segments_ms = 0, transcribed_ms = 0, waiting = 0, failed = 0, flagged = 0
     WHERE item_seq = ?`,
    seq,
  )
  return true
}
