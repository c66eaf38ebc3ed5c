import type { QuickState } from '../../shared/bridge/quick.ts'
import { quickWindowSize } from '../security/window-options.ts'

/** A rectangle in device-independent pixels. */
export interface Area {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Where the window comes up on the screen that is worked on: in the middle, above the half, wholly inside. */
export function quickBounds({ x, y, width, height }: Area): Area {
  const wide = Math.min(quickWindowSize.width, width)
  const high = Math.min(quickWindowSize.height, height)
  return {
    x: Math.round(x + (width - wide) / 2),
    y: Math.round(y + (height - high) / 4),
    width: wide,
    height: high,
  }
}

/** What the shortcut does: it brings the window, and puts it away when it is what is worked in. */
export const quickToggle = (window: {
  readonly visible: boolean
  readonly focused: boolean
}): 'show' | 'hide' => (window.visible && window.focused ? 'hide' : 'show')

/** The system's shortcuts, as far as they are needed. */
export interface SystemShortcuts {
  /** False when another program has it. */
  register(keys: string, run: () => void): boolean
  unregister(keys: string): void
}

/** Holds one shortcut of the system at a time. */
export function createQuickShortcut(system: SystemShortcuts, run: () => void) {
  let held = ''
  const take = (keys: string): boolean => {
    try {
      return system.register(keys, run)
    } catch {
      // Keys that this system does not know.
      return false
    }
  }
  return {
    /** Takes these keys in the place of those before; '' none. Those before stay when these are taken by another program. */
    use(keys: string): QuickState {
      if (keys === held) return held === '' ? 'off' : 'on'
      const before = held
      if (before !== '') system.unregister(before)
      held = ''
      if (keys === '') return 'off'
      if (take(keys)) held = keys
      else if (before !== '' && take(before)) held = before
      return held === keys ? 'on' : 'taken'
    },
    held: () => held,
  }
}
