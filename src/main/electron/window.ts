import { BrowserWindow, nativeTheme, screen, type BrowserWindowConstructorOptions } from 'electron'
import {
  offsetBounds,
  restoreBounds,
  routeOf,
  type Bounds,
  type WindowState,
} from '../host-support/window-state.ts'
import type { Log } from '../deps.ts'
import { appPage } from '../security/origins.ts'
import { revealWhenDrawn } from './reveal-window.ts'
import { webPreferences, windowBackground, windowSize } from '../security/window-options.ts'

/** What a window is made of beside the policy. */
export interface WindowParts {
  readonly home: string
  readonly preload: string
  readonly devTools: boolean
  readonly log: Log
  /** Path of the app's icon. */
  readonly icon: string
}

/** The scheme the system (or the user's choice of theme) asks for. */
export const background = (): 'light' | 'dark' =>
  nativeTheme.shouldUseDarkColors ? 'dark' : 'light'

/** Options of every window that shows the app's page. */
export const pageOptions = (parts: WindowParts): BrowserWindowConstructorOptions => ({
  title: 'Lectern',
  // Elsewhere the program itself has it.
  ...(process.platform === 'linux' && { icon: parts.icon }),
  backgroundColor: windowBackground[background()],
  webPreferences: { ...webPreferences, preload: parts.preload, devTools: parts.devTools },
})

/** How a new window opens. */
export interface WindowPlacing {
  /** The window that the new one opens beside, unless it has a place of its own. */
  readonly adjacent: BrowserWindow | null
  /** How it was left; null for one that is new. */
  readonly left: WindowState | null
  /** It does not take the focus: another one that opens with it does. */
  readonly inBackground: boolean
  /** It is placed otherwise, or its page is at another place. */
  onPlace(): void
}

/** Makes a window, hidden until it has something to show. */
export function createWindow(parts: WindowParts, placing: WindowPlacing): BrowserWindow {
  const { adjacent, left, inBackground } = placing
  const areas = screen.getAllDisplays().map((display) => display.workArea)
  const own = restoreBounds(left, areas)
  // A display may be gone since: the windows that were on it must not lie one on top of the other.
  const state = adjacent && own.x === undefined ? offsetState(adjacent, areas) : left
  const window = new BrowserWindow({
    ...restoreBounds(state, areas),
    minWidth: windowSize.minWidth,
    minHeight: windowSize.minHeight,
    ...pageOptions(parts),
    show: false,
    autoHideMenuBar: true,
  })
  revealWhenDrawn(window, parts.log, () => {
    // Not before: it would show the window while it is empty.
    if (state?.maximized) window.maximize()
    if (inBackground) window.showInactive()
    else window.show()
    if (state?.fullScreen) window.setFullScreen(true)
  })
  const zoom = state?.zoom ?? 0
  // Each page begins at 100 %.
  if (zoom !== 0)
    window.webContents.on('did-finish-load', () => window.webContents.setZoomLevel(zoom))
  const emitter: NodeJS.EventEmitter = window
  for (const name of placeEvents) emitter.on(name, () => placing.onPlace())
  window.webContents.on('did-navigate-in-page', () => placing.onPlace())
  return window
}

/** As large as the other one, and maximized as that is; full screen is each window's own. */
function offsetState(other: BrowserWindow, areas: readonly Bounds[]): WindowState {
  return {
    bounds: offsetBounds(other.getNormalBounds(), areas),
    maximized: other.isMaximized(),
    fullScreen: false,
    zoom: other.webContents.getZoomLevel(),
  }
}

/** Events after which a window's place is another. TypeScript knows each by an overload of its own. */
const placeEvents = [
  'move',
  'resize',
  'maximize',
  'unmaximize',
  'enter-full-screen',
  'leave-full-screen',
] as const

/** How a window would be left now; `route` is where it was to open, until its page is there. */
export function stateOf(window: BrowserWindow, route = ''): WindowState {
  return {
    bounds: window.getNormalBounds(),
    maximized: window.isMaximized(),
    fullScreen: window.isFullScreen(),
    zoom: window.webContents.getZoomLevel(),
    route: routeOf(window.webContents.getURL()) || route,
  }
}

/** Loads the app's one document, at a place of its router. A load that is cut (the window was closed meanwhile) is nobody's error. */
export async function loadPage(window: BrowserWindow, route = ''): Promise<void> {
  await window.loadURL(route === '' ? appPage : `${appPage}#${route}`).catch(() => {})
}
