import { app } from 'electron'
import { languageOf, type Language, type LanguageChoice } from '../../../shared/language.ts'
import { rememberedLanguage, rememberLanguage } from '../support/language.ts'

let setting: LanguageChoice = 'system'

/**
 * Returns the language of dialogs and menus: the one chosen in Settings, now or in an earlier run, otherwise the
 * system's.
 */
export const spokenLanguage = (): Language => languageOf(setting, app.getLocale())

/** Uses the language of the last run until the settings are loaded. */
export const startLanguage = (home: string): void => void (setting = rememberedLanguage(home))

/** Sets the language from the settings. */
export function speakLanguage(home: string, next: LanguageChoice): Language {
  setting = next
  rememberLanguage(home, next)
  return spokenLanguage()
}
