import { EventEmitter } from 'node:events'
import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { MessageChannel, type MessagePort } from 'node:worker_threads'

/** All calls of the mock, in order: `name` and its arguments. */
export const calls: { readonly name: string; readonly args: readonly unknown[] }[] = []

/** Names of the calls so far. */
export const order = (): readonly string[] => calls.map(({ name }) => name)

/** Returns the arguments of the last call of a name; throws when there was none. */
export function lastCall(name: string): readonly unknown[] {
  const found = calls.findLast((call) => call.name === name)
  if (!found) throw new Error(`${name} was not called`)
  return found.args
}

const note =
  (name: string) =>
  (...args: unknown[]): void =>
    void calls.push({ name, args })

/** Settings of a test: whether the locks are free, and the answers of the dialogs. */
export const world = {
  singleInstance: true,
  dialogAnswer: 0,
  shortcutFree: true,
  notices: true,
  dark: false,
  locale: 'en-US',
  proxy: 'DIRECT',
  switches: [] as string[],
  opensLinks: true,
  microphone: 'granted',
  /** Login item; `switchedOff` in the system's own settings. */
  loginItem: { openAtLogin: false, args: [] as readonly string[], switchedOff: false },
  /** Whether macOS started the app at login. */
  openedAtLogin: false,
  /** Path the user chooses in file dialogs; empty cancels them. */
  chosenPath: '',
  /** Whether the system has icons for files. */
  fileIcons: true,
  downloads: '/downloads',
  /** Why the system does not open a path; empty: it does. */
  pathTrouble: '',
  displays: [{ workArea: { x: 0, y: 0, width: 1920, height: 1040 } }],
}

const { platform } = process
/** Sets `process.platform` to another system; without a name, restores the actual one. */
export const runOn = (system: string = platform): void =>
  void Object.defineProperty(process, 'platform', { value: system, configurable: true })

const ready = Promise.withResolvers<void>()
/** Makes the engine ready, as it becomes once the entry module has been loaded. */
export const becomeReady = (): void => {
  calls.push({ name: 'ready', args: [] })
  ready.resolve()
}

class App extends EventEmitter {
  isPackaged = true
  commandLine = {
    appendSwitch: note('commandLine.appendSwitch'),
    hasSwitch: (name: string): boolean => world.switches.includes(name),
  }
  /** Behaves like a system that stores one item, by the arguments with which it was created. */
  getLoginItemSettings(options: { args?: readonly string[] } = {}): object {
    const { openAtLogin, args } = world.loginItem
    const isOf = String(options.args) === String(args)
    return {
      openAtLogin: openAtLogin && isOf,
      wasOpenedAtLogin: world.openedAtLogin,
      executableWillLaunchAtLogin: openAtLogin && !world.loginItem.switchedOff,
    }
  }
  setLoginItemSettings(item: { openAtLogin: boolean; args?: readonly string[] }): void {
    note('app.setLoginItemSettings')(item)
    world.loginItem = { args: [], ...item, switchedOff: false }
  }
  isDefaultProtocolClient = (): boolean => world.opensLinks
  setAsDefaultProtocolClient = note('app.setAsDefaultProtocolClient')
  setName = note('app.setName')
  setAppUserModelId = note('app.setAppUserModelId')
  setPath(name: string, path: string): void {
    if (!existsSync(path)) throw new Error(`Failed to set path: ${path} does not exist`)
    note('app.setPath')(name, path)
  }
  enableSandbox = note('app.enableSandbox')
  exit = note('app.exit')
  setAboutPanelOptions = note('app.setAboutPanelOptions')
  addRecentDocument = note('app.addRecentDocument')
  setUserTasks = note('app.setUserTasks')
  dock = { setMenu: note('dock.setMenu') }
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
  getPreferredSystemLanguages = (): readonly string[] => [world.locale]
  getPath = (_name: string): string => world.downloads
  async getFileIcon(path: string): Promise<object> {
    note('app.getFileIcon')(path)
    return { isEmpty: () => !world.fileIcons, of: path }
  }
  getSystemLocale = (): string => world.locale
}
export const app = new App()

let nextContents = 1

/** Web contents of a window, with handlers accessible to tests. */
export class WebContents extends EventEmitter {
  readonly id = nextContents++
  readonly sent: { readonly channel: string; readonly value: unknown }[] = []
  readonly handlers = new Map<string, (event: unknown, ...args: unknown[]) => unknown>()
  windowOpen: ((details: { url: string }) => { action: string }) | null = null
  destroyed = false
  ipc = {
    on: (channel: string, handler: (event: unknown, ...args: unknown[]) => unknown) =>
      void this.handlers.set(channel, handler),
  }
  send(channel: string, value: unknown): void {
    // Electron clones values in transit.
    this.sent.push({ channel, value: structuredClone(value) })
  }
  isDestroyed = (): boolean => this.destroyed
  url = ''
  getURL = (): string => this.url
  zoom = 0
  getZoomLevel = (): number => this.zoom
  setZoomLevel = (level: number): void => void (this.zoom = level)
  /** Whether its page refuses to close because it records. */
  stays = false
  /** Whether the page may unload: its own answer, unless a listener overrules it. */
  unloads(): boolean {
    if (!this.stays) return true
    const event = { prevented: false, preventDefault: () => void (event.prevented = true) }
    this.emit('will-prevent-unload', event)
    return event.prevented
  }
  reload(): void {
    if (!this.unloads()) return
    note('contents.reload')()
    this.emit('did-navigate')
  }
  setWindowOpenHandler(handler: (details: { url: string }) => { action: string }): void {
    this.windowOpen = handler
  }
  setWebRTCIPHandlingPolicy = note('contents.setWebRTCIPHandlingPolicy')
  replaceMisspelling = note('contents.replaceMisspelling')
  showDefinitionForSelection = note('contents.showDefinitionForSelection')
  forcefullyCrashRenderer(): void {
    note('contents.forcefullyCrashRenderer')()
    this.emit('render-process-gone', {}, { reason: 'killed', exitCode: 9 })
  }
  copyImageAt = note('contents.copyImageAt')
  get session(): Session {
    return session.defaultSession
  }
  setBackgroundThrottling = note('contents.setBackgroundThrottling')
  startDrag = note('contents.startDrag')
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
  static getAllWindows = (): readonly BrowserWindow[] =>
    BrowserWindow.all.filter(({ destroyed }) => !destroyed)
  static fromWebContents = (contents: WebContents): BrowserWindow | null =>
    BrowserWindow.all.find(({ webContents }) => webContents === contents) ?? null
  static getFocusedWindow = (): BrowserWindow | null =>
    BrowserWindow.getAllWindows().find(({ focused }) => focused) ?? null
  readonly options: Record<string, unknown>
  constructor(options: Record<string, unknown>) {
    super()
    this.options = options
    BrowserWindow.all.push(this)
    calls.push({ name: 'new BrowserWindow', args: [options] })
    app.emit('web-contents-created', {}, this.webContents)
    app.emit('browser-window-created', {}, this)
  }
  async loadURL(url: string): Promise<void> {
    this.loaded.push(url)
    this.webContents.url = url
    calls.push({ name: 'window.loadURL', args: [url] })
  }
  visible = false
  focused = false
  destroyed = false
  show(): void {
    note('window.show')()
    this.visible = true
    this.focused = true
    this.emit('show')
  }
  showInactive(): void {
    note('window.showInactive')()
    this.visible = true
    this.emit('show')
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
  /** Closes like the window's button: its page may refuse. */
  close(): void {
    note('window.close')()
    const event = { prevented: false, preventDefault: () => void (event.prevented = true) }
    this.emit('close', event)
    if (event.prevented || !this.webContents.unloads()) return
    this.destroyed = true
    this.emit('closed')
  }
  isDestroyed = (): boolean => this.destroyed
  isVisible = (): boolean => this.visible
  isFocused = (): boolean => this.focused
  setBounds = note('window.setBounds')
  setVisibleOnAllWorkspaces = note('window.setVisibleOnAllWorkspaces')
  focus(): void {
    note('window.focus')()
    for (const other of BrowserWindow.all) other.focused = other === this
    this.emit('focus')
  }
  restore = note('window.restore')
  maximize = note('window.maximize')
  setBackgroundColor = note('window.setBackgroundColor')
  progress = -1
  setProgressBar = (progress: number): void => void (this.progress = progress)
  isMinimized = (): boolean => this.minimized
  maximized = false
  fullScreen = false
  bounds = { x: 10, y: 20, width: 900, height: 700 }
  setFullScreen = note('window.setFullScreen')
  getBounds = (): object => this.bounds
  isMaximized = (): boolean => this.maximized
  isFullScreen = (): boolean => this.fullScreen
  getNormalBounds = (): object => this.bounds
}

export const webContents = {
  fromId: (id: number): WebContents | undefined =>
    BrowserWindow.all.find((window) => !window.destroyed && window.webContents.id === id)
      ?.webContents,
}

class Session extends EventEmitter {
  setSpellCheckerDictionaryDownloadURL = note('session.setSpellCheckerDictionaryDownloadURL')
  setSpellCheckerEnabled = note('session.setSpellCheckerEnabled')
  setSpellCheckerLanguages = note('session.setSpellCheckerLanguages')
  addWordToSpellCheckerDictionary = note('session.addWordToSpellCheckerDictionary')
  availableSpellCheckerLanguages: readonly string[] = ['en-US', 'en-GB', 'de']
  setPermissionRequestHandler = note('session.setPermissionRequestHandler')
  setPermissionCheckHandler = note('session.setPermissionCheckHandler')
  setDevicePermissionHandler = note('session.setDevicePermissionHandler')
  setDisplayMediaRequestHandler = note('session.setDisplayMediaRequestHandler')
  webRequest: { onBeforeRequest(...args: never[]): void } = {
    onBeforeRequest: note('session.webRequest.onBeforeRequest'),
  }
  resolveProxy = async (): Promise<string> => world.proxy
}
/** A separate session, accessible to tests. */
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
  buildFromTemplate: (template: readonly unknown[]): unknown =>
    Object.assign([...template], { popup: note('menu.popup') }),
}
class NativeTheme extends EventEmitter {
  themeSource = 'system'
  get shouldUseDarkColorsForSystemIntegratedUI(): boolean {
    return world.dark
  }
  get shouldUseDarkColors(): boolean {
    return world.dark
  }
}
export const nativeTheme = new NativeTheme()
export const autoUpdater = new EventEmitter()
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
export class Tray extends EventEmitter {
  static last: Tray | null = null
  constructor(image: unknown) {
    super()
    Tray.last = this
    calls.push({ name: 'new Tray', args: [image] })
  }
  setImage = note('tray.setImage')
  setToolTip = note('tray.setToolTip')
  setTitle = note('tray.setTitle')
  setContextMenu = note('tray.setContextMenu')
}
/** A system notification; tests click on those in {@link Notification.all}. */
export class Notification extends EventEmitter {
  static readonly all: Notification[] = []
  static isSupported = (): boolean => world.notices
  readonly options: Record<string, unknown>
  constructor(options: Record<string, unknown>) {
    super()
    this.options = options
  }
  show(): void {
    Notification.all.push(this)
    note('notification.show')(this.options)
  }
  close(): void {
    note('notification.close')()
    this.emit('close')
  }
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
  getDisplayMatching: () => world.displays[0],
}
export const clipboard = { writeText: note('clipboard.writeText') }
export const shell = {
  openExternal: async (url: string): Promise<void> => note('shell.openExternal')(url),
  showItemInFolder: note('shell.showItemInFolder'),
  openPath: async (path: string): Promise<string> => {
    note('shell.openPath')(path)
    return world.pathTrouble
  },
}
export const dialog = {
  showErrorBox: note('dialog.showErrorBox'),
  async showSaveDialog(...args: unknown[]): Promise<{ canceled: boolean; filePath: string }> {
    note('dialog.showSaveDialog')(...args)
    return { canceled: world.chosenPath === '', filePath: world.chosenPath }
  },
  async showOpenDialog(...args: unknown[]): Promise<{ canceled: boolean; filePaths: string[] }> {
    note('dialog.showOpenDialog')(...args)
    const canceled = world.chosenPath === ''
    return { canceled, filePaths: canceled ? [] : [world.chosenPath] }
  },
  async showMessageBox(...args: unknown[]): Promise<{ response: number }> {
    // The parent window, if any, is the argument before the options.
    note('dialog.showMessageBox')(args.at(-1), args.length === 2 ? args[0] : null)
    return { response: world.dialogAnswer }
  },
}
export const systemPreferences = {
  getMediaAccessStatus: (): string => world.microphone,
  async askForMediaAccess(kind: string): Promise<boolean> {
    note('systemPreferences.askForMediaAccess')(kind)
    return world.microphone === 'granted'
  },
}

class MessagePortMain extends EventEmitter {
  readonly #port: MessagePort
  constructor(port: MessagePort) {
    super()
    this.#port = port
    port.on('close', () => this.emit('close'))
  }
  postMessage = (message: unknown): void => this.#port.postMessage(message)
  start = (): void =>
    void this.#port.on('message', (data) => this.emit('message', { data, ports: [] }))
  close = (): void => this.#port.close()
}
export class MessageChannelMain {
  readonly port1: MessagePortMain
  readonly port2: MessagePortMain
  constructor() {
    const { port1, port2 } = new MessageChannel()
    this.port1 = new MessagePortMain(port1)
    this.port2 = new MessagePortMain(port2)
  }
}

/** The core, run in this process from its source, over a port made of two emitters. Messages are cloned as between processes. */
class UtilityProcess extends EventEmitter {
  readonly parent = Object.assign(new EventEmitter(), {
    postMessage: (message: unknown): void => {
      const data: unknown = structuredClone(message)
      setImmediate(() => this.emit('message', data))
    },
  })
  postMessage(message: unknown, ports: readonly unknown[] = []): void {
    const data: unknown = structuredClone(message)
    // As in Electron, messages wait until the other side listens.
    const deliver = (): void => {
      if (this.parent.listenerCount('message') === 0) setTimeout(deliver, 1)
      else this.parent.emit('message', { data, ports })
    }
    setImmediate(deliver)
  }
  kill(): boolean {
    note('core.kill')()
    return true
  }
}
export const utilityProcess = {
  fork(path: string, args: readonly string[], options: object): UtilityProcess {
    calls.push({ name: 'utilityProcess.fork', args: [path, args, options] })
    const child = new UtilityProcess()
    Object.defineProperty(process, 'parentPort', { value: child.parent, configurable: true })
    // The built core next to a built entry; next to the sources there is none.
    void (existsSync(path)
      ? import(pathToFileURL(path).href)
      : import('../../../../src/main/hosts/core/index.ts'))
    return child
  },
}

/** Waits until all work that is already due has run. */
export const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20))
