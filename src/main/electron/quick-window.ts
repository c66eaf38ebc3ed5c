import { app, BrowserWindow, globalShortcut, screen } from 'electron'
import type { QuickState } from '../../shared/bridge/quick.ts'
import type { App } from '../host.ts'
import { createQuickShortcut, quickBounds, quickToggle } from '../hosting/quick-window.ts'
import { quickPage } from '../security/origins.ts'
import { quickWindowOptions, webPreferences, windowBackground } from '../security/window-options.ts'
import type { ElectronDeps } from './deps.ts'
import type { MainWindow } from './main-window.ts'
import { serveWindow } from './transport.ts'
import { background } from './window.ts'

/** The small window for one question. */
export interface QuickWindowHost {
  show(): void
  /** Takes a shortcut of the system; see `createQuickShortcut`. */
  use(shortcut: string): QuickState
  /** Goes on with a conversation in the main window. */
  leave(conversationId: string): void
}

/** Prepares it: nothing is opened before it is asked for, and then it is kept, since it has to be there at once. */
export function setupQuickWindow(
  lectern: App,
  deps: ElectronDeps,
  main: MainWindow,
): QuickWindowHost {
  let window: BrowserWindow | null = null

  const open = (): void => {
    const fresh = new BrowserWindow({
      ...quickWindowOptions,
      // A panel comes over other programs without bringing all of Lectern, and gives the focus back when it goes.
      ...(process.platform === 'darwin' && { type: 'panel' }),
      title: 'Lectern',
      backgroundColor: windowBackground[background()],
      webPreferences: { ...webPreferences, preload: deps.preload, devTools: deps.devTools },
    })
    window = fresh
    serveWindow(fresh, { app: lectern, ids: deps.ids, clock: deps.clock })
    fresh.setVisibleOnAllWorkspaces(true, { visibleOnFullScreen: true })
    // The page closes its window on Escape; it is kept for the next question.
    fresh.on('close', (event) => {
      event.preventDefault()
      fresh.hide()
    })
    fresh.once('closed', () => (window = null))
    fresh.webContents.on('render-process-gone', () => fresh.destroy())
    // Where the program ends with its last window, a hidden one must not keep it.
    main.current()?.once('closed', () => fresh.destroy())
    fresh.once('ready-to-show', () => appear(fresh))
    void fresh.loadURL(quickPage).catch(() => {})
  }
  const appear = (which: BrowserWindow): void => {
    const display = screen.getDisplayNearestPoint(screen.getCursorScreenPoint())
    which.setBounds(quickBounds(display.workArea))
    which.show()
    which.focus()
  }
  const show = (): void => (window ? appear(window) : open())
  const shortcut = createQuickShortcut(globalShortcut, () => {
    const state = { visible: window?.isVisible() === true, focused: window?.isFocused() === true }
    if (quickToggle(state) === 'hide') window?.hide()
    else show()
  })
  app.on('before-quit', () => window?.destroy())

  return {
    show,
    use: (keys) => shortcut.use(keys),
    leave(conversationId) {
      window?.hide()
      main.focus()
      main.push({ channel: 'app', event: { type: 'page.open', conversationId } })
    },
  }
}
