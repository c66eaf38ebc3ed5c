import { command, reportEvent } from './control.ts'
import { StrictEmitter, strict } from './strict.ts'

const display = { x: 0, y: 0, width: 1920, height: 1080 }
const workArea = { ...display, y: 28, height: 1052 }

/** Returns the work area of the only display. */
export const primaryArea = (): Electron.Rectangle => ({ ...workArea })

class Screen extends StrictEmitter {
  cursor = { x: 960, y: 540 }
  private readonly one = {
    id: 1,
    bounds: display,
    workArea,
    size: display,
    workAreaSize: workArea,
    scaleFactor: 1,
    rotation: 0,
    internal: true,
  }
  getAllDisplays(): unknown[] {
    return [this.one]
  }
  getPrimaryDisplay(): unknown {
    return this.one
  }
  getDisplayNearestPoint(_point: Electron.Point): unknown {
    return this.one
  }
  getDisplayMatching(_rect: Electron.Rectangle): unknown {
    return this.one
  }
  getCursorScreenPoint(): Electron.Point {
    return { ...this.cursor }
  }
}

/** `screen`: one display. */
export const screen = new Screen()

class NativeTheme extends StrictEmitter {
  private source: 'system' | 'light' | 'dark' = 'system'
  private system: 'light' | 'dark' = process.env['STANDIN_THEME'] === 'dark' ? 'dark' : 'light'
  get themeSource(): 'system' | 'light' | 'dark' {
    return this.source
  }
  /** Emits `updated` in a separate task (`shell/browser/api/electron_api_native_theme.cc`). */
  set themeSource(value: 'system' | 'light' | 'dark') {
    this.source = value
    reportEvent('theme', { source: value })
    setImmediate(() => this.emit('updated'))
  }
  get shouldUseDarkColors(): boolean {
    return (this.source === 'system' ? this.system : this.source) === 'dark'
  }
  /** Color scheme of system-drawn bars: they follow the system, not the app's setting. */
  get shouldUseDarkColorsForSystemIntegratedUI(): boolean {
    return this.system === 'dark'
  }
  get shouldUseHighContrastColors(): boolean {
    return false
  }
  get prefersReducedTransparency(): boolean {
    return false
  }
  systemIs(theme: 'light' | 'dark'): void {
    this.system = theme
    this.emit('updated')
  }
}

/** `nativeTheme`. */
export const nativeTheme = new NativeTheme()
command('theme.system', (theme: 'light' | 'dark') => nativeTheme.systemIs(theme))

class PowerMonitor extends StrictEmitter {
  isOnBatteryPower(): boolean {
    return false
  }
  getSystemIdleState(_threshold: number): string {
    return 'active'
  }
  getSystemIdleTime(): number {
    return 0
  }
  get onBatteryPower(): boolean {
    return false
  }
}

/** `powerMonitor`: controlled by the driver. */
export const powerMonitor = new PowerMonitor()
command('power', (event: 'suspend' | 'resume' | 'shutdown' | 'lock-screen' | 'unlock-screen') =>
  powerMonitor.emit(event, { preventDefault: () => {} }),
)

const blockers = new Map<number, string>()
let lastBlocker = 0

/** `powerSaveBlocker`. */
export const powerSaveBlocker = strict({
  start(type: 'prevent-app-suspension' | 'prevent-display-sleep'): number {
    blockers.set(++lastBlocker, type)
    reportEvent('power-save', { type, on: true })
    return lastBlocker
  },
  stop(id: number): boolean {
    if (!blockers.delete(id)) return false
    reportEvent('power-save', { on: false })
    return true
  },
  isStarted: (id: number) => blockers.has(id),
} satisfies Electron.PowerSaveBlocker as object)
command('power-save', () => [...blockers.values()])

const shortcuts = new Map<string, () => void>()
const taken = new Set((process.env['STANDIN_TAKEN_KEYS'] ?? '').split(' '))
const accelerator = (keys: string): string => {
  // `shell/common/gin_converters/accelerator_converter.cc` rejects invalid accelerators.
  if (!/^[\w+-]+$/.test(keys) && !keys.includes('+'))
    throw new TypeError(`conversion failure from ${keys}`)
  return keys
}

/** `globalShortcut`: the keys in STANDIN_TAKEN_KEYS belong to another program. */
export const globalShortcut = strict({
  register(keys: string, callback: () => void): boolean {
    if (taken.has(accelerator(keys)) || shortcuts.has(keys)) return false
    shortcuts.set(keys, callback)
    reportEvent('shortcut', { keys, on: true })
    return true
  },
  registerAll(list: string[], callback: () => void): void {
    for (const keys of list) globalShortcut.register(keys, callback)
  },
  isRegistered: (keys: string) => shortcuts.has(keys),
  unregister(keys: string): void {
    shortcuts.delete(keys)
    reportEvent('shortcut', { keys, on: false })
  },
  unregisterAll(): void {
    shortcuts.clear()
  },
})
command('shortcut.press', (keys: string) => {
  const callback = shortcuts.get(keys)
  if (!callback) throw new Error(`Nothing is registered for ${keys}`)
  callback()
})
command('shortcuts', () => [...shortcuts.keys()])

/** `systemPreferences`: the permissions of macOS, from STANDIN_MEDIA_ACCESS. */
export const systemPreferences = Object.assign(new StrictEmitter(), {
  getMediaAccessStatus: (_media: string) => process.env['STANDIN_MEDIA_ACCESS'] ?? 'granted',
  async askForMediaAccess(media: string): Promise<boolean> {
    reportEvent('ask-media-access', { media })
    return process.env['STANDIN_MEDIA_ACCESS'] !== 'denied'
  },
})

/** `desktopCapturer`: one screen. */
export const desktopCapturer = strict({
  async getSources(options: Electron.SourcesOptions): Promise<unknown[]> {
    reportEvent('sources', { ...options })
    return options.types.includes('screen')
      ? [{ id: 'screen:0:0', name: 'Entire screen', display_id: '1', appIcon: null }]
      : []
  },
})
