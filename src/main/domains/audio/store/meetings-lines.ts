import type { Line } from '../../../../shared/model/meeting.ts'
import type { Connection } from '../../../platform/database/connection.ts'
import {
  inReadingOrder,
  speakerResolver,
  speakerRows,
  toLine,
  type LineRow,
} from './meetings-rows.ts'
import { indexBuckets, touchItem } from './meetings-search.ts'
import { bucketOf } from '../../../platform/database/search-numbers.ts'

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
