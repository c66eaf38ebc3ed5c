import type { Settings } from './contract/settings.ts'

/** The user's choice of language. */
export type LanguageChoice = Settings['language']

/** A language of Lectern. */
export type Language = Exclude<LanguageChoice, 'system'>

/** Resolves a choice: for `system`, Chinese if that is the system's first language, else English. */
export function languageOf(choice: LanguageChoice, locale: string): Language {
  if (choice !== 'system') return choice
  return /^zh\b/i.test(locale) ? 'zh-CN' : 'en'
}
