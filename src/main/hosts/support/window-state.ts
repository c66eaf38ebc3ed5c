import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writePrivateFile } from '../../platform/security/private-files.ts'
import { windowSize } from '../../platform/security/window-options.ts'

/** A rectangle in device-independent pixels. */
export interface Bounds {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Last state of a window. */
export interface WindowState {
  readonly bounds: Bounds
  readonly maximized: boolean
  readonly fullScreen: boolean
  /** Chromium's zoom level: 0 is 100%, each step is 20%; absent if never changed. */
  readonly zoom?: number
  /** Route of the page without a query, which may start an action; absent to let the router choose. */
  readonly route?: string
}

const fileName = 'window.json'
/** Maximum number of windows that are reopened. */
const maxWindows = 16
/** Chromium's limit of a zoom level, in both directions. */
const maxZoom = 9
/** Pixels of a title bar that must be on a screen, so that the window can be dragged. */
const grip = { width: 120, height: 32 } as const

/** Routes of the page that a window may open at. */
const routePattern = /^(\/(?!quick(\/|$))[\w-]{1,100}){1,4}$/

/**
 * Returns the last states of the windows, the most recently used first; empty if the file is missing or unreadable.
 */
export function readWindows(home: string): readonly WindowState[] {
  try {
    const found: unknown = JSON.parse(readFileSync(join(home, fileName), 'utf8'))
    // Earlier versions saved the state of a single window.
    const list: readonly unknown[] = Array.isArray(found) ? found : [found]
    return list
      .slice(0, maxWindows)
      .map(parseState)
      .filter((state) => state !== null)
  } catch {
    return []
  }
}

/** Saves the states of the windows. A failed write is ignored. */
export function writeWindows(home: string, states: readonly WindowState[]): void {
  try {
    writePrivateFile(join(home, fileName), JSON.stringify(states))
  } catch {
    // The next start opens one window with the default state.
  }
}

/** Returns the route of a page's URL that a window reopens at; '' if there is none. */
export function routeOf(url: string): string {
  const [path = ''] = (url.split('#')[1] ?? '').split('?')
  return routePattern.test(path) ? path : ''
}

/** Saves window positions after a pause (debounced): a moved window reports every pixel. */
export function createPlaceSaver(save: () => void, pauseMs = 500) {
  let timer: ReturnType<typeof setTimeout> | undefined
  return {
    later(): void {
      clearTimeout(timer)
      timer = setTimeout(save, pauseMs)
    },
    now(): void {
      clearTimeout(timer)
      save()
    },
    end: (): void => clearTimeout(timer),
  }
}

/**
 * Returns the initial bounds of a window: the last ones if its title bar can still be reached on one of these screens (a
 * screen may have been removed), never larger than that screen; else the default size at a position chosen by the system.
 */
export function restoreBounds(
  state: WindowState | null,
  workAreas: readonly Bounds[],
): Partial<Bounds> & { readonly width: number; readonly height: number } {
  const fresh = { width: windowSize.width, height: windowSize.height }
  if (!state) return fresh
  const { bounds } = state
  const area = workAreas.find((screen) => graspable(bounds, screen))
  if (!area) return fresh
  return {
    x: bounds.x,
    y: Math.max(bounds.y, area.y),
    width: Math.min(Math.max(bounds.width, windowSize.minWidth), area.width),
    height: Math.min(Math.max(bounds.height, windowSize.minHeight), area.height),
  }
}

/**
 * Offset of a window to the right of and below the one it was opened from, in pixels; that one's title stays visible.
 */
const offset = 28

/**
 * Returns the bounds of a window of the same size next to another one: offset from it, or at the screen edge it would cross.
 */
export function offsetBounds(bounds: Bounds, workAreas: readonly Bounds[]): Bounds {
  const area = workAreas.find((screen) => graspable(bounds, screen))
  if (!area) return bounds
  const x = bounds.x + offset
  const y = bounds.y + offset
  return {
    ...bounds,
    x: x + bounds.width <= area.x + area.width ? x : area.x,
    y: y + bounds.height <= area.y + area.height ? y : area.y,
  }
}

function graspable(window: Bounds, screen: Bounds): boolean {
  const width =
    Math.min(window.x + window.width, screen.x + screen.width) - Math.max(window.x, screen.x)
  const top =
    window.y >= screen.y - grip.height && window.y <= screen.y + screen.height - grip.height
  return width >= grip.width && top
}

function parseState(value: unknown): WindowState | null {
  if (typeof value !== 'object' || value === null) return null
  const { bounds, maximized } = value as Record<string, unknown>
  if (typeof bounds !== 'object' || bounds === null || typeof maximized !== 'boolean') return null
  const { x, y, width, height } = bounds as Record<string, unknown>
  const whole = (part: unknown): part is number => Number.isSafeInteger(part)
  if (!whole(x) || !whole(y) || !whole(width) || !whole(height)) return null
  // Earlier versions did not save it.
  const fullScreen = (value as Record<string, unknown>)['fullScreen'] === true
  const { zoom, route } = value as Record<string, unknown>
  const level = typeof zoom === 'number' && Math.abs(zoom) <= maxZoom ? zoom : 0
  const state = { bounds: { x, y, width, height }, maximized, fullScreen }
  return {
    ...state,
    ...(level !== 0 && { zoom: level }),
    ...(typeof route === 'string' && routePattern.test(route) && { route }),
  }
}
