import {
  app,
  BrowserWindow,
  globalShortcut,
  Notification,
  screen,
  systemPreferences,
} from 'electron'
import { linkScheme } from '../../../shared/links.ts'
import type { HostDeps } from '../../host.ts'
import { hostChecks } from '../support/host-checks.ts'

/** A shortcut that no program uses: four modifiers and a key that few keyboards have. */
const unusedShortcut = 'CommandOrControl+Alt+Shift+F24'

/** Checks of the host in the self-test. */
export const electronChecks: NonNullable<HostDeps['hostCheck']> = (id) =>
  hostChecks({
    platform: process.platform,
    isPackaged: app.isPackaged,
    windows: () =>
      BrowserWindow.getAllWindows().map((window) => window.isVisible() && isOnDisplay(window)),
    noSandbox: app.commandLine.hasSwitch('no-sandbox'),
    // Linux has no such permission, and no such function.
    microphone: () =>
      process.platform === 'linux'
        ? 'unknown'
        : systemPreferences.getMediaAccessStatus('microphone'),
    notifications: () => Notification.isSupported(),
    tryShortcut() {
      const isTaken = !globalShortcut.register(unusedShortcut, () => {})
      globalShortcut.unregister(unusedShortcut)
      return !isTaken
    },
    opensLinks: () => app.isDefaultProtocolClient(linkScheme),
  })(id)

function isOnDisplay(window: BrowserWindow): boolean {
  const { x, y, width, height } = window.getBounds()
  const { workArea } = screen.getDisplayMatching({ x, y, width, height })
  return (
    x < workArea.x + workArea.width &&
    x + width > workArea.x &&
    y < workArea.y + workArea.height &&
    y + height > workArea.y
  )
}
