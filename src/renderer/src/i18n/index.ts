import { createI18n } from 'vue-i18n'
import type { Language } from '../../../shared/language.ts'
import { en } from './en/index.ts'

/** Creates the app's i18n. English is in the entry; Chinese is loaded by {@link setLanguage}. */
export function createMessages() {
  return createI18n({ legacy: false, locale: 'en', fallbackLocale: 'en', messages: { en } })
}

export type AppI18n = ReturnType<typeof createMessages>

/** Last requested language of each i18n: a catalog that loads late must not undo a later choice. */
const wanted = new WeakMap<AppI18n, Language>()

/** Switches the language, loading its catalog on first use. */
export async function setLanguage(i18n: AppI18n, language: Language): Promise<void> {
  const global = i18n.global as unknown as {
    setLocaleMessage(locale: string, messages: unknown): void
    locale: { value: string }
    availableLocales: readonly string[]
  }
  wanted.set(i18n, language)
  if (!global.availableLocales.includes(language)) {
    const { zh } = await import('./zh/index.ts')
    global.setLocaleMessage(language, zh)
  }
  if (wanted.get(i18n) !== language) return
  global.locale.value = language
  if (typeof document !== 'undefined') document.documentElement.lang = language
}
