import { autoUpdater, BrowserWindow, screen } from 'electron'
import type { QuickHost } from '../../host.ts'
import { quickBounds, quickToggle } from '../support/quick-window.ts'
import { quickPage } from '../../platform/security/origins.ts'
import { onAllWorkspaces, quickWindowOptions } from '../../platform/security/window-options.ts'
import type { ElectronCore } from './core.ts'
import type { ElectronDeps } from './deps.ts'
import { revealWhenDrawn } from './reveal-window.ts'
import { serveWindow } from './transport.ts'
import { pageOptions } from './window.ts'
import type { AppWindows } from './windows.ts'

/** Small window for a single question. */
export interface QuickWindowHost extends Pick<QuickHost, 'show' | 'leave'> {
  hide(): void
  /** Handles its shortcut. */
  toggle(): void
}

/**
 * Prepares the quick window: it is created on first use and then retained, since it has to appear immediately.
 */
export function setupQuickWindow(
  lectern: ElectronCore,
  deps: ElectronDeps,
  windows: Pick<AppWindows, 'deliver' | 'onLastClosed'>,
): QuickWindowHost {
  let window: BrowserWindow | null = null
  const open = (): void => {
    const fresh = new BrowserWindow({
      ...quickWindowOptions,
      // A panel appears above other programs without activating Lectern, and returns the focus when it is hidden.
      ...(process.platform === 'darwin' && { type: 'panel' }),
      ...pageOptions(deps),
    })
    window = fresh
    serveWindow(fresh, { app: lectern, ids: deps.ids, clock: deps.clock })
    fresh.setVisibleOnAllWorkspaces(true, { ...onAllWorkspaces })
    // Closed by a system shortcut: it is retained for the next question. A page that closes itself gets no such event.
    fresh.on('close', (event) => {
      event.preventDefault()
      fresh.hide()
    })
    fresh.once('closed', () => (window = null))
    fresh.webContents.on('render-process-gone', () => fresh.destroy())
    revealWhenDrawn(fresh, deps.log, () => appear(fresh))
    void fresh.loadURL(quickPage).catch(() => {})
  }
  const appear = (which: BrowserWindow): void => {
    const display = screen.getDisplayNearestPoint(screen.getCursorScreenPoint())
    which.setBounds(quickBounds(display.workArea))
    which.show()
    which.focus()
  }
  const destroy = (): void => window?.destroy()
  // Where the program ends with its last window, a hidden window must not prevent that.
  windows.onLastClosed(destroy)
  // macOS closes all windows before it replaces the program, and waits for one that refuses.
  autoUpdater.on('before-quit-for-update', destroy)
  const show = (): void => (window ? appear(window) : open())

  return {
    show,
    hide: () => window?.hide(),
    toggle() {
      const state = { visible: window?.isVisible() === true, focused: window?.isFocused() === true }
      if (quickToggle(state) === 'hide') window?.hide()
      else show()
    },
    leave(conversationId) {
      window?.hide()
      windows.deliver({ type: 'page.open', conversationId })
    },
  }
}
