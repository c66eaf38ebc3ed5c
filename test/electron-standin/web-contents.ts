import { randomBytes } from 'node:crypto'
import { fromPage, toPage } from './addresses.ts'
import { theBrowser } from './browser.ts'
import type { CdpSession } from './cdp.ts'
import { reportEvent } from './control.ts'
import { IpcMain, PageLink } from './ipc.ts'
import { watchFiles } from './file-paths.ts'
import { watchLoading } from './loading.ts'
import { isolatedWorld, mainWorldScript, preloadScript, type PageSecret } from './page-scripts.ts'
import type { MessagePortMain } from './ports.ts'
import { printToPdf } from './print.ts'
import { sessionOf, type Session } from './session.ts'
import { ElectronEvent, refused, StrictEmitter } from './strict.ts'

type OpenHandler = Parameters<Electron.WebContents['setWindowOpenHandler']>[0]

/**
 * The top frame, reported as sender of messages and requester of captures
 * (`shell/browser/api/electron_api_web_frame_main.cc`).
 */
class TopFrame extends StrictEmitter {
  readonly parent = null
  readonly name = ''
  readonly frames: readonly TopFrame[] = []
  readonly processId = 1
  readonly routingId = 1
  readonly frameTreeNodeId: number
  private readonly contents: WebContents
  constructor(contents: WebContents) {
    super()
    this.contents = contents
    this.frameTreeNodeId = contents.id
  }
  send(channel: string, ...args: unknown[]): void {
    this.contents.send(channel, ...args)
  }
  postMessage(channel: string, message: unknown, transfer?: readonly MessagePortMain[]): void {
    this.contents.postMessage(channel, message, transfer)
  }
  executeJavaScript(code: string, userGesture?: boolean): Promise<unknown> {
    return this.contents.executeJavaScript(code, userGesture)
  }
  isDestroyed(): boolean {
    return this.contents.isDestroyed()
  }
  get url(): string {
    return this.contents.getURL()
  }
  get origin(): string {
    return /^[a-z][\w+.-]*:\/\/[^/?#]*/.exec(this.url)?.[0] ?? 'null'
  }
  get top(): TopFrame {
    return this
  }
  get detached(): boolean {
    return this.contents.isDestroyed()
  }
}

/** Callbacks from a page to its window. */
export interface ContentsOwner {
  /** Called when the contents are destroyed; the window closes immediately. */
  gone(): void
  fullScreen(full: boolean): void
  /** Returns the size of the page in device-independent pixels. */
  size(): { readonly width: number; readonly height: number }
}

const all = new Map<number, WebContents>()
// The listener type of EventEmitter.
type Listener = Parameters<WebContents['on']>[1]

let lastId = 0
let onCreated = (_contents: WebContents): void => {}

/** Registers a callback for all created web contents (`app`'s `web-contents-created`). */
export function reportCreated(created: (contents: WebContents) => void): void {
  onCreated = created
}

/** All living web contents. */
export const allContents = (): readonly WebContents[] => [...all.values()]

/** A page of a window (`shell/browser/api/electron_api_web_contents.cc`, `lib/browser/api/web-contents.ts`): one target of the browser. */
export class WebContents extends StrictEmitter {
  readonly id = ++lastId
  readonly session: Session
  readonly ipc = new IpcMain()
  readonly mainFrame: TopFrame
  readonly preferences: Electron.WebPreferences
  readonly owner: ContentsOwner
  /** DevTools protocol session of the page, once its target is ready. */
  readonly target: Promise<CdpSession>
  targetId = ''
  openHandler: OpenHandler | null = null
  readonly link: PageLink
  private state = { destroyed: false, url: '', title: '', crashed: false, zoom: 1 }

  constructor(preferences: Electron.WebPreferences, owner: ContentsOwner) {
    super()
    this.preferences = preferences
    this.owner = owner
    this.session =
      (preferences.session as unknown as Session | undefined) ??
      sessionOf(preferences.partition ?? '')
    const secret = this.secret()
    this.link = new PageLink(this, secret, {
      'window.close': () => this.closeContents(),
      permission: (name: string, details: object) => this.session.permission(this, name, details),
      'permission-check': (name: string) => this.session.permissionCheck(this, name),
      'display-media': (request: Parameters<Session['capture']>[1]) =>
        this.session.capture(this, request),
      'page-notification': (notice: object) => reportEvent('page-notification', notice),
      fullscreen: (full: boolean) => this.owner.fullScreen(full),
    })
    this.mainFrame = new TopFrame(this)
    all.set(this.id, this)
    this.target = this.open(secret)
    this.target.catch((error: unknown) => {
      if (!this.state.destroyed) reportEvent('error', { error: String(error) })
    })
    onCreated(this)
  }

  private secret(): PageSecret {
    const name = (): string => `_${randomBytes(12).toString('hex')}`
    return { events: name(), binding: name(), entry: name() }
  }

  private async open(secret: PageSecret): Promise<CdpSession> {
    const { connection } = await theBrowser()
    const browserContextId = await this.session.contextId
    const { targetId } = await connection.browser.send<{ targetId: string }>(
      'Target.createTarget',
      {
        url: 'about:blank',
        newWindow: true,
        ...(browserContextId !== undefined && { browserContextId }),
      },
    )
    this.targetId = targetId
    const target = await connection.attach(targetId)
    target.on('detached', () => this.destroy())
    target.on('Runtime.bindingCalled', (call: { name: string; payload: string }) => {
      if (call.name === secret.binding) this.link.receive(call.payload)
    })
    target.on(
      'Runtime.executionContextCreated',
      ({ context }: { context: { id: number; name: string; auxData: { frameId: string } } }) => {
        // Frames have such a world as well; the top frame has the ID of its target.
        const ofPage = context.name === isolatedWorld && context.auxData.frameId === targetId
        if (ofPage) this.link.enter(target, context.id)
      },
    )
    target.on('Runtime.executionContextsCleared', () => this.link.leave())
    watchFiles(target)
    await Promise.all([
      target.send('Page.enable'),
      target.send('Runtime.enable'),
      target.send('Inspector.enable'),
      target.send('Debugger.enable'),
      target.send('Page.setLifecycleEventsEnabled', { enabled: true }),
      target.send('Runtime.addBinding', {
        name: secret.binding,
        executionContextName: isolatedWorld,
      }),
      target.send('Page.addScriptToEvaluateOnNewDocument', { source: mainWorldScript(secret) }),
      target.send('Page.addScriptToEvaluateOnNewDocument', {
        source: preloadScript(secret, this.preferences.preload),
        worldName: isolatedWorld,
      }),
      // Also for dates and numbers (`ElectronBrowserMainParts::PreCreateMainMessageLoop` sets ICU's locale).
      target.send('Emulation.setLocaleOverride', {
        locale: process.env['STANDIN_LOCALE'] ?? 'en-US',
      }),
    ])
    // Last: Chromium sometimes never answers the others when scripts are disabled meanwhile.
    if (this.preferences.javascript === false)
      await target.send('Emulation.setScriptExecutionDisabled', { value: true })
    await watchLoading(this, target, this.state)
    await this.resize(target)
    reportEvent('window', { id: this.id, targetId })
    return target
  }

  /** Sets the page's size and zoom to those of the window. */
  async resize(target?: CdpSession): Promise<void> {
    const session = target ?? (await this.target.catch(() => null))
    const { width, height } = this.owner.size()
    const { zoom } = this.state
    session?.sendIgnoringErrors('Emulation.setDeviceMetricsOverride', {
      width: Math.round(width / zoom),
      height: Math.round(height / zoom),
      deviceScaleFactor: zoom,
      mobile: false,
    })
  }

  send(channel: string, ...args: unknown[]): void {
    if (typeof channel !== 'string') throw new TypeError('Missing required channel argument')
    this.link.send(channel, args)
  }

  postMessage(channel: string, message: unknown, transfer: readonly MessagePortMain[] = []): void {
    this.link.postMessage(channel, message, transfer)
  }

  isDestroyed(): boolean {
    return this.state.destroyed
  }

  isCrashed(): boolean {
    return this.state.crashed
  }

  getURL(): string {
    return fromPage(this.state.url)
  }

  getTitle(): string {
    return this.state.title
  }

  /**
   * `lib/browser/api/web-contents.ts`: resolves when the page has loaded, rejects when that failed or the contents were
   * destroyed.
   */
  loadURL(url: string, _options?: Electron.LoadURLOptions): Promise<void> {
    const loaded = new Promise<void>((resolve, reject) => {
      const done = (end: () => void): void => {
        for (const [name, listener] of listeners) this.removeListener(name, listener)
        end()
      }
      const fail = (code: string, number: number): void =>
        done(() =>
          reject(
            Object.assign(new Error(`${code} (${number}) loading '${url}'`), {
              code,
              errno: number,
              url,
            }),
          ),
        )
      const listeners: readonly (readonly [string, Listener])[] = [
        ['did-finish-load', () => done(resolve)],
        ['did-navigate-in-page', () => done(resolve)],
        ['did-fail-load', (_event: unknown, number: number, code: string) => fail(code, number)],
        ['destroyed', () => fail('ERR_FAILED', -2)],
      ]
      for (const [name, listener] of listeners) this.on(name, listener)
    })
    loaded.catch(() => {})
    void this.target.then(
      () => this.emit('-load', toPage(url)),
      () => {},
    )
    return loaded
  }

  reload(): void {
    this.emit('-reload', false)
  }

  reloadIgnoringCache(): void {
    this.emit('-reload', true)
  }

  async executeJavaScript(code: string, userGesture = false): Promise<unknown> {
    const target = await this.target
    const { result, exceptionDetails } = await target.send<{
      result: { value?: unknown }
      exceptionDetails?: { text: string }
    }>('Runtime.evaluate', {
      expression: code,
      userGesture,
      awaitPromise: true,
      returnByValue: true,
    })
    if (exceptionDetails) throw new Error(exceptionDetails.text)
    return result.value
  }

  printToPDF(options: Electron.PrintToPDFOptions): Promise<Buffer> {
    return printToPdf(this.target, options)
  }

  setWindowOpenHandler(handler: OpenHandler): void {
    this.openHandler = handler
  }

  setBackgroundThrottling(allowed: boolean): void {
    reportEvent('background-throttling', { id: this.id, allowed })
  }

  setWebRTCIPHandlingPolicy(policy: string): void {
    reportEvent('webrtc-policy', { policy })
  }

  get zoomFactor(): number {
    return this.state.zoom
  }

  set zoomFactor(factor: number) {
    this.setZoomFactor(factor)
  }

  /** Chromium's zoom levels are powers of 1.2 (`blink::ZoomLevelToZoomFactor`). */
  get zoomLevel(): number {
    return Math.round((Math.log(this.state.zoom) / Math.log(1.2)) * 100) / 100
  }

  set zoomLevel(level: number) {
    this.setZoomFactor(1.2 ** level)
  }

  getZoomFactor(): number {
    return this.state.zoom
  }

  getZoomLevel(): number {
    return this.zoomLevel
  }

  setZoomLevel(level: number): void {
    this.setZoomFactor(1.2 ** level)
  }

  setZoomFactor(factor: number): void {
    if (!(factor > 0)) throw new Error("'zoomFactor' must be a double greater than 0.0")
    this.state.zoom = factor
    void this.resize()
  }

  /** Runs an edit command of a menu role or of the context menu. */
  private edit(name: string): void {
    void this.target.then(
      (target) =>
        target.sendIgnoringErrors('Input.dispatchKeyEvent', {
          type: 'rawKeyDown',
          commands: [name],
        }),
      () => {},
    )
  }

  undo(): void {
    this.edit('undo')
  }
  redo(): void {
    this.edit('redo')
  }
  cut(): void {
    this.edit('cut')
  }
  copy(): void {
    this.edit('copy')
  }
  paste(): void {
    this.edit('paste')
  }
  selectAll(): void {
    this.edit('selectAll')
  }
  pasteAndMatchStyle(): void {
    this.edit('pasteAndMatchStyle')
  }
  delete(): void {
    this.edit('delete')
  }
  replaceMisspelling(text: string): void {
    reportEvent('replace-misspelling', { text })
  }
  copyImageAt(x: number, y: number): void {
    reportEvent('copy-image', { x, y })
  }
  showDefinitionForSelection(): void {
    reportEvent('look-up', {})
  }
  toggleDevTools(): void {
    reportEvent('dev-tools', {})
  }
  openDevTools(): void {
    reportEvent('dev-tools', {})
  }
  isDevToolsOpened(): boolean {
    return false
  }
  focus(): void {}
  isFocused(): boolean {
    return !this.state.destroyed
  }
  setAudioMuted(_muted: boolean): void {}
  getOSProcessId(): number {
    return process.pid
  }
  startDrag(item: Electron.Item): void {
    reportEvent('drag-out', { file: item.file, files: item.files })
  }

  /** Runs the page's `beforeunload` handlers and closes it (`WebContents::Close`, `DispatchBeforeUnload`). */
  closeWithPrompt(): void {
    void this.target.then(
      (target) => target.sendIgnoringErrors('Page.close'),
      () => {},
    )
  }

  /**
   * Handles a page that closes itself: emits `close` and destroys the contents (`WebContents::CloseContents`).
   */
  private closeContents(): void {
    this.emit('close', new ElectronEvent())
    this.destroy()
  }

  close(options?: { waitForBeforeUnload?: boolean }): void {
    if (options?.waitForBeforeUnload) this.closeWithPrompt()
    else this.destroy()
  }

  destroy(): void {
    if (this.state.destroyed) return
    this.state.destroyed = true
    all.delete(this.id)
    this.link.leave()
    const { targetId } = this
    void theBrowser().then(({ connection }) => {
      if (targetId !== '') connection.browser.sendIgnoringErrors('Target.closeTarget', { targetId })
      else
        void this.target.then(
          () =>
            connection.browser.sendIgnoringErrors('Target.closeTarget', {
              targetId: this.targetId,
            }),
          () => {},
        )
    })
    this.emit('destroyed')
    this.owner.gone()
  }

  /** Returns whether the app prevents a navigation to a URL (`ElectronNavigationThrottle`). */
  refusesNavigation(url: string, redirect: boolean): boolean {
    const fields = {
      url: fromPage(url),
      isSameDocument: false,
      isMainFrame: true,
      frame: this.mainFrame,
    }
    if (redirect) return refused(this, 'will-redirect', fields, fields.url, false, true)
    const frameEvent = refused(this, 'will-frame-navigate', fields)
    return refused(this, 'will-navigate', fields, fields.url) || frameEvent
  }
}
