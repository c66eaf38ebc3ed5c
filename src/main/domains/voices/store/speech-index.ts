import type { Connection } from '../../../platform/database/connection.ts'
import { dropSearchRow, putSearchRow, rowsPerItem } from '../../../platform/database/search-rows.ts'

/** Search rows written in one step: a few milliseconds. */
const rowsPerStep = 20

/** Segments of a search row: a narration of more than 4,096 segments has several rows. */
const behind = `FROM speech_pieces WHERE item_seq = ? AND place % ${rowsPerItem} = ? ORDER BY place`

/** Marks a search row of a narration as outdated; row 0 also exists without segments, for the title. */
export const markUnindexed = (connection: Connection, seq: number, place: number): void =>
  void connection.run(
    'INSERT OR IGNORE INTO speech_unindexed(item_seq, number) VALUES (?, ?)',
    seq,
    place % rowsPerItem,
  )

/** Marks all rows of a narration; also rows after its last segment, so that they are deleted. */
export function markAllUnindexed(connection: Connection, seq: number, upTo: number): void {
  connection.run(
    `INSERT OR IGNORE INTO speech_unindexed(item_seq, number)
     WITH RECURSIVE n(number) AS (SELECT 0 UNION ALL SELECT number + 1 FROM n WHERE number + 1 < ?)
     SELECT ?, number FROM n`,
    Math.max(1, Math.min(rowsPerItem, upTo)),
    seq,
  )
}

/** Updates some of the outdated search rows; returns false if none were left. */
export function settleSpeech(connection: Connection): boolean {
  if (!connection.writable) return false
  return connection.transaction(() => {
    const rows = connection.all<{ seq: number; number: number }>(
      'SELECT item_seq AS seq, number FROM speech_unindexed ORDER BY item_seq DESC, number LIMIT ?',
      rowsPerStep,
    )
    for (const { seq, number } of rows) {
      connection.run('DELETE FROM speech_unindexed WHERE item_seq = ? AND number = ?', seq, number)
      const item = connection.get<{ title: string }>('SELECT title FROM items WHERE seq = ?', seq)
      const texts = connection.all<{ text: string }>(`SELECT text ${behind}`, seq, number)
      if (!item || (texts.length === 0 && number > 0)) dropSearchRow(connection, seq, number)
      else putSearchRow(connection, { seq, number, title: item.title, text: join(texts) })
    }
    return rows.length > 0
  })
}

const join = (texts: readonly { readonly text: string }[]): string =>
  texts.map(({ text }) => text).join('\n')
