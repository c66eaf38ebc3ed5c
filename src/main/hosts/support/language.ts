import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LanguageChoice } from '../../../shared/language.ts'
import { writePrivateFile } from '../../platform/security/private-files.ts'

const fileName = 'language.json'

/** Returns the language chosen last, for messages of a start that never reaches the settings. */
export function rememberedLanguage(home: string): LanguageChoice {
  try {
    const found: unknown = JSON.parse(readFileSync(join(home, fileName), 'utf8'))
    return found === 'en' || found === 'zh-CN' ? found : 'system'
  } catch {
    return 'system'
  }
}

/** Remembers the chosen language. A failed write is ignored. */
export function rememberLanguage(home: string, setting: LanguageChoice): void {
  if (rememberedLanguage(home) === setting) return
  try {
    writePrivateFile(join(home, fileName), JSON.stringify(setting))
  } catch {
    // Messages of a failed start then use the system's language.
  }
}
