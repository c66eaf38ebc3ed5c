import type { LineHit } from '../../../../shared/contract/meetings.ts'
import { matchExpression, parseQuery } from '../../../../shared/text/query.ts'
import type { Connection } from '../../../platform/database/connection.ts'
import { locate } from '../../../../shared/text/locate.ts'
import { bucketSpan, rowsPerItem } from '../../../platform/database/search-numbers.ts'

/**
 * Returns every line of a meeting that contains all terms of a query, with the match positions; in a minute whose lines only
 * contain them together, every line with one of them, so that everything the Library search finds in lines is found here.
 * The index determines which minutes to read.
 */
export function findLines(connection: Connection, seq: number, query: string): readonly LineHit[] {
  const terms = parseQuery(query)
  if (terms.length === 0) return []
  const buckets = connection.all<{ row: number }>(
    `SELECT rowid AS row FROM search_text WHERE search_text MATCH ? AND rowid >= ? AND rowid < ? ORDER BY rowid`,
    `body : (${matchExpression(terms)})`,
    // The index accepts only integers, and ignores limits passed as floating point.
    BigInt(seq * rowsPerItem),
    BigInt((seq + 1) * rowsPerItem),
  )
  return buckets.flatMap(({ row }) => {
    const lines = connection.all<{ id: string; start_ms: number; text: string }>(
      `SELECT id, start_ms, text FROM meeting_lines WHERE item_seq = ? AND start_ms >= ? AND start_ms < ?
       ORDER BY start_ms, channel, seq`,
      seq,
      ...bucketSpan(row - seq * rowsPerItem),
    )
    const found = lines.map((line) => ({ line, held: locate(line.text, terms) }))
    const whole = found.filter(({ held }) => held.every((ranges) => ranges.length > 0))
    const shown = whole.length > 0 ? whole : found.filter(({ held }) => held.flat().length > 0)
    return shown.map(({ line, held }) => ({
      lineId: line.id,
      startMs: line.start_ms,
      ranges: inOrder(held.flat()),
    }))
  })
}

/** Returns ranges in reading order with overlapping ones merged. */
function inOrder(ranges: readonly (readonly [number, number])[]): LineHit['ranges'] {
  const merged: [number, number][] = []
  for (const [from, to] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const last = merged.at(-1)
    if (last && from < last[1]) last[1] = Math.max(last[1], to)
    else merged.push([from, to])
  }
  return merged
}
