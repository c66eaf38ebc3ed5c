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
