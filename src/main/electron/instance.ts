import { app, BrowserWindow, dialog } from 'electron'
import { inUse } from '../host-support/dialogs.ts'
import { lockHome, type HomeLock } from '../host-support/instance.ts'
import { launchTask } from '../host-support/launch-tasks.ts'
import type { Language } from '../host-support/language.ts'
import { showMessage } from './confirm-dialog.ts'
import { spokenLanguage } from './language.ts'

/** Takes the data folder for this process. When another window or the loopback host has it, answers null and quits. */
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
 * Shows a message when the engine can, resolves when it was read. Only before there is a window does it
 * hold up the whole process: an error box is synchronous, and every window would stop until somebody clicks.
 */
export async function showFinalMessage(
  words: (language: Language) => { readonly title: string; readonly content: string },
): Promise<void> {
  await app.whenReady()
  const { title, content } = words(spokenLanguage())
  if (BrowserWindow.getAllWindows().length === 0) dialog.showErrorBox(title, content)
  else await showMessage({ type: 'error', message: title, detail: content })
}

/** Hands files and links named by a later launch (or, on macOS, by the Finder or a browser) to `open`, and brings a window to the front, or opens another one. */
export function onLaterLaunch(
  open: (args: readonly string[], folder: string) => Promise<void>,
  windows: { focus(): void; open(): void },
): void {
  const { focus } = windows
  app.on('second-instance', (_event, args, folder) => {
    const task = launchTask(args)
    if (task === 'window') windows.open()
    // A quick question is asked in a window of its own.
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
