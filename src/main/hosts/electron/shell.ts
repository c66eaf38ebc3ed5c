import { shell } from 'electron'
import type { PrivacyPage } from '../../../shared/contract/system.ts'
import { linkQuestion } from '../support/dialogs.ts'
import { privacySettings } from '../../platform/security/privacy-settings.ts'
import { checkExternalUrl, type ExternalUrl } from '../../platform/security/external-url.ts'
import { ask } from './confirm-dialog.ts'
import { spokenLanguage } from './language.ts'

/** The only place that opens URLs in the system: those that fail the check are not opened. */
async function openExternal(url: string): Promise<void> {
  const link = checkExternalUrl(url)
  if (link.ok) await shell.openExternal(link.url)
}

/**
 * Asks the user about a link of the page, showing its host, and opens it after confirmation; returns whether it did.
 * Every external link is confirmed: a link that the page was made to open may leak what was said in it.
 */
export async function offerLink(link: ExternalUrl): Promise<boolean> {
  if (!link.ok) return false
  if (!(await ask(linkQuestion(link, spokenLanguage())))) return false
  return openExternal(link.url).then(
    () => true,
    () => false,
  )
}

/** Opens a page of the system settings by its name; false when there is none. */
export async function openPrivacySettings(page: PrivacyPage): Promise<boolean> {
  const address = privacySettings(page, process.platform)
  if (address === null) return false
  return shell.openExternal(address).then(
    () => true,
    () => false,
  )
}

/**
 * Opens one of Lectern's own folders in the file manager; returns whether that succeeded. Its path is never sent by a
 * page.
 */
export const openOwnFolder = async (path: string): Promise<boolean> =>
  (await shell.openPath(path)) === ''
