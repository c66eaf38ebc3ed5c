import { app, session } from 'electron'
import type { Language } from '../host-support/language.ts'
import { noDictionaries, spellingLanguages } from '../host-support/spelling.ts'

/** Takes away the address that dictionaries would be downloaded from, before any session asks for one. */
export function setupSpelling(): void {
  app.on('session-created', (made) => made.setSpellCheckerDictionaryDownloadURL(noDictionaries))
}

/** Checks what is written in the user's languages. */
export function checkSpelling(language: Language): void {
  const { defaultSession } = session
  const languages = spellingLanguages({
    platform: process.platform,
    language,
    preferred: app.getPreferredSystemLanguages(),
    available: defaultSession.availableSpellCheckerLanguages,
  })
  if (languages === null) return
  defaultSession.setSpellCheckerEnabled(languages.length > 0)
  defaultSession.setSpellCheckerLanguages([...languages])
}
