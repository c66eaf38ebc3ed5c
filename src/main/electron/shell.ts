import { app, dialog, shell } from 'electron'
import { linkQuestion } from '../hosting/dialogs.ts'
import { languageOf } from '../hosting/language.ts'
import { judgeExternalUrl, type ExternalUrl } from '../security/external-url.ts'

/** The only place where an address leaves for the system: what does not pass the gate goes nowhere. */
async function openExternal(url: string): Promise<void> {
  const link = judgeExternalUrl(url)
  if (link.ok) await shell.openExternal(link.url)
}

/**
 * Asks the user about a link of the page, showing its host, and opens it on yes; says whether it did. Every way out of
 * the page asks: what a page was told to open may carry what was said in it.
 */
export async function offerLink(link: ExternalUrl): Promise<boolean> {
  if (!link.ok) return false
  const question = linkQuestion(link, languageOf('system', app.getLocale()))
  const { response } = await dialog.showMessageBox({
    type: 'question',
    message: question.message,
    detail: question.detail,
    buttons: [...question.buttons],
    defaultId: 1,
    cancelId: 0,
  })
  if (response !== 1) return false
  return openExternal(link.url).then(
    () => true,
    () => false,
  )
}
