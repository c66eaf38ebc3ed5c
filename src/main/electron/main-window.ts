import type { BrowserWindow } from 'electron'
import type { PushedEvent } from '../../shared/bridge/transport.ts'
import type { App } from '../host.ts'
import type { Marks } from '../hosting/marks.ts'
import { watchWindow } from './crash.ts'
import type { ElectronDeps } from './deps.ts'
import { serveWindow } from './transport.ts'
import { createWindow, loadPage } from './window.ts'

/** The one window, which may be closed and opened again. */
export interface MainWindow {
  /** Brings it to the front; opens it when it is closed. */
  focus(): void
  current(): BrowserWindow | null
  push(event: PushedEvent): void
}

/** Opens the window with everything that belongs to it. */
export function openMainWindow(lectern: App, deps: ElectronDeps, marks: Marks): MainWindow {
  let window: BrowserWindow | null = null
  let push: (event: PushedEvent) => void = () => {}
  const open = (): void => {
    const fresh = createWindow(deps)
    window = fresh
    push = serveWindow(fresh, { app: lectern, ids: deps.ids, clock: deps.clock })
    watchWindow(fresh, deps.clock, deps.log)
    fresh.once('closed', () => (window = null))
    fresh.once('ready-to-show', () => marks.mark('shown'))
    fresh.webContents.once('did-finish-load', () => {
      marks.mark('page')
      deps.log.info('start', marks.all())
    })
    void loadPage(fresh)
    marks.mark('window')
  }
  open()
  return {
    focus() {
      if (!window) return open()
      if (window.isMinimized()) window.restore()
      window.focus()
    },
    current: () => window,
    push: (event) => push(event),
  }
}
