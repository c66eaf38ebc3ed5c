import { app, dialog } from 'electron'
import { inUse } from '../hosting/dialogs.ts'
import { lockHome, type HomeLock } from '../hosting/instance.ts'
import { languageOf } from '../hosting/language.ts'

/** Takes the data folder for this process; null when another window or the loopback host has it. */
export function claimInstance(home: string): HomeLock | null {
  if (!app.requestSingleInstanceLock()) return null
  const lock = lockHome(home)
  if (lock) {
    lock.announce({ host: 'electron', pid: process.pid, port: null, secret: '' })
    return lock
  }
  const { title, content } = inUse(languageOf('system', app.getSystemLocale()), home)
  dialog.showErrorBox(title, content)
  return null
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
