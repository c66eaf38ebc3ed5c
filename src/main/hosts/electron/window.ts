import {
  BrowserWindow,
  nativeTheme,
  screen,
  webContents,
  type BrowserWindowConstructorOptions,
} from 'electron'
import {
  offsetBounds,
  restoreBounds,
  routeOf,
  type Bounds,
  type WindowState,
} from '../support/window-state.ts'
import type { Log } from '../../deps.ts'
import { appPage } from '../../platform/security/origins.ts'
import { revealWhenDrawn } from './reveal-window.ts'
import {
  webPreferences,
  windowBackground,
  windowSize,
} from '../../platform/security/window-options.ts'

interface WindowParts {
  readonly home: string
  readonly preload: string
  readonly devTools: boolean
  readonly log: Log
  /** Path of the app's icon. */
  readonly icon: string
}

/** Returns the color scheme of the system, or the user's choice of theme. */
export const background = (): 'light' | 'dark' =>
  nativeTheme.shouldUseDarkColors ? 'dark' : 'light'

/** Options of every window that shows the app's page. */
export const pageOptions = (parts: WindowParts): BrowserWindowConstructorOptions => ({
  title: 'Lectern',
  // On other platforms the program file contains the icon.
  ...(process.platform === 'linux' && { icon: parts.icon }),
  backgroundColor: windowBackground[background()],
  webPreferences: { ...webPreferences, preload: parts.preload, devTools: parts.devTools },
})

/** Placement of a new window. */
interface WindowPlacing {
  /** Window next to which the new one opens, unless it has a saved position. */
  readonly adjacent: BrowserWindow | null
  /** Saved state; null for a new window. */
  readonly left: WindowState | null
  /** Opens without focus, which another window opened at the same time gets. */
  readonly inBackground: boolean
  /** Called when its position or the route of its page has changed. */
  onPlace(): void
}

/** Creates a window, hidden until it has content. */
export function createWindow(parts: WindowParts, placing: WindowPlacing): BrowserWindow {
  const { adjacent, left, inBackground } = placing
  const areas = screen.getAllDisplays().map((display) => display.workArea)
  const own = restoreBounds(left, areas)
  // A display may be gone: the windows that were on it must not cover each other exactly.
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
    // Not earlier: it would show the window while it is empty.
    if (state?.maximized) window.maximize()
    if (inBackground) window.showInactive()
    else window.show()
    if (state?.fullScreen) window.setFullScreen(true)
  })
  const zoom = state?.zoom ?? 0
  // Each page starts at 100%.
  if (zoom !== 0)
    window.webContents.on('did-finish-load', () => window.webContents.setZoomLevel(zoom))
  const emitter: NodeJS.EventEmitter = window
  for (const name of placeEvents) emitter.on(name, () => placing.onPlace())
  window.webContents.on('did-navigate-in-page', () => placing.onPlace())
  return window
}

/** Returns the size and maximized state of the other window; full screen is specific to each window. */
function offsetState(other: BrowserWindow, areas: readonly Bounds[]): WindowState {
  return {
    bounds: offsetBounds(other.getNormalBounds(), areas),
    maximized: other.isMaximized(),
    fullScreen: false,
    zoom: other.webContents.getZoomLevel(),
  }
}

/** Events after which a window's placement has changed. TypeScript declares each in its own overload. */
const placeEvents = [
  'move',
  'resize',
  'maximize',
  'unmaximize',
  'enter-full-screen',
  'leave-full-screen',
] as const

/**
 * Returns the current state of a window to save; `route` is where it was to open, until its page is there.
 */
export function stateOf(window: BrowserWindow, route = ''): WindowState {
  return {
    bounds: window.getNormalBounds(),
    maximized: window.isMaximized(),
    fullScreen: window.isFullScreen(),
    zoom: window.webContents.getZoomLevel(),
    route: routeOf(window.webContents.getURL()) || route,
  }
}

/**
 * Loads the app's only document at a route. An interrupted load (the window was closed in the meantime) is no error.
 */
export async function loadPage(window: BrowserWindow, route = ''): Promise<void> {
  await window.loadURL(route === '' ? appPage : `${appPage}#${route}`).catch(() => {})
}

/** Returns the window of a connection that {@link serveWindow} created; undefined once it is closed. */
export function windowOf(connectionId: string): BrowserWindow | undefined {
  const contentsId = /^(\d+)-/.exec(connectionId)?.[1]
  const contents = contentsId === undefined ? null : webContents.fromId(Number(contentsId))
  return contents ? (BrowserWindow.fromWebContents(contents) ?? undefined) : undefined
}
