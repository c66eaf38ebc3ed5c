/** Longer than any scheduled wait (the provider may request an hour), in milliseconds. */
const maxWaitMs = 2 * 3_600_000

/**
 * SQL condition for a time that has passed; takes the current time twice. A time further ahead than any scheduled wait was
 * set before the clock was set back. Null has not passed.
 */
export const hasComeSql = (column: string): string =>
  `(${column} <= ? OR ${column} > ? + ${maxWaitMs})`

/** The same condition, where null means now. */
export const isDueSql = (column: string): string => `(${column} IS NULL OR ${hasComeSql(column)})`
