import { app, powerMonitor } from 'electron'
import type { Log } from '../deps.ts'
import type { App } from '../host.ts'
import type { HomeLock } from '../hosting/instance.ts'
import { stopsWithLastWindow, within } from '../hosting/stopping.ts'

/** Ends in order: streams, database, data folder, process; whatever asked for it. */
export function setupQuit(lectern: App, lock: HomeLock, log: Log): void {
  let stopping: Promise<void> | null = null
  const stop = async (): Promise<void> => {
    const done = await within(3000, lectern.stop())
    log.info('stopped', { done })
    lock.release()
    app.exit(0)
  }
  app.on('before-quit', (event) => {
    event.preventDefault()
    stopping ??= stop()
  })
  app.on('window-all-closed', () => {
    if (stopsWithLastWindow(process.platform)) app.quit()
  })
  powerMonitor.on('resume', () => lectern.resumed?.())
  powerMonitor.on('shutdown', () => app.quit())
}

/** Writes down what nobody caught. A broken promise is survived; a broken call stack is not. */
export function setupLastResort(log: Log): void {
  process.on('unhandledRejection', (error) => log.error('unhandled rejection', { error }))
  process.on('uncaughtException', (error) => {
    log.error('uncaught exception', { error })
    app.exit(1)
  })
}
