import { reportEvent } from './control.ts'
import { StrictEmitter, strict } from './strict.ts'
import { allContents } from './web-contents.ts'

// Exports of `import ... from 'electron'` in a main process. A missing name fails at the import.
export { app } from './app.ts'
export { BrowserWindow } from './browser-window.ts'
export {
  desktopCapturer,
  globalShortcut,
  nativeTheme,
  powerMonitor,
  powerSaveBlocker,
  screen,
  systemPreferences,
} from './desktop.ts'
export { clipboard, dialog, shell } from './dialogs.ts'
export { ipcMain } from './ipc.ts'
export { MessageChannelMain } from './ports.ts'
export { protocol, session } from './session.ts'
export { Menu, MenuItem, nativeImage, Notification, Tray } from './surface.ts'
export { utilityProcess } from './utility-process.ts'

/** `crashReporter` of Electron. */
export const crashReporter = strict({
  start: (options: object) => reportEvent('crash-reporter', { ...options }),
  addExtraParameter: (_key: string, _value: string) => {},
  getLastCrashReport: () => null,
})

/** `net` of Electron: the main process fetches nothing with it. */
export const net = strict({ isOnline: () => true })

/** `autoUpdater` of Electron: there is none on Linux. */
export const autoUpdater = new StrictEmitter()

/** `webContents` of Electron. */
export const webContents = strict({
  getAllWebContents: allContents,
  fromId: (id: number) => allContents().find((contents) => contents.id === id),
  getFocusedWebContents: () => allContents()[0] ?? null,
})
