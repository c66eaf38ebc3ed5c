import type { Connection } from '../../../platform/database/connection.ts'
import { bucketSpan, bucketSql } from '../../../platform/database/search-numbers.ts'
import {
  earlierBuckets,
  earlierInSpan,
  linesInSpan,
} from '../../../platform/database/search-minutes.ts'
import { dropSearchRow, putSearchRow } from '../../../platform/database/search-rows.ts'
import { excerptOf } from '../../../platform/text/display-title.ts'

/**
 * Rewrites the search rows of these minutes from the existing lines, and from earlier versions of their text. The first row
 * stays even when empty, for the title.
 */
export function indexBuckets(connection: Connection, seq: number, buckets: Iterable<number>): void {
  const title = connection.get<{ title: string }>('SELECT title FROM items WHERE seq = ?', seq)
  for (const number of new Set(buckets)) {
    const span = bucketSpan(number)
    const text = [linesInSpan, earlierInSpan]
      .flatMap((sql) => connection.all<{ text: string }>(sql, seq, ...span))
      .map((part) => part.text)
      .join('\n')
    if (text === '' && number > 0) dropSearchRow(connection, seq, number)
    else putSearchRow(connection, { seq, number, title: title?.title ?? '', text })
  }
}

/** Rewrites all search rows of a meeting after its title changed. */
export function indexMeeting(connection: Connection, seq: number): void {
  const buckets = connection.all<{ number: number }>(
    `SELECT DISTINCT ${bucketSql} AS number FROM meeting_lines WHERE item_seq = ? UNION ALL ${earlierBuckets}`,
    seq,
    seq,
  )
  indexBuckets(connection, seq, [0, ...buckets.map((bucket) => bucket.number)])
}

/** Maximum number of lines in the excerpt. */
const excerptLines = 20

/** Updates the item's excerpt and modification time from its first lines. */
export function touchItem(connection: Connection, seq: number, at: number): void {
  const head = connection
    .all<{ text: string }>(
      `SELECT substr(text, 1, 400) AS text FROM meeting_lines WHERE item_seq = ?
       ORDER BY start_ms, channel, seq LIMIT ${excerptLines}`,
      seq,
    )
    .map((line) => line.text)
    .join(' ')
  connection.run(
    'UPDATE items SET excerpt = ?, updated_at = ? WHERE seq = ?',
    excerptOf(head),
    at,
    seq,
  )
}
