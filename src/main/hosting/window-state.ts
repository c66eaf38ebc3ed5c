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
}

const fileName = 'window.json'
/** Pixels of a window's title that must be on a screen, so that it can be taken hold of. */
const grip = { width: 120, height: 32 } as const

/** How the window was left the last time; null when that was never written or cannot be read. */
export function readWindowState(home: string): WindowState | null {
  try {
    return parseState(JSON.parse(readFileSync(join(home, fileName), 'utf8')))
  } catch {
    return null
  }
}

/** Remembers how the window is left. A disk that refuses costs only the memory. */
export function writeWindowState(home: string, state: WindowState): void {
  try {
    writePrivateFile(join(home, fileName), JSON.stringify(state))
  } catch {
    // The next start opens the window where new ones open.
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
  return { bounds: { x, y, width, height }, maximized }
}
