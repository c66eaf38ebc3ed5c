/** Longer than anything that is waited for: the service may ask for an hour. In milliseconds. */
const maxWaitMs = 2 * 3_600_000

/**
 * SQL of a moment that has come; takes the present time twice. One that lies further ahead than anything waits for was planned by a
 * clock that has been set back since. A moment that is null has not come.
 */
export const hasComeSql = (column: string): string =>
  `(${column} <= ? OR ${column} > ? + ${maxWaitMs})`

/** The same where null means now. */
export const isDueSql = (column: string): string => `(${column} IS NULL OR ${hasComeSql(column)})`
