import type Database from 'better-sqlite3'
import { matchExpression, type Term } from '../../../../shared/text/query.ts'
import { locate } from '../../../../shared/text/locate.ts'
import { bucketSpan, rowsPerItem } from '../../../platform/database/search-numbers.ts'
import type { PartTexts } from '../../../platform/database/search-numbers.ts'

/**
 * Reads the lines behind a meeting's search row. A meeting has many rows, found from its end: the one shown is the first in
 * time whose lines contain all terms, so that a result opens at the first mention; otherwise the found row.
 */
export function meetingTexts(
  db: Database.Database,
  terms: readonly Term[],
): (row: number) => PartTexts {
  const expression = `body : (${matchExpression(terms)})`
  // Prepared when the first meeting is found.
  const prepared = once(() => ({
    rows: db.prepare<unknown[], { row: number }>(
      'SELECT rowid AS row FROM search_text WHERE search_text MATCH ? AND rowid >= ? AND rowid < ? ORDER BY rowid LIMIT 8',
    ),
    lines: db.prepare<unknown[], { id: string; text: string }>(
      'SELECT id, text FROM meeting_lines WHERE item_seq = ? AND start_ms >= ? AND start_ms < ? ORDER BY start_ms, channel, seq',
    ),
  }))
  const read = (row: number): PartTexts => {
    const seq = Math.floor(row / rowsPerItem)
    const lines = prepared().lines.all(seq, ...bucketSpan(row % rowsPerItem))
    let start = 0
    const parts = lines.map((line) => {
      const part = { id: line.id, start }
      start += line.text.length + 1
      return part
    })
    return { part: null, text: lines.map((line) => line.text).join('\n'), parts }
  }
  return (row) => {
    const first = row - (row % rowsPerItem)
    for (const earlier of prepared().rows.all(
      expression,
      BigInt(first),
      BigInt(first + rowsPerItem),
    )) {
      const texts = read(earlier.row)
      if (locate(texts.text ?? '', terms).every((ranges) => ranges.length > 0)) return texts
    }
    return read(row)
  }
}

/** Returns a function that creates a value on first use. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null
  return () => (made ??= { value: make() }).value
}
