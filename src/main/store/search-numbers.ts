/** Search rows of one item lie side by side, one for each transcript or each minute of a meeting: `seq * rowsPerItem + number`. */
export const rowsPerItem = 4096

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
