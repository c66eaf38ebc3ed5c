import { homedir } from 'node:os'
import { join } from 'node:path'
import { app, BrowserWindow, systemPreferences } from 'electron'
import type { Progress } from '../../../shared/contract/system.ts'
import type { SystemHost } from '../../host.ts'
import { autostartFile, hiddenStart } from '../support/login-item.ts'
import { microphoneAccess, privacySettings } from '../../platform/security/privacy-settings.ts'
import { openOwnFolder, openPrivacySettings } from './shell.ts'
import { windowOf } from './window.ts'

const { env } = process

/** Creates the access to the operating system for the app whose data is in this folder. */
export const createSystemHost = (home: string): SystemHost => ({
  ...systemHost,
  async showFolder(folder) {
    return openOwnFolder(folder === 'logs' ? join(home, 'logs') : home)
  },
})

const systemHost: Omit<SystemHost, 'showFolder'> = {
  async microphone() {
    return { access: access(), settings: privacySettings('microphone', process.platform) !== null }
  },
  async askMicrophone() {
    if (process.platform === 'darwin') await systemPreferences.askForMediaAccess('microphone')
    return access()
  },
  async openSettings(page) {
    return openPrivacySettings(page)
  },
  // An unpackaged build would be started from a place where it no longer exists.
  async login() {
    if (!app.isPackaged) return 'absent'
    if (process.platform === 'linux') return autostartFile(env, homedir()).exists() ? 'on' : 'off'
    const item = app.getLoginItemSettings({ args: [hiddenStart] })
    // When it is disabled in the Task Manager, the item remains, but Windows does not start it.
    const isStarted = process.platform !== 'win32' || item.executableWillLaunchAtLogin
    return item.openAtLogin && isStarted ? 'on' : 'off'
  },
  async setLogin(on) {
    if (!app.isPackaged) return 'absent'
    if (process.platform === 'linux') {
      const file = autostartFile(env, homedir())
      // Inside an AppImage, the running program is in a folder that no longer exists after its end.
      if (on) file.write(env['APPIMAGE'] ?? process.execPath)
      else file.remove()
    } else app.setLoginItemSettings({ openAtLogin: on, args: [hiddenStart] })
    return systemHost.login()
  },
  async progress(progress, connectionId) {
    const window = windowOf(connectionId)
    if (window) showProgress(window, progress)
  },
}

/** Last reported progress of each window's page. */
const progressByWindow = new Map<BrowserWindow, Exclude<Progress, null>>()
const watched = new WeakSet<BrowserWindow>()

/**
 * All windows show the same progress: the Dock and Linux launchers have one icon for them, and the last update wins.
 */
function showProgress(window: BrowserWindow, progress: Progress): void {
  if (progress === null) progressByWindow.delete(window)
  else progressByWindow.set(window, progress)
  if (!watched.has(window)) {
    watched.add(window)
    window.once('closed', () => showProgress(window, null))
    // A reloaded page reports its progress itself.
    window.webContents.on('did-navigate', () => showProgress(window, null))
  }
  const all = progressOfAll([...progressByWindow.values()])
  for (const each of BrowserWindow.getAllWindows()) each.setProgressBar(all)
}

/** Whether the system started the app at login. */
export const startsHidden = (): boolean =>
  process.argv.includes(hiddenStart) ||
  (process.platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin)

/** Linux has no such permission, and Electron no such function there. */
function access(): ReturnType<typeof microphoneAccess> {
  return process.platform === 'linux'
    ? 'unknown'
    : microphoneAccess(systemPreferences.getMediaAccessStatus('microphone'))
}

/** Electron's values for no progress and for indeterminate progress (`BrowserWindow.setProgressBar`). */
const none = -1
const unknown = 2

/** Returns the progress value for the reports of several pages: the mean of the known ones. */
function progressOfAll(reported: readonly Exclude<Progress, null>[]): number {
  if (reported.length === 0) return none
  const known = reported.filter((each) => each !== 'unknown')
  return known.length === 0 ? unknown : known.reduce((sum, each) => sum + each, 0) / known.length
}
