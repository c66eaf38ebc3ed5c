import type { BrowserWindow } from 'electron'
import type { Clock, Log } from '../deps.ts'
import { unresponsiveQuestion } from '../host-support/dialogs.ts'
import { createCrashPolicy } from '../host-support/crash.ts'
import { appOrigin, errorPagePath } from '../security/origins.ts'
import { ask } from './confirm-dialog.ts'
import { spokenLanguage } from './language.ts'
import { loadPage } from './window.ts'

/** Recovers a window whose page crashed: reloads once, then shows the page without scripts. */
export function watchWindow(window: BrowserWindow, clock: Clock, log: Log): void {
  const crashPolicy = createCrashPolicy(clock)
  const steps = {
    nothing: () => {},
    reload: () => void loadPage(window),
    'error-page': () => void window.loadURL(appOrigin + errorPagePath).catch(() => {}),
  }
  window.webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
    const step = crashPolicy(reason)
    log.error('page process gone', { reason, exitCode, step })
    steps[step]()
  })
  let answered: AbortController | null = null
  window.on('unresponsive', () => {
    if (answered) return
    log.warn('page is not responding')
    const { signal } = (answered = new AbortController())
    const question = unresponsiveQuestion(spokenLanguage())
    void ask(question, { safe: true, parent: window, signal }).then((isMeant) => {
      answered = null
      // Its process does not respond either: it is killed, which restores the page.
      if (isMeant && !window.isDestroyed()) window.webContents.forcefullyCrashRenderer()
    })
  })
  // The page responds again, so the dialog is no longer needed.
  window.on('responsive', () => answered?.abort())
}
