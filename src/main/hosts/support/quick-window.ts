import { quickWindowSize } from '../../platform/security/window-options.ts'

/** A rectangle in device-independent pixels. */
interface Area {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/**
 * Returns the initial bounds of the window on the active screen: horizontally centered, above the middle, fully visible.
 */
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

/** Returns the action of the shortcut: show the window, or hide it if it is focused. */
export const quickToggle = (window: {
  readonly visible: boolean
  readonly focused: boolean
}): 'show' | 'hide' => (window.visible && window.focused ? 'hide' : 'show')
