import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writePrivateFile } from '../security/private-files.ts'
import { windowSize } from '../security/window-options.ts'

/** A rectangle in device-independent pixels. */
export interface Bounds {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** How a window was left. */
export interface WindowState {
  readonly bounds: Bounds
  readonly maximized: boolean
  readonly fullScreen: boolean
  /** Chromium's zoom level, 0 is 100 %, each step a fifth; absent when it was never changed. */
  readonly zoom?: number
  /** Place of the page's router, without a query, which may begin something; absent where the router chooses. */
  readonly route?: string
}

const fileName = 'window.json'
/** Windows that are opened again. */
const maxWindows = 16
/** Chromium's own bound of a zoom level, either way. */
const maxZoom = 9
/** Pixels of a window's title that must be on a screen, so that it can be taken hold of. */
const grip = { width: 120, height: 32 } as const

/** A place of the page's router that a window may open at. */
const routePattern = /^(\/(?!quick(\/|$))[\w-]{1,100}){1,4}$/

/** How the windows were left the last time, the one used last first; empty when that was never written or cannot be read. */
export function readWindows(home: string): readonly WindowState[] {
  try {
    const found: unknown = JSON.parse(readFileSync(join(home, fileName), 'utf8'))
    // Earlier versions wrote the state of one window.
    const list: readonly unknown[] = Array.isArray(found) ? found : [found]
    return list
      .slice(0, maxWindows)
      .map(parseState)
      .filter((state) => state !== null)
  } catch {
    return []
  }
}

/** Remembers how the windows are left. A disk that refuses costs only the memory. */
export function writeWindows(home: string, states: readonly WindowState[]): void {
  try {
    writePrivateFile(join(home, fileName), JSON.stringify(states))
  } catch {
    // The next start opens one window where new ones open.
  }
}

/** The part of a page's address that a window opens at again; '' where there is none. */
export function routeOf(url: string): string {
  const [path = ''] = (url.split('#')[1] ?? '').split('?')
  return routePattern.test(path) ? path : ''
}

/** Saves the places of windows once they have rested for a moment: a moved window reports every pixel. */
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
 * Where the window opens: where it was left if its title can still be grasped on one of these screens (a screen may be
 * gone since), never larger than that screen; else in the first size, and the system chooses the place.
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

/** Pixels by which a window lies to the right of and below the one it was opened beside: its title stays visible. */
const offset = 28

/** Where a window of this size opens beside another one: offset from it, or at that side of the screen that it would leave. */
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
  // Earlier versions did not write it.
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
