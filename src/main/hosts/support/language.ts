import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writePrivateFile } from '../../platform/security/private-files.ts'

/** Languages of Lectern. */
export type Language = 'en' | 'zh-CN'

/** Returns the language of menus and dialogs: the setting, or the system's for `system`. */
export function languageOf(setting: 'system' | Language, locale: string): Language {
  if (setting !== 'system') return setting
  return /^zh\b/i.test(locale) ? 'zh-CN' : 'en'
}

const fileName = 'language.json'

/** Returns the language chosen last, for messages of a start that never reaches the settings. */
export function rememberedLanguage(home: string): 'system' | Language {
  try {
    const found: unknown = JSON.parse(readFileSync(join(home, fileName), 'utf8'))
    return found === 'en' || found === 'zh-CN' ? found : 'system'
  } catch {
    return 'system'
  }
}

/** Remembers the chosen language. A failed write is ignored. */
export function rememberLanguage(home: string, setting: 'system' | Language): void {
  if (rememberedLanguage(home) === setting) return
  try {
    writePrivateFile(join(home, fileName), JSON.stringify(setting))
  } catch {
    // Messages of a failed start then use the system's language.
  }
}
