import type Database from 'better-sqlite3'
import type { PartTexts } from './search-meetings.ts'
import { rowsPerItem } from './search-numbers.ts'

/** Returns a reader for the segments of a narration's search row. */
export function speechTexts(db: Database.Database): (row: number) => PartTexts {
  const read = db.prepare<[number, number], { id: string; text: string }>(
    `SELECT id, text FROM speech_pieces WHERE item_seq = ? AND place % ${rowsPerItem} = ? ORDER BY place`,
  )
  return (row) => {
    const segments = read.all(Math.floor(row / rowsPerItem), row % rowsPerItem)
    let start = 0
    const parts = segments.map(({ id, text }) => {
      const part = { id, start }
      start += text.length + 1
      return part
    })
    return { part: null, text: segments.map(({ text }) => text).join('\n'), parts }
  }
}
