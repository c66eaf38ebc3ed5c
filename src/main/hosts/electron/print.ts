import { readFile } from 'node:fs/promises'
import { BrowserWindow, session, type Session } from 'electron'
import {
  pdfOptions,
  printPreferences,
  printSession,
} from '../../platform/security/window-options.ts'
import { appScheme, printPage } from '../../platform/security/origins.ts'

/**
 * Prints an exported page to a PDF in a hidden window without scripts, whose session can load only this page and no
 * network.
 */
export async function printPdf(htmlPath: string): Promise<Uint8Array> {
  const html = await readFile(htmlPath)
  const shut = session.fromPartition(printSession)
  // One at a time: the session serves a single page.
  const turn = await acquireTurn()
  serveOnly(shut, html)
  const window = new BrowserWindow({
    show: false,
    webPreferences: { ...printPreferences, session: shut },
  })
  try {
    await window.loadURL(printPage)
    return await window.webContents.printToPDF({ ...pdfOptions })
  } finally {
    window.destroy()
    shut.protocol.unhandle(appScheme)
    turn()
  }
}

function serveOnly(shut: Session, html: Buffer<ArrayBuffer>): void {
  shut.protocol.handle(appScheme, ({ url }) =>
    url === printPage
      ? new Response(html, { headers: { 'content-type': 'text/html; charset=utf-8' } })
      : new Response(null, { status: 404 }),
  )
  shut.webRequest.onBeforeRequest(({ url }, answer) => answer({ cancel: url !== printPage }))
  shut.setPermissionRequestHandler((_contents, _permission, answer) => answer(false))
  shut.setPermissionCheckHandler(() => false)
}

let last: Promise<void> = Promise.resolve()

/** Waits for earlier callers; the returned function admits the next one. */
async function acquireTurn(): Promise<() => void> {
  const before = last
  const mine = Promise.withResolvers<void>()
  last = mine.promise
  await before
  return mine.resolve
}
