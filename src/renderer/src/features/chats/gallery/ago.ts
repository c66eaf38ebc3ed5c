const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

/** Returns a relative time as text: `2 minutes ago`, `3 天前`; under a minute `this minute` in the given language. */
export function ago(at: number, now: number, language: string): string {
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  const since = Math.max(0, now - at)
  for (const [unit, ms] of units)
    if (since >= ms) return format.format(-Math.floor(since / ms), unit)
  return format.format(0, 'minute')
}
