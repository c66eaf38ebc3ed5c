/** How far back a search looks. */
export type SearchSpan = 'any' | 'day' | 'week' | 'month' | 'year'

/** The spans in the order they are offered. */
export const searchSpans: readonly SearchSpan[] = ['any', 'day', 'week', 'month', 'year']

const days: Readonly<Record<Exclude<SearchSpan, 'any'>, number>> = {
  day: 0,
  week: 6,
  month: 29,
  year: 364,
}

/** Beginning of a span in Unix ms, counted in whole local days, today among them; undefined for any time. */
export function spanFrom(span: SearchSpan, now: number): number | undefined {
  if (span === 'any') return undefined
  const midnight = new Date(now)
  midnight.setHours(0, 0, 0, 0)
  // Days have 23 to 25 hours where clocks change: counted back in dates.
  return midnight.setDate(midnight.getDate() - days[span])
}
