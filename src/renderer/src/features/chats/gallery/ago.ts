const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

/** How long ago a moment was, in words: `2 minutes ago`, `3 天前`; under a minute `this minute` as the language says it. */
export function ago(at: number, now: number, language: string): string {
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  const since = Math.max(0, now - at)
  for (const [unit, ms] of units)
    if (since >= ms) return format.format(-Math.floor(since / ms), unit)
  return format.format(0, 'minute')
}
