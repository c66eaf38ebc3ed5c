import {
  app,
  powerMonitor,
  powerSaveBlocker,
  type BrowserWindow,
  Menu,
  nativeImage,
  nativeTheme,
  Tray,
  type MenuItemConstructorOptions,
} from 'electron'
import type { PageCommand } from '../../../shared/contract/events.ts'
import type { Language } from '../../../shared/language.ts'
import { launchTasks } from '../support/launch-tasks.ts'
import {
  bringsToFront,
  recordCommand,
  traySigns,
  recordingIcon,
  trayInk,
  type TrayLine,
  type TraySigns,
} from '../support/recording-indicator.ts'
import type { QuickWindowHost } from './quick-window.ts'
import { windowOf } from './window.ts'
import type { AppWindows } from './windows.ts'

/** Tray and power management during a recording. */
export interface RecordingSigns {
  /** Reports whether the page of this connection is recording. */
  live(live: boolean, connectionId: string | null): void
  /** Handles its shortcut: starts a recording, or stops the current one. */
  toggle(): void
  /** Sends a command to the page that is recording, otherwise to the last used one, as if from its user. */
  ask(command: PageCommand): void
  speak(language: Language): void
  /** Returns the window whose page is recording; null when there is none. */
  window(): BrowserWindow | null
}

/**
 * Shows recordings outside of windows, handles commands there, and prevents computer and page from sleeping during a
 * recording.
 */
export function setupRecording(
  windows: AppWindows,
  quick: Pick<QuickWindowHost, 'show'>,
  language: Language,
): RecordingSigns {
  const state = { live: false, language, blocker: -1 }
  /** Window whose page is recording. */
  let recorder: BrowserWindow | null = null
  const push = (command: PageCommand): void =>
    windows.push({ channel: 'app', event: { type: 'page.command', command } }, recorder)
  const throttle = (window: BrowserWindow | null, allowed: boolean): void => {
    if (window?.isDestroyed() === false) window.webContents.setBackgroundThrottling(allowed)
  }
  const ask = (command: PageCommand): void => {
    if (!bringsToFront(command)) return push(command)
    if (!recorder) {
      windows.focus()
      // A page may capture the computer's audio only after a user gesture: this click or key was one.
      void windows.current()?.webContents.executeJavaScript('0', true)
    }
    windows.deliver({ type: 'page.command', command }, recorder)
  }
  const showTray = openTray({
    ask,
    show: () => windows.focus(),
    open: () => windows.open(),
    quick: () => quick.show(),
  })
  const show = (): void => showTray(traySigns(state.live, state.language), state.live)
  show()
  powerMonitor.on('resume', () => push('record-awake'))
  return {
    live(live, connectionId) {
      // A page that is gone leaves its recording open for a while, without a window.
      const known = connectionId === null ? undefined : windowOf(connectionId)
      const window = live ? (known ?? recorder ?? windows.current()) : null
      if (window !== recorder) {
        throttle(recorder, true)
        throttle(window, false)
        recorder = window
      }
      if (live === state.live) return
      state.live = live
      if (live) state.blocker = powerSaveBlocker.start('prevent-app-suspension')
      else powerSaveBlocker.stop(state.blocker)
      show()
    },
    ask,
    toggle: () => ask(recordCommand(state.live)),
    window: () => recorder,
    speak(next) {
      state.language = next
      showTasks(next)
      show()
    },
  }
}

/**
 * Sets the tasks of the jump list on Windows; each starts Lectern, which passes it to the running instance.
 */
function showTasks(language: Language): void {
  if (process.platform !== 'win32' || !app.isPackaged) return
  const program = { program: process.execPath, iconPath: process.execPath, iconIndex: 0 }
  app.setUserTasks(launchTasks(language).map((task) => ({ ...program, ...task, description: '' })))
}

/** Creates the tray's icon and menu. Returns a function that updates them. */
function openTray(does: {
  ask(command: PageCommand): void
  show(): void
  open(): void
  quick(): void
}): (signs: TraySigns, live: boolean) => void {
  const tray = new Tray(icon(false))
  const item = (line: TrayLine): MenuItemConstructorOptions => {
    if (line.kind === 'separator') return { type: 'separator' }
    const { label } = line
    if (line.kind === 'record') return { label, click: () => does.ask(line.command) }
    const clicks = {
      show: () => does.show(),
      window: () => does.open(),
      quick: () => does.quick(),
      quit: () => app.quit(),
    }
    return { label, click: clicks[line.kind] }
  }
  let isLive = false
  nativeTheme.on('updated', () => tray.setImage(icon(isLive)))
  // macOS opens the menu automatically; elsewhere a click on the icon would do nothing.
  if (process.platform !== 'darwin') tray.on('click', () => does.show())
  return ({ tooltip, title, lines }, live) => {
    isLive = live
    tray.setImage(icon(live))
    tray.setToolTip(tooltip)
    if (process.platform === 'darwin') tray.setTitle(title)
    tray.setContextMenu(Menu.buildFromTemplate(lines.map((line) => item(line))))
    // The Dock already lists windows and Quit.
    const own = lines.filter(({ kind }) => ['record', 'window', 'quick'].includes(kind))
    app.dock?.setMenu(Menu.buildFromTemplate(own.map((line) => item(line))))
  }
}

/** Returns the icon, sharp on high-density screens too; macOS colors it automatically. */
function icon(live: boolean): Electron.NativeImage {
  const mac = process.platform === 'darwin'
  const ink = trayInk({
    platform: process.platform,
    dark: nativeTheme.shouldUseDarkColors,
    // Linux has no such member.
    darkBar: process.platform === 'win32' && nativeTheme.shouldUseDarkColorsForSystemIntegratedUI,
    desktop: process.env['XDG_CURRENT_DESKTOP'] ?? '',
  })
  const size = 32
  const pixels = recordingIcon({ size, live, ink, coloured: !mac })
  const image = nativeImage.createFromBitmap(pixels, { width: size, height: size, scaleFactor: 2 })
  image.setTemplateImage(mac)
  return image
}
