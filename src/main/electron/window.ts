import { app, BrowserWindow, dialog, nativeTheme, screen } from 'electron'
import { closeQuestion } from '../hosting/dialogs.ts'
import { languageOf } from '../hosting/language.ts'
import { readWindowState, restoreBounds, writeWindowState } from '../hosting/window-state.ts'
import { appPage } from '../security/origins.ts'
import { webPreferences, windowBackground, windowSize } from '../security/window-options.ts'

/** What a window is made of beside the policy. */
export interface WindowParts {
  readonly home: string
  readonly preload: string
  readonly devTools: boolean
}

/** The scheme the system (or the user's choice of theme) asks for. */
export const background = (): 'light' | 'dark' =>
  nativeTheme.shouldUseDarkColors ? 'dark' : 'light'

/** Makes the window, hidden until it has something to show, where it was left the last time. */
export function createWindow(parts: WindowParts): BrowserWindow {
  const state = readWindowState(parts.home)
  const areas = screen.getAllDisplays().map((display) => display.workArea)
  const window = new BrowserWindow({
    ...restoreBounds(state, areas),
    minWidth: windowSize.minWidth,
    minHeight: windowSize.minHeight,
    title: 'Lectern',
    show: false,
    backgroundColor: windowBackground[background()],
    autoHideMenuBar: true,
    webPreferences: { ...webPreferences, preload: parts.preload, devTools: parts.devTools },
  })
  if (state?.maximized) window.maximize()
  window.once('ready-to-show', () => window.show())
  // A page that records does not let itself be closed: a browser would ask, so it is asked here.
  window.webContents.on('will-prevent-unload', (event) => {
    const { message, detail, buttons } = closeQuestion(languageOf('system', app.getLocale()))
    const options = { message, detail, buttons: [...buttons], defaultId: 0, cancelId: 0 }
    if (dialog.showMessageBoxSync(window, options) === 1) event.preventDefault()
  })
  window.on('close', () => {
    writeWindowState(parts.home, {
      bounds: window.getNormalBounds(),
      maximized: window.isMaximized(),
    })
  })
  return window
}

/** Loads the app's one document. A load that is cut (the window was closed meanwhile) is nobody's error. */
export async function loadPage(window: BrowserWindow): Promise<void> {
  await window.loadURL(appPage).catch(() => {})
}
