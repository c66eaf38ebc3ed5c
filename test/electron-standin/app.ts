import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { theBrowser, useBrowser } from './browser.ts'
import { BrowserWindow, watchWindows } from './browser-window.ts'
import { command, reportEvent } from './control.ts'
import { watchDownloads } from './downloads.ts'
import { sessionOf, reportSessions } from './session.ts'
import { acquireInstance, type LaterLaunch } from './single-instance.ts'
import { ElectronEvent, refused, StrictEmitter, strict } from './strict.ts'
import { nativeImage, roles } from './surface.ts'
import { reportCreated } from './web-contents.ts'

type PathName = Parameters<Electron.App['getPath']>[0]

const root = resolve(import.meta.dirname, '..', '..')
const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  name: string
  version: string
}

/** `app` (`shell/browser/browser.cc`, `shell/browser/api/electron_api_app.cc`, `lib/browser/api/app.ts`). */
export class App extends StrictEmitter {
  name: string = name
  readonly commandLine = strict({
    appendSwitch: (key: string, value?: string) => reportEvent('switch', { key, value }),
    appendArgument: (value: string) => reportEvent('argument', { value }),
    hasSwitch: (key: string) =>
      process.argv.some((arg) => arg === `--${key}` || arg.startsWith(`--${key}=`)),
    getSwitchValue: (key: string) =>
      process.argv.find((arg) => arg.startsWith(`--${key}=`))?.split('=')[1] ?? '',
    removeSwitch: (key: string) => reportEvent('switch-removed', { key }),
  })
  private readonly paths = new Map<string, string>()
  private readonly ready = Promise.withResolvers<void>()
  private state = {
    ready: false,
    quitting: false,
    exiting: false,
    shutdown: false,
    exitCode: 0,
    locked: false,
  }

  constructor() {
    super()
    watchWindows({
      allClosed: () => this.allClosed(),
      closeCancelled: () => (this.state.quitting = false),
    })
    reportSessions((session) => this.emit('session-created', session))
    reportCreated((contents) => this.emit('web-contents-created', {}, contents))
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
      process.on(signal, () => this.quit())
    // Electron quits automatically only if there is no listener (`lib/browser/init.ts`).
    this.on('window-all-closed', () => {
      if (this.listenerCount('window-all-closed') === 1) this.quit()
    })
  }

  get isPackaged(): boolean {
    return false
  }
  isReady(): boolean {
    return this.state.ready
  }
  whenReady(): Promise<void> {
    return this.ready.promise
  }
  getName(): string {
    return this.name
  }
  setName(next: string): void {
    this.name = next
  }
  getVersion(): string {
    return version
  }
  getAppPath(): string {
    return root
  }
  getLocale(): string {
    return process.env['STANDIN_LOCALE'] ?? 'en-US'
  }
  getSystemLocale(): string {
    return this.getLocale()
  }
  getPreferredSystemLanguages(): string[] {
    return [this.getLocale()]
  }
  getLocaleCountryCode(): string {
    return this.getLocale().split('-')[1] ?? 'US'
  }
  setPath(key: string, path: string): void {
    if (this.state.ready && (key === 'userData' || key === 'sessionData'))
      throw new Error(`${key} was set after ready`)
    this.paths.set(key, path)
  }
  getPath(key: PathName): string {
    const set = this.paths.get(key)
    if (set !== undefined) return set
    const defaults: Partial<Record<PathName, string>> = {
      home: homedir(),
      appData: join(homedir(), '.config'),
      userData: join(homedir(), '.config', this.name),
      sessionData: this.paths.get('userData') ?? join(homedir(), '.config', this.name),
      temp: tmpdir(),
      exe: process.execPath,
      module: process.execPath,
      desktop: join(homedir(), 'Desktop'),
      documents: join(homedir(), 'Documents'),
      downloads: join(homedir(), 'Downloads'),
      logs: join(this.getPath('userData'), 'logs'),
      crashDumps: join(this.getPath('userData'), 'Crashpad'),
    }
    const found = defaults[key]
    if (found === undefined) throw new Error(`Failed to get '${key}' path`)
    return found
  }

  enableSandbox(): void {
    if (this.state.ready)
      throw new Error('app.enableSandbox() can only be called before app is ready')
    reportEvent('sandbox')
  }
  disableHardwareAcceleration(): void {
    if (this.state.ready)
      throw new Error('app.disableHardwareAcceleration() can only be called before app is ready')
  }
  setAppUserModelId(id: string): void {
    reportEvent('model-id', { id })
  }
  setAboutPanelOptions(_options: object): void {}
  showAboutPanel(): void {
    reportEvent('about')
  }
  async getFileIcon(_path: string): Promise<unknown> {
    return nativeImage.createFromPath('')
  }
  setBadgeCount(count = 0): boolean {
    reportEvent('badge', { count })
    return true
  }
  addRecentDocument(path: string): void {
    reportEvent('recent', { path })
  }
  clearRecentDocuments(): void {
    reportEvent('recent-cleared')
  }
  setUserTasks(tasks: object[]): boolean {
    reportEvent('user-tasks', tasks)
    return true
  }
  setJumpList(categories: object[] | null): string {
    reportEvent('jump-list', categories)
    return 'ok'
  }
  setAsDefaultProtocolClient(protocol: string): boolean {
    reportEvent('protocol-client', { protocol })
    return true
  }
  isDefaultProtocolClient(_protocol: string): boolean {
    return false
  }
  removeAsDefaultProtocolClient(_protocol: string): boolean {
    return true
  }
  setLoginItemSettings(settings: object): void {
    reportEvent('login-item', { ...settings })
  }
  getLoginItemSettings(): object {
    return {
      openAtLogin: false,
      wasOpenedAtLogin: false,
      executableWillLaunchAtLogin: false,
      launchItems: [],
      status: 'not-registered',
    }
  }
  getAppMetrics(): object[] {
    return []
  }
  getGPUFeatureStatus(): object {
    return {}
  }
  isAccessibilitySupportEnabled(): boolean {
    return false
  }
  focus(): void {
    BrowserWindow.getAllWindows()[0]?.focus()
  }
  show(): void {}
  hide(): void {}
  get dock(): unknown {
    return process.platform === 'darwin'
      ? strict({
          setMenu: (_menu: unknown) => {},
          bounce: () => 0,
          show: async () => {},
          hide: () => {},
          setBadge: (_text: string) => {},
          setIcon: (_icon: unknown) => {},
        })
      : undefined
  }

  requestSingleInstanceLock(data?: unknown): boolean {
    if (this.state.locked) return true
    const launch: LaterLaunch = { argv: process.argv, folder: process.cwd(), data }
    this.state.locked = acquireInstance(this.getPath('userData'), launch, (later) =>
      this.later(later),
    )
    return this.state.locked
  }
  hasSingleInstanceLock(): boolean {
    return this.state.locked
  }
  releaseSingleInstanceLock(): void {
    this.state.locked = false
  }
  /** Reports a launch during the start when the app is ready (`App::NotificationCallback`). */
  later({ argv, folder, data }: LaterLaunch): void {
    void this.whenReady().then(() => this.emit('second-instance', {}, [...argv], folder, data))
  }

  /**
   * Starts the engine, once the app's code is loaded (`lib/browser/init.ts`, `ElectronBrowserMainParts::PreMainMessageLoopRun`).
   */
  async start(): Promise<void> {
    if (this.state.shutdown) return this.end()
    const running = await useBrowser(this.getPath('sessionData'), await sessionOf('').port)
    await watchDownloads(running.connection.browser)
    this.emit('will-finish-launching')
    this.state.ready = true
    this.ready.resolve()
    this.emit('ready', {}, {})
    reportEvent('ready')
    const { connection } = await theBrowser()
    // Without its browser nothing of an app is left, unless it is already ending.
    connection.browser.once('closed', () => {
      if (!this.state.shutdown) process.exit(1)
    })
  }

  /** `Browser::Quit` */
  quit(): void {
    if (this.state.quitting) return
    reportEvent('quit-asked')
    this.state.quitting = !refused(this, 'before-quit', {})
    if (!this.state.quitting) return
    const windows = BrowserWindow.getAllWindows()
    if (windows.length === 0) return this.notifyAndShutdown()
    for (const window of windows) window.close()
  }

  /** `Browser::ExitWithCode`: windows are destroyed without confirmation, and `will-quit` is not emitted. */
  exit(code = 0): void {
    this.state.exitCode = code
    if (!this.state.ready) process.exit(code)
    this.state.quitting = true
    this.state.exiting = true
    const windows = BrowserWindow.getAllWindows()
    if (windows.length === 0) return this.shutdown()
    for (const window of windows) window.destroy()
  }

  relaunch(options: object = {}): void {
    reportEvent('relaunch', { ...options })
  }

  private allClosed(): void {
    if (this.state.exiting) this.shutdown()
    else if (this.state.quitting) this.notifyAndShutdown()
    else this.emit('window-all-closed')
  }

  private notifyAndShutdown(): void {
    if (this.state.shutdown) return
    if (refused(this, 'will-quit', {})) this.state.quitting = false
    else this.shutdown()
  }

  private shutdown(): void {
    if (this.state.shutdown) return
    this.state.shutdown = true
    this.state.quitting = true
    this.emit('quit', new ElectronEvent(), this.state.exitCode)
    reportEvent('quit', { code: this.state.exitCode })
    if (this.state.ready) setImmediate(() => void this.end())
  }

  private async end(): Promise<void> {
    if (this.state.ready) {
      const { connection, process: program } = await theBrowser()
      const closed = program.exitCode === null ? once(program, 'exit') : null
      connection.browser.sendIgnoringErrors('Browser.close')
      await Promise.race([closed, new Promise((done) => setTimeout(done, 5000))])
    }
    process.exit(this.state.exitCode)
  }
}

/** `app` of Electron. */
export const app = new App()

roles.set('quit', () => app.quit())
roles.set('about', () => app.showAboutPanel())
command('app.quit', () => app.quit())
command('app.second-instance', (argv: readonly string[], folder: string) =>
  app.later({ argv, folder, data: undefined }),
)
command('app.open-file', (path: string) => refused(app, 'open-file', {}, path))
command('app.open-url', (url: string) => refused(app, 'open-url', {}, url))
command('app.activate', () => app.emit('activate', {}, BrowserWindow.getAllWindows().length > 0))
command('app.path', (key: PathName) => dirname(join(app.getPath(key), 'x')))
