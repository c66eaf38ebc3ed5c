/** Longer than anything that is waited for: the service may ask for an hour. In milliseconds. */
const longestWaitMs = 2 * 3_600_000

/**
 * SQL of a moment that has come; takes the present time twice. One that lies further ahead than anything waits for was planned by a
 * clock that has been set back since.
 */
export const isDueSql = (column: string): string =>
  `(coalesce(${column}, 0) <= ? OR ${column} > ? + ${longestWaitMs})`
