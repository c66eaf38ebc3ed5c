import type Database from 'better-sqlite3'
import { indexTokens } from '../../../shared/text/cut.ts'
import type { Connection } from './connection.ts'

/**
 * Search rows of one item are adjacent, one for each minute of a meeting or page of a document: `seq *
 * rowsPerItem + number`.
 */
export const rowsPerItem = 4096

/** A search row: the title of its item and the text for its number. */
export interface SearchRow {
  readonly seq: number
  readonly number: number
  readonly title: string
  readonly text: string
}

/** Lines of one minute of the timeline share a search row: a changed line rewrites its minute, not the meeting. */
const bucketMs = 60_000

/** Returns the number of the search row of a line; lines after 68 hours share the last. */
export const bucketOf = (startMs: number): number =>
  Math.min(rowsPerItem - 1, Math.floor(startMs / bucketMs))

/** {@link bucketOf} in SQL, for the column `start_ms`. */
export const bucketSql = `min(${rowsPerItem - 1}, start_ms / ${bucketMs})`

/** Returns the range of start times in a search row: from (inclusive), to (exclusive). */
export const bucketSpan = (number: number): readonly [from: number, to: number] => [
  number * bucketMs,
  number === rowsPerItem - 1 ? Number.MAX_SAFE_INTEGER : (number + 1) * bucketMs,
]

/**
 * Returns the number of the search row of a document page; page 4097 shares the first, so that no row contains many.
 */
export const pageBucket = (page: number): number => (page - 1) % rowsPerItem

/** {@link pageBucket} in SQL, for the column `page`. */
export const pageBucketSql = `(page - 1) % ${rowsPerItem}`

/** Returns the pages up to `last` in a search row, in order. */
export function pagesOfBucket(number: number, last: number): readonly number[] {
  const pages: number[] = []
  for (let page = number + 1; page <= last; page += rowsPerItem) pages.push(page)
  return pages
}

/**
 * Text of a search row; for a meeting or document, the lines or blocks it is joined from and their start offsets.
 */
export interface PartTexts {
  readonly part: string | null
  readonly text: string | null
  readonly parts?: readonly {
    readonly id: string
    readonly start: number
    readonly page?: number
  }[]
}

const insert = 'INSERT OR REPLACE INTO search_text(rowid, title, body) VALUES (?, ?, ?)'

/**
 * Writes the search row of one minute of a meeting or one page of a document; a new item without any gets the row of its
 * first with an empty text.
 */
export const putSearchRow = (connection: Connection, row: SearchRow): void =>
  void connection.run(insert, ...valuesOf(row))

/** Returns a writer of many search rows, for an index that is rebuilt. */
export function rowWriter(db: Database.Database): (row: SearchRow) => void {
  const write = db.prepare(insert)
  return (row) => void write.run(...valuesOf(row))
}

const valuesOf = ({ seq, number, title, text }: SearchRow): readonly [number, string, string] => [
  seq * rowsPerItem + number,
  indexTokens(title),
  indexTokens(text),
]

/** Deletes one search row. */
export const dropSearchRow = (connection: Connection, seq: number, number: number): void =>
  void connection.run('DELETE FROM search_text WHERE rowid = ?', BigInt(seq * rowsPerItem + number))

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
