import { app, session } from 'electron'
import type { Language } from '../../../shared/language.ts'
import { noDictionaries, spellingLanguages } from '../support/spelling.ts'

/** Removes the URL from which dictionaries would be downloaded, before any session requests one. */
export function setupSpelling(): void {
  app.on('session-created', (made) => made.setSpellCheckerDictionaryDownloadURL(noDictionaries))
}

/** Enables spell checking in the user's languages. */
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
