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
