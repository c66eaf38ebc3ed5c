const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

/** Texts for less than a minute, which the browser's relative times do not offer. */
const justNow = { en: 'just now', zh: '刚刚' } as const

/** Returns a relative time as text: `2 minutes ago`, `3 天前`, `just now`, in the given language. */
export function ago(at: number, now: number, language: string): string {
  const since = Math.max(0, now - at)
  const isChinese = language.startsWith('zh')
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'always' })
  for (const [unit, ms] of units)
    if (since >= ms) {
      const text = format.format(-Math.floor(since / ms), unit)
      // Chinese texts of the app have a space between digits and words.
      return isChinese ? text.replace(/(\d)(?=\p{Script=Han})/u, '$1 ') : text
    }
  return justNow[isChinese ? 'zh' : 'en']
}
