/** Maximum wait time: the provider may request an hour. In milliseconds. */
const maxWaitMs = 2 * 3_600_000

/**
 * Whether a moment has been reached; one further ahead than the maximum wait was planned by a clock that has been set back
 * since.
 */
export const isDue = (at: number, now: number): boolean => at <= now || at - now > maxWaitMs

/** SQL condition for the same, where null has not passed; takes the current time twice. */
export const hasComeSql = (column: string): string =>
  `(${column} <= ? OR ${column} > ? + ${maxWaitMs})`

/** The same condition, where null means now. */
export const isDueSql = (column: string): string => `(${column} IS NULL OR ${hasComeSql(column)})`
