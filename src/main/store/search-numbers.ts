/** Search rows of one item lie side by side, one for each transcript, each minute of a meeting or each page of a document: `seq * rowsPerItem + number`. */
export const rowsPerItem = 4096

/** A search row: what its item is called, and the text of its number. */
export interface SearchRow {
  readonly seq: number
  readonly number: number
  readonly title: string
  readonly text: string
}

/** Lines of one minute of the timeline share a search row: a changed line rewrites its minute, not the meeting. */
const bucketMs = 60_000

/** The number of the search row that holds a line; what comes after 68 hours shares the last. */
export const bucketOf = (startMs: number): number =>
  Math.min(rowsPerItem - 1, Math.floor(startMs / bucketMs))

/** {@link bucketOf} in SQL, of the column `start_ms`. */
export const bucketSql = `min(${rowsPerItem - 1}, start_ms / ${bucketMs})`

/** The stretch of start times that a search row holds: from the first up to, not with, the second. */
export const bucketSpan = (number: number): readonly [from: number, to: number] => [
  number * bucketMs,
  number === rowsPerItem - 1 ? Number.MAX_SAFE_INTEGER : (number + 1) * bucketMs,
]

/** The number of the search row that holds a page of a document; page 4097 shares the first, so that no row holds many. */
export const pageBucket = (page: number): number => (page - 1) % rowsPerItem

/** {@link pageBucket} in SQL, of the column `page`. */
export const pageBucketSql = `(page - 1) % ${rowsPerItem}`

/** The pages up to `last` that a search row holds, in order. */
export function pagesOfBucket(number: number, last: number): readonly number[] {
  const pages: number[] = []
  for (let page = number + 1; page <= last; page += rowsPerItem) pages.push(page)
  return pages
}
