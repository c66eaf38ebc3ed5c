/** Time ranges of items, in display order. */
export const ranges = ['all', 'year', 'quarter', 'month'] as const
/** One of {@link ranges}. */
export type Range = (typeof ranges)[number]

const days = { year: 365, quarter: 90, month: 30 } as const
const dayMs = 24 * 60 * 60 * 1000

/** Returns the start of a range (Unix ms), at the start of its day, so that it is stable all day; null for all time. */
export function momentOf(range: Range, now = Date.now()): number | null {
  if (range === 'all') return null
  return new Date(now - days[range] * dayMs).setHours(0, 0, 0, 0)
}

/** Returns the range that began at about this time; if none matches, the next longer one. */
export function rangeOf(since: number | null, now = Date.now()): Range {
  if (since === null) return 'all'
  const age = (now - since) / dayMs
  if (age <= days.month + 1) return 'month'
  if (age <= days.quarter + 1) return 'quarter'
  return age <= days.year + 1 ? 'year' : 'all'
}
