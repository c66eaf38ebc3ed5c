import type { UsageRow } from '../../../../../shared/model/activity.ts'

/** Unit of the bar height. */
export type Measure = 'tokens' | 'calls'

/** Series of the chart: a model, or all models without a series of their own. */
interface UsageSeries {
  /** Null for calls without a model; `other` is a separate flag, since a model could have that name. */
  readonly model: string | null
  readonly other: boolean
  /** One value per day. */
  readonly values: readonly number[]
}

/** Data of the chart: every day of the period, including days without calls. */
interface UsageChartData {
  readonly days: readonly string[]
  readonly series: readonly UsageSeries[]
}

/** Maximum number of series besides the one for the rest. */
const maxSeries = 6

/** Returns the days up to `today` (`YYYY-MM-DD`), oldest first. Noon is on the same day whatever the clock changes. */
export function daysUpTo(today: string, count: number): readonly string[] {
  const noon = new Date(`${today}T12:00:00Z`).getTime()
  return Array.from({ length: count }, (_, i) =>
    new Date(noon - (count - 1 - i) * 86_400_000).toISOString().slice(0, 10),
  )
}

/** Sums the rows into at most seven series, largest first, with the remaining models combined. */
export function usageChart(
  rows: readonly UsageRow[],
  days: readonly string[],
  measure: Measure,
): UsageChartData {
  const value = (row: UsageRow): number => (measure === 'calls' ? row.calls : row.totalTokens)
  const sums = new Map<string | null, number>()
  for (const row of rows) sums.set(row.model, (sums.get(row.model) ?? 0) + value(row))
  const models = [...sums].filter(([, sum]) => sum > 0).toSorted((a, b) => b[1] - a[1])
  const own = models.slice(0, models.length > maxSeries + 1 ? maxSeries : maxSeries + 1)
  const rest = new Set(models.slice(own.length).map(([model]) => model))
  const valuesOf = (fits: (row: UsageRow) => boolean): readonly number[] =>
    days.map((day) =>
      rows.reduce((sum, row) => (row.day === day && fits(row) ? sum + value(row) : sum), 0),
    )
  return {
    days,
    series: [
      ...own.map(([model]) => ({
        model,
        other: false,
        values: valuesOf((row) => row.model === model),
      })),
      ...(rest.size === 0
        ? []
        : [{ model: null, other: true, values: valuesOf((row) => rest.has(row.model)) }]),
    ],
  }
}

/** Returns the start of a day and of the next in Unix milliseconds, in the time zone of this computer. */
export function dayBounds(day: string): { readonly since: number; readonly until: number } {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return {
    since: new Date(year, month - 1, date).getTime(),
    until: new Date(year, month - 1, date + 1).getTime(),
  }
}
