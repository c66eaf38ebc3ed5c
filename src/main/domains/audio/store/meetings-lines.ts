import type { Line } from '../../../../shared/model/meeting.ts'
import type { Connection } from '../../../platform/database/connection.ts'
import {
  inReadingOrder,
  speakerResolver,
  speakerRows,
  toLine,
  type LineRow,
} from './meetings-rows.ts'
import {
  bucketOf,
  bucketSpan,
  bucketSql,
  dropSearchRow,
  earlierBuckets,
  earlierInSpan,
  linesInSpan,
  putSearchRow,
} from '../../../platform/database/search-rows.ts'
import { excerptOf } from '../../../platform/text/display-title.ts'

/** Returns the lines of a meeting in chronological order. */
export function linesOf(
  connection: Connection,
  seq: number,
  from: number,
  limit: number,
): readonly Line[] {
  const speaker = speakerResolver(speakerRows(connection, seq))
  return connection
    .all<LineRow>(
      `SELECT * FROM meeting_lines WHERE item_seq = ? ${inReadingOrder} LIMIT ? OFFSET ?`,
      seq,
      limit,
      from,
    )
    .map((row) => toLine(row, speaker))
}

/** Returns the lines with these IDs in chronological order; unknown IDs are skipped. */
export function linesById(
  connection: Connection,
  seq: number,
  ids: readonly string[],
): readonly Line[] {
  const speaker = speakerResolver(speakerRows(connection, seq))
  return connection
    .all<LineRow>(
      `SELECT * FROM meeting_lines WHERE item_seq = ? AND id IN (SELECT value FROM json_each(?)) ${inReadingOrder}`,
      seq,
      JSON.stringify(ids),
    )
    .map((row) => toLine(row, speaker))
}

/** Returns the rows of a segment's lines. */
export const segmentLines = (connection: Connection, segmentId: string): readonly LineRow[] =>
  connection.all<LineRow>(
    `SELECT * FROM meeting_lines WHERE segment_id = ? ${inReadingOrder}`,
    segmentId,
  )

/** Returns one row by its ID. */
export const lineRow = (connection: Connection, id: string): LineRow | undefined =>
  connection.get<LineRow>('SELECT * FROM meeting_lines WHERE id = ?', id)

/** Writes a row over the one with its ID; `seq` null assigns the next number. */
export function putLine(
  connection: Connection,
  line: Omit<LineRow, 'seq'> & { readonly seq: number | null },
): void {
  connection.run(
    `INSERT INTO meeting_lines(seq, id, item_seq, segment_id, channel, start_ms, end_ms, speaker_id, text, edited_at, flags,
       model, account_name) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT(id) DO UPDATE SET segment_id = excluded.segment_id, channel = excluded.channel,
       start_ms = excluded.start_ms, end_ms = excluded.end_ms, speaker_id = excluded.speaker_id, text = excluded.text,
       edited_at = excluded.edited_at, flags = excluded.flags, model = excluded.model,
       account_name = excluded.account_name`,
    line.seq,
    line.id,
    line.item_seq,
    line.segment_id,
    line.channel,
    line.start_ms,
    line.end_ms,
    line.speaker_id,
    line.text,
    line.edited_at,
    line.flags,
    line.model,
    line.account_name,
  )
}

/** Deletes a row by its ID. */
export const dropLine = (connection: Connection, id: string): void =>
  void connection.run('DELETE FROM meeting_lines WHERE id = ?', id)

/**
 * Updates search, excerpt and modification time after rows with these start times were added, removed or changed.
 */
export function afterLines(
  connection: Connection,
  seq: number,
  starts: readonly number[],
  at: number,
): void {
  if (starts.length === 0) return
  indexBuckets(connection, seq, starts.map(bucketOf))
  touchItem(connection, seq, at)
}

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
