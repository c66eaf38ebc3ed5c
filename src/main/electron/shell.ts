import { shell } from 'electron'
import type { PrivacyPage } from '../../shared/bridge/system.ts'
import { linkQuestion } from '../host-support/dialogs.ts'
import { privacySettings } from '../security/privacy-settings.ts'
import { checkExternalUrl, type ExternalUrl } from '../security/external-url.ts'
import { ask } from './confirm-dialog.ts'
import { spokenLanguage } from './language.ts'

/** The only place where an address leaves for the system: what does not pass the gate goes nowhere. */
async function openExternal(url: string): Promise<void> {
  const link = checkExternalUrl(url)
  if (link.ok) await shell.openExternal(link.url)
}

/**
 * Asks the user about a link of the page, showing its host, and opens it on yes; says whether it did. Every way out of
 * the page asks: what a page was told to open may carry what was said in it.
 */
export async function offerLink(link: ExternalUrl): Promise<boolean> {
  if (!link.ok) return false
  if (!(await ask(linkQuestion(link, spokenLanguage())))) return false
  return openExternal(link.url).then(
    () => true,
    () => false,
  )
}

/** Opens a page of the system's settings by its name; false where there is none. */
export async function openPrivacySettings(page: PrivacyPage): Promise<boolean> {
  const address = privacySettings(page, process.platform)
  if (address === null) return false
  return shell.openExternal(address).then(
    () => true,
    () => false,
  )
}

/** Shows a folder of Lectern's own in the file manager; whether it could. Its path never comes from a page. */
export const openOwnFolder = async (path: string): Promise<boolean> =>
  (await shell.openPath(path)) === ''
