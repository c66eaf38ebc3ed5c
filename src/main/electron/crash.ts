import type { BrowserWindow } from 'electron'
import type { Clock, Log } from '../deps.ts'
import { createCrashJudge } from '../hosting/crash.ts'
import { appOrigin, errorPagePath } from '../security/origins.ts'
import { loadPage } from './window.ts'

/** Brings a window back whose page crashed: reloads once, then shows the page without script. */
export function watchWindow(window: BrowserWindow, clock: Clock, log: Log): void {
  const judge = createCrashJudge(clock)
  const steps = {
    nothing: () => {},
    reload: () => void loadPage(window),
    'error-page': () => void window.loadURL(appOrigin + errorPagePath).catch(() => {}),
  }
  window.webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
    const step = judge(reason)
    log.error('page process gone', { reason, exitCode, step })
    steps[step]()
  })
  window.on('unresponsive', () => log.warn('page does not answer'))
}
