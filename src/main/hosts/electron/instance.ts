import { app, BrowserWindow, dialog } from 'electron'
import { inUse } from '../support/dialogs.ts'
import { lockHome, type HomeLock } from '../support/instance.ts'
import { launchTask } from '../support/launch-tasks.ts'
import type { Language } from '../../../shared/language.ts'
import { showMessage } from './confirm-dialog.ts'
import { spokenLanguage } from './language.ts'

/**
 * Claims the data folder for this process. If another instance or the loopback host has it, returns null and quits.
 */
export function claimInstance(home: string): HomeLock | null {
  if (!app.requestSingleInstanceLock()) {
    app.quit()
    return null
  }
  const lock = lockHome(home)
  if (lock) lock.announce({ host: 'electron', pid: process.pid, port: null, secret: '' })
  else void showFinalMessage((language) => inUse(language, home)).then(() => app.quit())
  return lock
}

/**
 * Shows a message once Electron is ready, and resolves when it was read. It blocks the whole process only before there
 * is a window: an error box is synchronous, and every window would stop until it is clicked.
 */
export async function showFinalMessage(
  words: (language: Language) => { readonly title: string; readonly content: string },
): Promise<void> {
  await app.whenReady()
  const { title, content } = words(spokenLanguage())
  if (BrowserWindow.getAllWindows().length === 0) dialog.showErrorBox(title, content)
  else await showMessage({ type: 'error', message: title, detail: content })
}

/**
 * Passes files and links of a later launch (or, on macOS, from the Finder or a browser) to `open`, and brings a window
 * to the front, or opens another one.
 */
export function onLaterLaunch(
  open: (args: readonly string[], folder: string) => Promise<void>,
  windows: { focus(): void; open(): void },
): void {
  const { focus } = windows
  app.on('second-instance', (_event, args, folder) => {
    const task = launchTask(args)
    if (task === 'window') windows.open()
    // The quick question has its own window.
    else if (task !== 'quick') focus()
    void open(args.slice(1), folder)
  })
  app.on('open-file', (event, path) => {
    event.preventDefault()
    focus()
    void open([path], '/')
  })
  app.on('open-url', (event, url) => {
    event.preventDefault()
    focus()
    void open([url], '/')
  })
  app.on('activate', focus)
}
