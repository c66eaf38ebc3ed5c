import { app } from 'electron'
import {
  languageOf,
  rememberedLanguage,
  rememberLanguage,
  type Language,
} from '../host-support/language.ts'

let setting: 'system' | Language = 'system'

/** The language of dialogs and menus: the one chosen in Settings, now or in an earlier run, else the system's. */
export const spokenLanguage = (): Language => languageOf(setting, app.getLocale())

/** Until the settings are known, the choice of the last run counts. */
export const startLanguage = (home: string): void => void (setting = rememberedLanguage(home))

/** The settings name a language. */
export function speakLanguage(home: string, next: 'system' | Language): Language {
  setting = next
  rememberLanguage(home, next)
  return spokenLanguage()
}
