/** Period that a search covers. */
export type SearchSpan = 'any' | 'day' | 'week' | 'month' | 'year'

/** Periods in the order in which they are offered. */
export const searchSpans: readonly SearchSpan[] = ['any', 'day', 'week', 'month', 'year']

const days: Readonly<Record<Exclude<SearchSpan, 'any'>, number>> = {
  day: 0,
  week: 6,
  month: 29,
  year: 364,
}

/**
 * Returns the start of a period in Unix milliseconds, in whole local days including today; undefined for any time.
 */
export function spanFrom(span: SearchSpan, now: number): number | undefined {
  if (span === 'any') return undefined
  const midnight = new Date(now)
  midnight.setHours(0, 0, 0, 0)
  // Days have 23 to 25 hours when clocks change, so dates are counted back.
  return midnight.setDate(midnight.getDate() - days[span])
}
