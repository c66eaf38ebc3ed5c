import { BrowserWindow, nativeTheme, screen } from 'electron'
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
