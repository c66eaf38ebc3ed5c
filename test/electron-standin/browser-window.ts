import { command, reportEvent } from './control.ts'
import { nativeTheme, primaryArea } from './desktop.ts'
import { ElectronEvent, refused, StrictEmitter } from './strict.ts'
import { roles } from './surface.ts'
import { allContents, WebContents } from './web-contents.ts'

type Bounds = Electron.Rectangle

/** Events of the window list for the app (`shell/browser/window_list.cc`). */
export interface WindowWatch {
  allClosed(): void
  closeCancelled(): void
}

const windows: BrowserWindow[] = []
let watch: WindowWatch = { allClosed: () => {}, closeCancelled: () => {} }
let focused: BrowserWindow | null = null
let lastId = 0

/** Sets the observer of the window list. */
export function watchWindows(next: WindowWatch): void {
  watch = next
}

/** Whether hidden windows paint immediately, or (`wayland`) only after they are shown (electron/electron issues 48859, 54090). */
const paintsHidden = process.env['STANDIN_DISPLAY'] !== 'wayland'

const setFocused = (window: BrowserWindow): void => {
  focused = window
}

/** `BrowserWindow` (`shell/browser/native_window.cc`, `shell/browser/api/electron_api_browser_window.cc`). */
export class BrowserWindow extends StrictEmitter {
  readonly id = ++lastId
  readonly webContents: WebContents
  private readonly options: Electron.BrowserWindowConstructorOptions
  private bounds: Bounds
  private normal: Bounds
  private state = {
    visible: false,
    minimized: false,
    maximized: false,
    fullScreen: false,
    destroyed: false,
    painted: false,
    readyToShow: false,
  }
  private title: string

  constructor(options: Electron.BrowserWindowConstructorOptions = {}) {
    super()
    this.options = options
    this.title = options.title ?? 'Electron'
    const area = primaryArea()
    const width = options.width ?? 800
    const height = options.height ?? 600
    this.bounds = {
      width,
      height,
      x: options.x ?? area.x + Math.round((area.width - width) / 2),
      y: options.y ?? area.y + Math.round((area.height - height) / 2),
    }
    this.normal = { ...this.bounds }
    this.webContents = new WebContents(options.webPreferences ?? {}, {
      gone: () => this.closeNow(),
      fullScreen: (full) => this.setFullScreen(full),
      size: () => this.bounds,
    })
    windows.push(this)
    this.webContents.on('-painted', () => {
      this.state.painted = true
      this.readyToShow()
    })
    // A page that wants to stay cancels the close request (`BeforeUnloadDialogCancelled`).
    this.webContents.on('-stayed', () => watch.closeCancelled())
    this.webContents.on('page-title-updated', (_event: unknown, title: string) => {
      if (!refused(this, 'page-title-updated', {}, title, true)) this.title = title
    })
    if (options.show !== false) this.show()
  }

  static getAllWindows(): BrowserWindow[] {
    return [...windows]
  }
  static getFocusedWindow(): BrowserWindow | null {
    return focused
  }
  static fromId(id: number): BrowserWindow | null {
    return windows.find((window) => window.id === id) ?? null
  }
  static fromWebContents(contents: unknown): BrowserWindow | null {
    return windows.find((window) => window.webContents === contents) ?? null
  }

  private alive(): void {
    if (this.state.destroyed) throw new TypeError('Object has been destroyed')
  }

  private readyToShow(): void {
    const { painted, visible, readyToShow, destroyed } = this.state
    if (readyToShow || destroyed || !painted || !(visible || paintsHidden)) return
    this.state.readyToShow = true
    this.emit('ready-to-show', {})
  }

  loadURL(url: string, options?: Electron.LoadURLOptions): Promise<void> {
    this.alive()
    return this.webContents.loadURL(url, options)
  }
  reload(): void {
    this.webContents.reload()
  }

  show(): void {
    this.showInactive()
    this.focus()
  }
  showInactive(): void {
    this.alive()
    if (this.state.visible) return
    this.state.visible = true
    this.emit('show', new ElectronEvent())
    reportEvent('shown', { id: this.webContents.id })
    this.readyToShow()
  }
  hide(): void {
    this.alive()
    if (!this.state.visible) return
    this.state.visible = false
    this.blur()
    this.emit('hide', new ElectronEvent())
    reportEvent('hidden', { id: this.webContents.id })
  }
  isVisible(): boolean {
    this.alive()
    return this.state.visible && !this.state.minimized
  }
  focus(): void {
    this.alive()
    if (!this.state.visible || focused === this) return
    focused?.lose()
    setFocused(this)
    this.emit('focus', new ElectronEvent())
  }
  blur(): void {
    if (focused === this) this.lose()
  }
  private lose(): void {
    focused = null
    this.emit('blur', new ElectronEvent())
  }
  isFocused(): boolean {
    return focused === this
  }
  moveTop(): void {}

  minimize(): void {
    this.state.minimized = true
    this.blur()
    this.emit('minimize', new ElectronEvent())
  }
  isMinimized(): boolean {
    return this.state.minimized
  }
  restore(): void {
    this.state.minimized = false
    this.emit('restore', new ElectronEvent())
  }
  /** Also shows a hidden window (`NativeWindowViews::Maximize`). */
  maximize(): void {
    if (!this.state.visible) this.show()
    if (this.state.maximized) return
    this.normal = { ...this.bounds }
    this.state.maximized = true
    this.place(primaryArea())
    this.emit('maximize', new ElectronEvent())
  }
  unmaximize(): void {
    if (!this.state.maximized) return
    this.state.maximized = false
    this.place(this.normal)
    this.emit('unmaximize', new ElectronEvent())
  }
  isMaximized(): boolean {
    return this.state.maximized
  }
  setFullScreen(full: boolean): void {
    if (this.state.fullScreen === full || this.state.destroyed) return
    this.state.fullScreen = full
    this.emit(full ? 'enter-full-screen' : 'leave-full-screen', new ElectronEvent())
    reportEvent('full-screen', { id: this.webContents.id, full })
  }
  isFullScreen(): boolean {
    return this.state.fullScreen
  }
  isNormal(): boolean {
    const { maximized, minimized, fullScreen } = this.state
    return !maximized && !minimized && !fullScreen
  }

  private place(bounds: Bounds): void {
    const moved = bounds.x !== this.bounds.x || bounds.y !== this.bounds.y
    const resized = bounds.width !== this.bounds.width || bounds.height !== this.bounds.height
    this.bounds = { ...bounds }
    if (moved) this.emit('move', new ElectronEvent())
    if (!resized) return
    this.emit('resize', new ElectronEvent())
    void this.webContents.resize()
  }
  setBounds(bounds: Partial<Bounds>): void {
    this.alive()
    this.place({ ...this.bounds, ...bounds })
    if (!this.state.maximized) this.normal = { ...this.bounds }
  }
  getBounds(): Bounds {
    this.alive()
    return { ...this.bounds }
  }
  getContentBounds(): Bounds {
    return this.getBounds()
  }
  getNormalBounds(): Bounds {
    this.alive()
    return { ...(this.state.maximized ? this.normal : this.bounds) }
  }
  setSize(width: number, height: number): void {
    this.setBounds({ width, height })
  }
  setPosition(x: number, y: number): void {
    this.setBounds({ x, y })
  }
  center(): void {}

  setTitle(title: string): void {
    this.title = title
  }
  getTitle(): string {
    return this.title
  }
  setBackgroundColor(color: string): void {
    reportEvent('background-color', { id: this.webContents.id, color })
  }
  setIcon(_icon: unknown): void {}
  setMenu(_menu: unknown): void {}
  setMenuBarVisibility(_visible: boolean): void {}
  setAutoHideMenuBar(_hide: boolean): void {}
  setVisibleOnAllWorkspaces(
    visible: boolean,
    options: Electron.VisibleOnAllWorkspacesOptions = {},
  ): void {
    reportEvent('all-workspaces', { id: this.webContents.id, visible, ...options })
  }
  setAlwaysOnTop(flag: boolean): void {
    reportEvent('always-on-top', { id: this.webContents.id, flag })
  }
  setProgressBar(progress: number, options?: Electron.ProgressBarOptions): void {
    reportEvent('progress-bar', { id: this.webContents.id, progress, ...options })
  }
  setOverlayIcon(_icon: unknown, description: string): void {
    reportEvent('overlay-icon', { description })
  }
  flashFrame(flag: boolean): void {
    reportEvent('flash', { id: this.webContents.id, flag })
  }
  setRepresentedFilename(_name: string): void {}
  setDocumentEdited(_edited: boolean): void {}
  setContentProtection(_enable: boolean): void {}
  isEnabled(): boolean {
    return !this.state.destroyed
  }
  isDestroyed(): boolean {
    return this.state.destroyed
  }

  /** Like the close button: asks the app, then the page (`NativeWindow::NotifyWindowCloseButtonClicked`). */
  close(): void {
    if (this.state.destroyed) return
    if (refused(this, 'close', {})) return watch.closeCancelled()
    // `OnCloseButtonClicked` counts as a user activation, without which no page may ask to stay.
    void this.webContents.executeJavaScript('0', true).catch(() => {})
    this.webContents.closeWithPrompt()
  }

  /** Destroys the window without confirmation: emits only `closed` (`BaseWindow::Destroy`, `CloseImmediately`). */
  destroy(): void {
    this.webContents.destroy()
  }

  private closeNow(): void {
    if (this.state.destroyed) return
    this.state.destroyed = true
    if (focused === this) focused = null
    windows.splice(windows.indexOf(this), 1)
    this.emit('closed', {})
    reportEvent('closed', { id: this.webContents.id })
    if (windows.length === 0) watch.allClosed()
  }
}

const ofFocused = (role: string, act: (window: BrowserWindow) => void): unknown =>
  roles.set(role, () => {
    if (focused) act(focused)
  })
ofFocused('close', (window) => window.close())
ofFocused('minimize', (window) => window.minimize())
ofFocused('reload', ({ webContents }) => webContents.reload())
ofFocused('forcereload', ({ webContents }) => webContents.reloadIgnoringCache())
ofFocused('toggledevtools', ({ webContents }) => webContents.toggleDevTools())
ofFocused('togglefullscreen', (window) => window.setFullScreen(!window.isFullScreen()))
ofFocused('resetzoom', ({ webContents }) => webContents.setZoomLevel(0))
ofFocused('zoomin', ({ webContents }) => webContents.setZoomLevel(webContents.getZoomLevel() + 0.5))
ofFocused('zoomout', ({ webContents }) =>
  webContents.setZoomLevel(webContents.getZoomLevel() - 0.5),
)
for (const edit of ['undo', 'redo', 'cut', 'copy', 'paste'] as const)
  ofFocused(edit, ({ webContents }) => webContents[edit]())
ofFocused('selectall', ({ webContents }) => webContents.selectAll())

const windowOf = (id: number): BrowserWindow => {
  const found = windows.find((window) => window.webContents.id === id)
  if (!found) throw new Error(`There is no window ${id}`)
  return found
}

command('windows', () =>
  windows.map((window) => ({
    id: window.webContents.id,
    targetId: window.webContents.targetId,
    url: window.webContents.getURL(),
    title: window.getTitle(),
    bounds: window.getBounds(),
    visible: window.isVisible(),
    focused: window.isFocused(),
    maximized: window.isMaximized(),
    fullScreen: window.isFullScreen(),
    crashed: window.webContents.isCrashed(),
    zoom: window.webContents.getZoomFactor(),
  })),
)
command('window.close', (id: number) => windowOf(id).close())
command('window.bounds', (id: number, bounds: Partial<Bounds>) => windowOf(id).setBounds(bounds))
command('window.maximize', (id: number) => windowOf(id).maximize())
command('window.minimize', (id: number) => windowOf(id).minimize())
command('window.focus', (id: number) => windowOf(id).focus())
command('window.blur', (id: number) => windowOf(id).blur())
command('window.crash', async (id: number) => {
  const target = await windowOf(id).webContents.target
  target.sendIgnoringErrors('Page.crash')
})
command('window.unresponsive', (id: number) => windowOf(id).emit('unresponsive'))
command('window.context-menu', (id: number, params: object) => {
  const { webContents } = windowOf(id)
  webContents.emit('context-menu', new ElectronEvent({ ...params }), {
    frame: webContents.mainFrame,
    ...params,
  })
})
nativeTheme.on('updated', () => {
  const features = [
    { name: 'prefers-color-scheme', value: nativeTheme.shouldUseDarkColors ? 'dark' : 'light' },
  ]
  for (const contents of allContents())
    void contents.target.then(
      (target) => target.sendIgnoringErrors('Emulation.setEmulatedMedia', { features }),
      () => {},
    )
})
