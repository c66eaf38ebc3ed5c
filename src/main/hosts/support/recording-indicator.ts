import type { PageCommand } from '../../../shared/contract/events.ts'
import type { Language } from '../../../shared/language.ts'

const words = {
  en: {
    idle: 'Lectern',
    live: 'Lectern is recording',
    start: 'Start Recording',
    stop: 'Stop Recording',
    show: 'Show Lectern',
    window: 'New Window',
    quick: 'Quick Question',
    quit: 'Quit Lectern',
    title: 'Rec',
  },
  'zh-CN': {
    idle: 'Lectern',
    live: 'Lectern 正在录音',
    start: '开始录音',
    stop: '停止录音',
    show: '显示 Lectern',
    window: '新建窗口',
    quick: '快速提问',
    quit: '退出 Lectern',
    title: '正在录音',
  },
} as const

/** An entry of the tray menu. */
export type TrayLine =
  | { readonly kind: 'separator' }
  | { readonly kind: 'record'; readonly label: string; readonly command: PageCommand }
  | { readonly kind: 'show' | 'window' | 'quick' | 'quit'; readonly label: string }

/**
 * Contents of the tray, which always indicates a running recording, next to the icon where the system supports it.
 */
export interface TraySigns {
  readonly tooltip: string
  /** Text next to the icon, on macOS; empty for none. */
  readonly title: string
  readonly lines: readonly TrayLine[]
}

/** Returns the tray contents of a state. */
export function traySigns(live: boolean, language: Language): TraySigns {
  const w = words[language]
  return {
    tooltip: live ? w.live : w.idle,
    title: live ? w.title : '',
    lines: [
      { kind: 'record', label: live ? w.stop : w.start, command: recordCommand(live) },
      { kind: 'separator' },
      { kind: 'show', label: w.show },
      { kind: 'window', label: w.window },
      { kind: 'quick', label: w.quick },
      { kind: 'quit', label: w.quit },
    ],
  }
}

/** Returns the command of the shortcut in a state. */
export const recordCommand = (live: boolean): PageCommand => (live ? 'record-stop' : 'record-start')

/** Whether the window comes to the front: a start may ask which audio to share, a stop must not interrupt. */
export const bringsToFront = (command: PageCommand): boolean => command === 'record-start'

/**
 * Draws the tray icon: a ring, filled while recording. Pixels are blue, green, red, alpha (premultiplied), in rows from the
 * top. `ink` is the gray it is drawn in; the filling is red, except on macOS, which colors its icons itself.
 */
export function recordingIcon(options: {
  readonly size: number
  readonly live: boolean
  readonly ink: number
  readonly coloured: boolean
}): Buffer {
  const { size, live, ink, coloured } = options
  const pixels = Buffer.alloc(size * size * 4)
  const middle = (size - 1) / 2
  const ring = { outer: size * 0.44, inner: size * 0.34 }
  const dot = size * 0.24
  for (let y = 0; y < size; y++)
    for (let x = 0; x < size; x++) {
      const away = Math.hypot(x - middle, y - middle)
      const inRing = within(ring.outer - away) * within(away - ring.inner)
      const inDot = live ? within(dot - away) : 0
      const alpha = Math.max(inRing, inDot)
      const red = coloured && inDot > 0
      const [b, g, r] = red ? [42, 52, 214] : [ink, ink, ink]
      const at = (y * size + x) * 4
      pixels[at] = Math.round(b * alpha)
      pixels[at + 1] = Math.round(g * alpha)
      pixels[at + 2] = Math.round(r * alpha)
      pixels[at + 3] = Math.round(255 * alpha)
    }
  return pixels
}

/**
 * Returns the gray of the tray icon, from 0 (black) to 255. macOS colors its icons itself. The taskbar of Windows has its own
 * theme; GNOME's bar is dark in both of its themes; other Linux desktops report only the theme of programs.
 */
export function trayInk(system: {
  readonly platform: string
  /** Whether programs use a dark theme. */
  readonly dark: boolean
  /** Whether the taskbar of Windows is dark. */
  readonly darkBar: boolean
  /** Value of `XDG_CURRENT_DESKTOP`. */
  readonly desktop: string
}): number {
  const { platform, dark, darkBar, desktop } = system
  if (platform === 'darwin') return 0
  const bar = platform === 'win32' ? darkBar : dark || /gnome|unity/i.test(desktop)
  return bar ? 255 : 40
}

/** Returns the part of a pixel inside an edge at this distance, which makes the edge smooth. */
const within = (distance: number): number => Math.min(1, Math.max(0, distance + 0.5))
