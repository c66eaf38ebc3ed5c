import { EventEmitter } from 'node:events'

/** Every call that reached the mock, in order: `name` and its arguments. */
export const calls: { readonly name: string; readonly args: readonly unknown[] }[] = []

/** Names of the calls so far. */
export const order = (): readonly string[] => calls.map(({ name }) => name)

/** The arguments of the last call of a name; throws when there was none. */
export function lastCall(name: string): readonly unknown[] {
  const found = calls.findLast((call) => call.name === name)
  if (!found) throw new Error(`${name} was not called`)
  return found.args
}

const note =
  (name: string) =>
  (...args: unknown[]): void =>
    void calls.push({ name, args })

/** What a test decides: whether the locks are free, and what the dialogs answer. */
export const world = {
  singleInstance: true,
  dialogAnswer: 0,
  shortcutFree: true,
  dark: false,
  locale: 'en-US',
  proxy: 'DIRECT',
  displays: [{ workArea: { x: 0, y: 0, width: 1920, height: 1040 } }],
}

const ready = Promise.withResolvers<void>()
/** Makes the engine ready, as it becomes once the entry module has been read. */
export const becomeReady = (): void => {
  calls.push({ name: 'ready', args: [] })
  ready.resolve()
}

class App extends EventEmitter {
  isPackaged = true
  commandLine = { appendSwitch: note('commandLine.appendSwitch') }
  setName = note('app.setName')
  setAppUserModelId = note('app.setAppUserModelId')
  setPath = note('app.setPath')
  enableSandbox = note('app.enableSandbox')
  exit = note('app.exit')
  quit = note('app.quit')
  requestSingleInstanceLock(): boolean {
    note('app.requestSingleInstanceLock')()
    return world.singleInstance
  }
  whenReady(): Promise<void> {
    note('app.whenReady')()
    return ready.promise
  }
  getLocale = (): string => world.locale
  getSystemLocale = (): string => world.locale
}
export const app = new App()

let nextContents = 1

/** Web contents of a window, with handlers as the mock's tests reach for them. */
export class WebContents extends EventEmitter {
  readonly id = nextContents++
  readonly sent: { readonly channel: string; readonly value: unknown }[] = []
  readonly handlers = new Map<string, (event: unknown, ...args: unknown[]) => unknown>()
  windowOpen: ((details: { url: string }) => { action: string }) | null = null
  destroyed = false
  ipc = {
    handle: (channel: string, handler: (event: unknown, ...args: unknown[]) => unknown) =>
      void this.handlers.set(channel, handler),
  }
  send(channel: string, value: unknown): void {
    // What Electron does to it on the way.
    this.sent.push({ channel, value: structuredClone(value) })
  }
  isDestroyed = (): boolean => this.destroyed
  setWindowOpenHandler(handler: (details: { url: string }) => { action: string }): void {
    this.windowOpen = handler
  }
  setWebRTCIPHandlingPolicy = note('contents.setWebRTCIPHandlingPolicy')
  setBackgroundThrottling = note('contents.setBackgroundThrottling')
  async printToPDF(...args: unknown[]): Promise<Buffer> {
    note('contents.printToPDF')(...args)
    return Buffer.from('%PDF-1.4 printed')
  }
  async executeJavaScript(...args: unknown[]): Promise<void> {
    note('contents.executeJavaScript')(...args)
  }
}

export class BrowserWindow extends EventEmitter {
  static readonly all: BrowserWindow[] = []
  readonly webContents = new WebContents()
  readonly loaded: string[] = []
  minimized = false
  readonly options: Record<string, unknown>
  constructor(options: Record<string, unknown>) {
    super()
    this.options = options
    BrowserWindow.all.push(this)
    calls.push({ name: 'new BrowserWindow', args: [options] })
    app.emit('web-contents-created', {}, this.webContents)
  }
  async loadURL(url: string): Promise<void> {
    this.loaded.push(url)
    calls.push({ name: 'window.loadURL', args: [url] })
  }
  visible = false
  focused = false
  destroyed = false
  show(): void {
    note('window.show')()
    this.visible = true
    this.focused = true
  }
  hide(): void {
    note('window.hide')()
    this.visible = false
    this.focused = false
  }
  destroy(): void {
    if (this.destroyed) return
    this.destroyed = true
    note('window.destroy')()
    this.emit('closed')
  }
  isVisible = (): boolean => this.visible
  isFocused = (): boolean => this.focused
  setBounds = note('window.setBounds')
  setVisibleOnAllWorkspaces = note('window.setVisibleOnAllWorkspaces')
  focus = note('window.focus')
  restore = note('window.restore')
  maximize = note('window.maximize')
  setBackgroundColor = note('window.setBackgroundColor')
  isMinimized = (): boolean => this.minimized
  isMaximized = (): boolean => false
  getNormalBounds = (): object => ({ x: 10, y: 20, width: 900, height: 700 })
}

class Session extends EventEmitter {
  setPermissionRequestHandler = note('session.setPermissionRequestHandler')
  setPermissionCheckHandler = note('session.setPermissionCheckHandler')
  setDevicePermissionHandler = note('session.setDevicePermissionHandler')
  setDisplayMediaRequestHandler = note('session.setDisplayMediaRequestHandler')
  webRequest: { onBeforeRequest(...args: never[]): void } = {
    onBeforeRequest: note('session.webRequest.onBeforeRequest'),
  }
  resolveProxy = async (): Promise<string> => world.proxy
}
/** A session of its own, as a test reaches for it. */
export class PartSession extends Session {
  handler: ((request: { url: string }) => Response) | null = null
  filter: ((details: { url: string }, answer: (it: { cancel: boolean }) => void) => void) | null =
    null
  protocol = {
    handle: (_scheme: string, handler: (request: { url: string }) => Response) =>
      void (this.handler = handler),
    unhandle: () => void (this.handler = null),
  }
  override webRequest = {
    onBeforeRequest: (filter: NonNullable<PartSession['filter']>) => void (this.filter = filter),
  }
}
const parts = new Map<string, PartSession>()
export const session = {
  defaultSession: new Session(),
  fromPartition(name: string): PartSession {
    const part = parts.get(name) ?? new PartSession()
    parts.set(name, part)
    return part
  },
}

export const protocol = {
  registerSchemesAsPrivileged: note('protocol.registerSchemesAsPrivileged'),
  handle: note('protocol.handle'),
}
export const crashReporter = { start: note('crashReporter.start') }
export const Menu = {
  setApplicationMenu: note('Menu.setApplicationMenu'),
  buildFromTemplate: (template: unknown): unknown => template,
}
class NativeTheme extends EventEmitter {
  themeSource = 'system'
  get shouldUseDarkColors(): boolean {
    return world.dark
  }
}
export const nativeTheme = new NativeTheme()
export const powerMonitor = new EventEmitter()
export const powerSaveBlocker = {
  start(type: string): number {
    note('powerSaveBlocker.start')(type)
    return 7
  },
  stop: note('powerSaveBlocker.stop'),
}
export const globalShortcut = {
  register(keys: string, run: () => void): boolean {
    note('globalShortcut.register')(keys, run)
    return world.shortcutFree
  },
  unregister: note('globalShortcut.unregister'),
  unregisterAll: note('globalShortcut.unregisterAll'),
}
export class Tray {
  constructor(image: unknown) {
    calls.push({ name: 'new Tray', args: [image] })
  }
  setImage = note('tray.setImage')
  setToolTip = note('tray.setToolTip')
  setTitle = note('tray.setTitle')
  setContextMenu = note('tray.setContextMenu')
}
export const nativeImage = {
  createFromBitmap: (pixels: Uint8Array, size: object): object => ({
    pixels,
    size,
    setTemplateImage: note('image.setTemplateImage'),
  }),
}
export const screen = {
  getAllDisplays: () => world.displays,
  getCursorScreenPoint: () => ({ x: 5, y: 5 }),
  getDisplayNearestPoint: () => world.displays[0],
}
export const shell = {
  openExternal: async (url: string): Promise<void> => note('shell.openExternal')(url),
}
export const dialog = {
  showErrorBox: note('dialog.showErrorBox'),
  showMessageBoxSync(_window: unknown, options: unknown): number {
    note('dialog.showMessageBoxSync')(options)
    return world.dialogAnswer
  },
  async showMessageBox(options: unknown): Promise<{ response: number }> {
    note('dialog.showMessageBox')(options)
    return { response: world.dialogAnswer }
  },
}
export const desktopCapturer = {
  getSources: async (): Promise<readonly object[]> => [{ id: 'screen:0', name: 'Screen' }],
}

/** Waits until everything that is already due has run. */
export const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20))
