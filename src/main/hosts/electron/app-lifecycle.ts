import { app, BrowserWindow, dialog, powerMonitor } from 'electron'
import type { Log } from '../../deps.ts'
import { hostCrashed, recordingQuestion } from '../support/dialogs.ts'
import type { HomeLock } from '../support/instance.ts'
import { stopLimits, stopsWithLastWindow, within } from '../support/stopping.ts'
import { ask } from './confirm-dialog.ts'
import type { ElectronCore } from './core.ts'
import { spokenLanguage } from './language.ts'
import type { QuitReports } from './updates.ts'
import type { AppWindows } from './windows.ts'

interface QuitParts {
  readonly lectern: Pick<ElectronCore, 'stopRecording' | 'stop' | 'kill' | 'resumed'>
  readonly lock: HomeLock
  readonly log: Log
  /** Determines what closing the last window means, and remembers which windows were open. */
  readonly windows: Pick<AppWindows, 'wasOpened' | 'leave'>
  /** Installs updates when the app quits. */
  readonly updates: QuitReports
  isRecording(): boolean
  /** Called first: a shutdown of the computer may leave no time for more. */
  ends?(): void
}

/** Quits in order, whatever requested it: recording, streams, database, data folder, process. */
export function setupQuit(parts: QuitParts): void {
  const { lectern, lock, log, windows, updates, isRecording } = parts
  let leaving: Promise<void> | null = null
  let confirming = false

  const leave = async (): Promise<void> => {
    parts.ends?.()
    windows.leave()
    if (isRecording()) {
      const ended = await within(stopLimits.recording, lectern.stopRecording())
      log.info('recording ended because the app quit', { ended })
    }
    for (const window of BrowserWindow.getAllWindows()) window.hide()
    const done = await within(stopLimits.app, lectern.stop())
    log.info('stopped', { done })
    // A core that did not stop may still write: the lock is then released with this process.
    if (done) lock.release()
    else lectern.kill()
    app.exit(0)
  }
  const leaveNow = (): void => void (leaving ??= leave())
  const leaveForShutdown = (): void => {
    updates.shuttingDown()
    leaveNow()
  }
  const quit = async (): Promise<void> => {
    if (leaving) updates.quitAnswered(true)
    if (leaving || confirming) return
    confirming = true
    const isMeant =
      !isRecording() || (await ask(recordingQuestion('quit', spokenLanguage()), { safe: true }))
    confirming = false
    updates.quitAnswered(isMeant)
    if (isMeant) leaveNow()
  }
  app.on('before-quit', (event) => {
    event.preventDefault()
    void quit()
  })
  app.on('window-all-closed', () => {
    if (stopsWithLastWindow(process.platform, windows.wasOpened())) app.quit()
  })
  // The computer is shutting down: the user is not asked, and a recording gets time to end. macOS and Linux notify the
  // app, Windows its windows.
  powerMonitor.on('shutdown', (event?: { preventDefault(): void }) => {
    event?.preventDefault()
    leaveForShutdown()
  })
  app.on('browser-window-created', (_event, window) => {
    // Other programs may still block the shutdown, so Lectern only quits here when it has to request time.
    window.on('query-session-end', (event) => {
      updates.shuttingDown()
      if (!leaving && !isRecording()) return
      event.preventDefault()
      leaveNow()
    })
    window.on('session-end', leaveForShutdown)
  })
  powerMonitor.on('resume', () => lectern.resumed?.())
}

/**
 * Logs uncaught errors. The app survives a rejected promise, but not an uncaught exception: the core is ended
 * (`endCore`), and an error is shown. The data folder remains locked until this process has ended, since nothing may
 * open it while a core still writes. Other Electron processes restart automatically; those of the page and the core are
 * handled where they are started.
 */
export function setupLastResort(log: Log, endCore: () => void): void {
  process.on('unhandledRejection', (error) => log.error('unhandled rejection', { error }))
  process.on('uncaughtException', (error) => {
    log.error('uncaught exception', { error })
    endCore()
    const { title, content } = hostCrashed(spokenLanguage(), error)
    // Blocks until it is read, and works before Electron is ready.
    dialog.showErrorBox(title, content)
    app.exit(1)
  })
  app.on('child-process-gone', (_event, { type, name, reason, exitCode }) => {
    const report = { type, name, reason, exitCode }
    if (reason === 'clean-exit') log.info('process exited', report)
    else log.error('process gone', report)
  })
}
