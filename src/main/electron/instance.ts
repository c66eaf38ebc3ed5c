import { app, dialog } from 'electron'
import { inUse } from '../hosting/dialogs.ts'
import { lockHome, type HomeLock } from '../hosting/instance.ts'
import { languageOf, type Language } from '../hosting/language.ts'

/** Takes the data folder for this process. When another window or the loopback host has it, answers null and quits. */
export function claimInstance(home: string): HomeLock | null {
  if (!app.requestSingleInstanceLock()) {
    app.quit()
    return null
  }
  const lock = lockHome(home)
  if (lock) lock.announce({ host: 'electron', pid: process.pid, port: null, secret: '' })
  else void lastWords((language) => inUse(language, home)).then(() => app.quit())
  return lock
}

/** Shows a message when the engine can, in the system's language. */
export async function lastWords(
  words: (language: Language) => { readonly title: string; readonly content: string },
): Promise<void> {
  await app.whenReady()
  const { title, content } = words(languageOf('system', app.getSystemLocale()))
  dialog.showErrorBox(title, content)
}

/** Hands files named by a later launch (or, on macOS, by the Finder) to `open`, and brings the window to the front. */
export function onLaterLaunch(
  open: (args: readonly string[], folder: string) => Promise<void>,
  focus: () => void,
): void {
  app.on('second-instance', (_event, args, folder) => {
    focus()
    void open(args.slice(1), folder)
  })
  app.on('open-file', (event, path) => {
    event.preventDefault()
    focus()
    void open([path], '/')
  })
  app.on('activate', focus)
}
