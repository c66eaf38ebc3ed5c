import type { BrowserWindow } from 'electron'
import type { Log } from '../../deps.ts'

/** Milliseconds after which a window is shown even if nothing has been drawn. */
const patienceMs = 2000

/**
 * Shows a window once it has content. Under Wayland a hidden window often never reports `ready-to-show`
 * (electron/electron#48859), so on Linux a loaded page counts as well, and on all platforms a timeout shows the window.
 */
export function revealWhenDrawn(window: BrowserWindow, log: Log, show: () => void): void {
  let shown = false
  const reveal = (by: 'ready-to-show' | 'did-finish-load' | 'timeout'): void => {
    if (shown || window.isDestroyed()) return
    shown = true
    clearTimeout(timer)
    log.info('window shown', { by })
    show()
  }
  const timer = setTimeout(() => reveal('timeout'), patienceMs)
  window.once('ready-to-show', () => reveal('ready-to-show'))
  if (process.platform === 'linux')
    window.webContents.once('did-finish-load', () => reveal('did-finish-load'))
  window.once('closed', () => clearTimeout(timer))
}
