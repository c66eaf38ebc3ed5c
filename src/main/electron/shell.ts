import { app, dialog, shell } from 'electron'
import { linkQuestion } from '../hosting/dialogs.ts'
import { languageOf } from '../hosting/language.ts'
import { judgeExternalUrl, type ExternalUrl } from '../security/external-url.ts'

/** The only place where an address leaves for the system: what does not pass the gate goes nowhere. */
export async function openExternal(url: string): Promise<void> {
  const link = judgeExternalUrl(url)
  if (link.ok) await shell.openExternal(link.url)
}

/** Asks the user about a link of the page, showing its host, and opens it on yes. */
export async function offerLink(link: ExternalUrl): Promise<void> {
  if (!link.ok) return
  const question = linkQuestion(link, languageOf('system', app.getLocale()))
  const { response } = await dialog.showMessageBox({
    type: 'question',
    message: question.message,
    detail: question.detail,
    buttons: [...question.buttons],
    defaultId: 1,
    cancelId: 0,
  })
  if (response === 1) await openExternal(link.url)
}
