import type Database from 'better-sqlite3'
import { bucketSpan, bucketSql, type SearchRow } from './search-numbers.ts'
import { rowWriter } from './search-rows.ts'

/** Lines of a meeting, given its number, that begin in a time span. */
export const linesInSpan = `
  SELECT id, text FROM meeting_lines WHERE item_seq = ? AND start_ms >= ? AND start_ms < ?
  ORDER BY start_ms, channel, seq`

/**
 * Earlier texts of segments that begin in a time span, which were in the transcript before. The ID is that of the
 * segment’s first line, where its versions are shown, or that of the version without one.
 */
export const earlierInSpan = `
  SELECT coalesce((SELECT id FROM meeting_lines WHERE segment_id = s.id ORDER BY start_ms, channel, seq LIMIT 1), r.id) AS id,
    r.text
  FROM meeting_segments s CROSS JOIN meeting_readings r ON r.segment_id = s.id
  WHERE s.item_seq = ? AND s.start_ms >= ? AND s.start_ms < ? AND r.state = 'older' AND r.text <> ''
  ORDER BY s.start_ms, s.channel`

/** Numbers of the search rows of a meeting with earlier texts. */
export const earlierBuckets = `
  SELECT DISTINCT ${bucketSql} AS number FROM meeting_segments s
  WHERE item_seq = ? AND EXISTS (SELECT 1 FROM meeting_readings WHERE segment_id = s.id AND state = 'older' AND text <> '')`

/** Makes the earlier texts of all meetings searchable that were stored before they were. */
export function indexEarlierTexts(db: Database.Database): void {
  const rows = db
    .prepare<[], Omit<SearchRow, 'text'>>(
      `SELECT DISTINCT i.seq, ${bucketSql} AS number, i.title
       FROM meeting_readings r CROSS JOIN meeting_segments s ON s.id = r.segment_id CROSS JOIN items i ON i.seq = s.item_seq
       WHERE r.state = 'older' AND r.text <> ''`,
    )
    .all()
  const texts = [linesInSpan, earlierInSpan].map((sql) =>
    db.prepare<unknown[], { text: string }>(sql),
  )
  const write = rowWriter(db)
  for (const row of rows) {
    const span = bucketSpan(row.number)
    const found = texts.flatMap((each) => each.all(row.seq, ...span))
    write({ ...row, text: found.map(({ text }) => text).join('\n') })
  }
}
