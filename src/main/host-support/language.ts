import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writePrivateFile } from '../security/private-files.ts'

/** Languages Lectern speaks. */
export type Language = 'en' | 'zh-CN'

/** The language of menus and dialogs: the setting, or the system's when it says so. */
export function languageOf(setting: 'system' | Language, locale: string): Language {
  if (setting !== 'system') return setting
  return /^zh\b/i.test(locale) ? 'zh-CN' : 'en'
}

const fileName = 'language.json'

/** The language that was chosen last, for messages of a start that never reaches the settings. */
export function rememberedLanguage(home: string): 'system' | Language {
  try {
    const found: unknown = JSON.parse(readFileSync(join(home, fileName), 'utf8'))
    return found === 'en' || found === 'zh-CN' ? found : 'system'
  } catch {
    return 'system'
  }
}

/** Remembers the choice. A disk that refuses costs only the memory. */
export function rememberLanguage(home: string, setting: 'system' | Language): void {
  if (rememberedLanguage(home) === setting) return
  try {
    writePrivateFile(join(home, fileName), JSON.stringify(setting))
  } catch {
    // Messages of a start that fails are in the system's language then.
  }
}
