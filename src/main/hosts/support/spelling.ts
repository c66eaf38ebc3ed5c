import type { Language } from '../../../shared/language.ts'

/**
 * Download URL of Chromium's Hunspell dictionaries. By default Chromium requests them from a Google server as soon as a
 * session is created, regardless of the windows' `spellcheck`. Port 1 is one of those that Chromium never connects to.
 */
export const noDictionaries = 'http://127.0.0.1:1/'

/** Maximum number of languages checked at the same time: each costs time for every word. */
const maxLanguages = 3

/**
 * Returns the languages to check; null where the system decides. macOS and Windows use their own dictionaries. Linux has none
 * that Chromium can read, and none is downloaded, so nothing is checked there. Chinese has no dictionary: English words in
 * Chinese text are checked.
 */
export function spellingLanguages(options: {
  readonly platform: string
  readonly language: Language
  /** The user's languages in the order of the system. */
  readonly preferred: readonly string[]
  readonly available: readonly string[]
}): readonly string[] | null {
  const { platform, language, preferred, available } = options
  if (platform === 'darwin') return null
  if (platform !== 'win32') return []
  const find = (wanted: string): string | undefined => {
    const lower = wanted.toLowerCase()
    const [base = ''] = lower.split('-')
    const known = available.map((name) => [name.toLowerCase(), name] as const)
    const exact = known.find(([name]) => name === lower)
    const close = known.find(([name]) => name === base || name.startsWith(`${base}-`))
    return (exact ?? close)?.[1]
  }
  const own = language === 'zh-CN' ? [...preferred, 'en-US'] : [...preferred, 'en']
  // A regional language of the user ("en-GB") is more specific than the language of the interface ("en").
  const found = own.flatMap((wanted) => find(wanted) ?? [])
  const first = found.filter((name) => name.startsWith(language.slice(0, 2)))
  return [...new Set([...first, ...found])].slice(0, maxLanguages)
}
