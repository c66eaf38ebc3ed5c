import { toPage } from './addresses.ts'
import { theBrowser } from './browser.ts'
import { reportEvent } from './control.ts'
import { ProtocolHost } from './protocol.ts'
import { StrictEmitter, strict } from './strict.ts'
import type { WebContents } from './web-contents.ts'

type PermissionRequestHandler = Parameters<Electron.Session['setPermissionRequestHandler']>[0]
type PermissionCheckHandler = Parameters<Electron.Session['setPermissionCheckHandler']>[0]
type DisplayMediaHandler = Parameters<Electron.Session['setDisplayMediaRequestHandler']>[0]
type BeforeRequest = (
  details: Electron.OnBeforeRequestListenerDetails,
  callback: (response: Electron.CallbackResponse) => void,
) => void

/** Result of a capture request: types of tracks, or the name of the error. */
export type CaptureAnswer =
  | { readonly error: string }
  | { readonly video: boolean; readonly audio: boolean }

/**
 * Whether macOS has its own picker, from version 15 on (`electron_api_desktop_capturer.cc`); the driver sets the macOS
 * version.
 */
const systemPicker = (): boolean => process.env['STANDIN_MACOS_PICKER'] === '1'

const webContentsOf = (contents: WebContents): Electron.WebContents =>
  contents as unknown as Electron.WebContents

/** A session (`shell/browser/api/electron_api_session.cc`, `lib/browser/api/session.ts`): a browser context with a proxy. */
export class Session extends StrictEmitter {
  readonly partition: string
  readonly host = new ProtocolHost()
  readonly protocol: unknown
  readonly webRequest: unknown
  /** Chromium's own context for the default session; an in-memory one for a partition. */
  readonly contextId: Promise<string | undefined>
  /** Port of its proxy. */
  readonly port: Promise<number>
  private requestHandler: PermissionRequestHandler = null
  private checkHandler: PermissionCheckHandler = null
  private displayHandler: DisplayMediaHandler = null
  private pickerWished = false
  private beforeRequest: BeforeRequest | null = null
  private spellLanguages: string[] = ['en-US']

  constructor(partition: string) {
    super()
    this.partition = partition
    this.port = this.host.listen()
    this.contextId = partition === '' ? Promise.resolve(undefined) : this.ownContext()
    this.contextId.catch(() => {})
    const { host } = this
    this.protocol = strict({
      handle: host.handle.bind(host),
      unhandle: host.unhandle.bind(host),
      isProtocolHandled: host.isProtocolHandled.bind(host),
    } satisfies Partial<Electron.Protocol>)
    this.webRequest = strict({
      onBeforeRequest: (filter: unknown, listener?: BeforeRequest | null) => {
        this.beforeRequest = (
          typeof filter === 'function' ? filter : (listener ?? null)
        ) as BeforeRequest | null
      },
    })
    host.cancels = (details) => this.cancels(details)
  }

  private async ownContext(): Promise<string> {
    const { connection } = await theBrowser()
    const { browserContextId } = await connection.browser.send<{ browserContextId: string }>(
      'Target.createBrowserContext',
      { proxyServer: `http://127.0.0.1:${await this.port}`, proxyBypassList: '<-loopback>' },
    )
    return browserContextId
  }

  private cancels(details: { url: string; method: string }): Promise<boolean> {
    const listener = this.beforeRequest
    if (!listener) return Promise.resolve(false)
    return new Promise((resolve) =>
      listener(
        {
          ...details,
          id: 0,
          resourceType: 'other',
          referrer: '',
          timestamp: Date.now(),
          uploadData: [],
        } as never,
        ({ cancel }) => resolve(cancel === true),
      ),
    )
  }

  setPermissionRequestHandler(handler: PermissionRequestHandler): void {
    this.requestHandler = handler
  }

  setPermissionCheckHandler(handler: PermissionCheckHandler): void {
    this.checkHandler = handler
  }

  setDevicePermissionHandler(_handler: unknown): void {}

  setDisplayMediaRequestHandler(
    handler: DisplayMediaHandler,
    options?: Electron.DisplayMediaRequestHandlerOpts,
  ): void {
    this.displayHandler = handler
    this.pickerWished = options?.useSystemPicker === true
  }

  async resolveProxy(_url: string): Promise<string> {
    return process.env['STANDIN_PROXY'] ?? 'DIRECT'
  }

  isSpellCheckerEnabled(): boolean {
    return true
  }

  setSpellCheckerEnabled(enable: boolean): void {
    reportEvent('spell-checker', { enable })
  }

  setSpellCheckerLanguages(languages: string[]): void {
    const unknown = languages.find(
      (language) => !this.availableSpellCheckerLanguages.includes(language),
    )
    // `Session::SetSpellCheckerLanguages` rejects languages for which Chromium has no dictionary.
    if (unknown !== undefined)
      throw new Error(`Invalid language code provided: "${unknown}" is not a valid language code`)
    this.spellLanguages = [...languages]
    reportEvent('spell-languages', { languages })
  }

  getSpellCheckerLanguages(): string[] {
    return this.spellLanguages
  }

  get availableSpellCheckerLanguages(): string[] {
    return [
      'de-DE',
      'en-AU',
      'en-CA',
      'en-GB',
      'en-US',
      'es-ES',
      'fr-FR',
      'it-IT',
      'ko',
      'pt-BR',
      'ru-RU',
    ]
  }

  setSpellCheckerDictionaryDownloadURL(url: string): void {
    reportEvent('spell-dictionary', { url })
  }

  addWordToSpellCheckerDictionary(word: string): boolean {
    reportEvent('spell-word', { word })
    return true
  }

  async clearCache(): Promise<void> {}

  async clearStorageData(_options?: unknown): Promise<void> {}

  async closeAllConnections(): Promise<void> {}

  /** Requests a permission from the app, like `ElectronPermissionManager::RequestPermissionsWithDetails`. */
  permission(contents: WebContents, permission: string, details: object): Promise<boolean> {
    const handler = this.requestHandler
    if (!handler) return Promise.resolve(true)
    const url = contents.getURL()
    const full = {
      ...details,
      ...(/^(media|display-capture)$/.test(permission) && { securityOrigin: originWithSlash(url) }),
      requestingUrl: url,
      isMainFrame: true,
    }
    return new Promise((resolve) => {
      handler(
        webContentsOf(contents),
        permission as never,
        (granted) => {
          reportEvent('permission', { permission, granted, details: full })
          resolve(granted)
        },
        full,
      )
    })
  }

  /**
   * Checks a permission, like `ElectronPermissionManager::CheckPermissionWithDetails`; `media:audio` includes the media
   * type.
   */
  permissionCheck(contents: WebContents, named: string): boolean {
    const [permission = '', mediaType] = named.split(':')
    if (!this.checkHandler) return permission !== 'deprecated-sync-clipboard-read'
    const url = contents.getURL()
    const details = {
      requestingUrl: url,
      isMainFrame: true,
      ...(mediaType !== undefined && { mediaType }),
    }
    return this.checkHandler(
      webContentsOf(contents),
      permission as never,
      originWithSlash(url),
      details as never,
    )
  }

  /** Requests the sources of a capture from the app (`ElectronBrowserContext::DisplayMediaDeviceChosen`). */
  async capture(
    contents: WebContents,
    request: { audioRequested: boolean; videoRequested: boolean; userGesture: boolean },
  ): Promise<CaptureAnswer> {
    // Since Electron 45, screens are requested under their own name (electron/electron pull request 52824).
    const mediaTypes = [
      request.videoRequested && 'video',
      request.audioRequested && 'audio',
    ].filter(Boolean)
    if (!(await this.permission(contents, 'display-capture', { mediaTypes })))
      return { error: 'NotAllowedError' }
    const handler = this.displayHandler
    if (!handler) return { error: 'NotSupportedError' }
    const streams = await new Promise<Electron.Streams | null>((resolve) => {
      // The system's picker returns only video, whatever was requested (`lib/browser/api/session.ts`).
      if (this.pickerWished && systemPicker())
        return resolve({ video: { id: 'window:-4:-1', name: '' } })
      handler(
        {
          ...request,
          frame: contents.mainFrame,
          securityOrigin: originWithSlash(contents.getURL()),
        } as never,
        (given) => resolve(given ?? null),
      )
    })
    if (!streams) return { error: 'NotAllowedError' }
    const { video, audio } = streams
    const given = {
      video: request.videoRequested && video !== undefined,
      audio: request.audioRequested && audio !== undefined,
    }
    reportEvent('capture', { ...given, loopback: audio === 'loopback' })
    // Missing video that was requested is an invalid response.
    if (request.videoRequested && !given.video) return { error: 'AbortError' }
    return given
  }
}

const originWithSlash = (url: string): string => {
  const found = /^[a-z][\w+.-]*:\/\/[^/?#]*/.exec(url)?.[0]
  return found === undefined ? '' : `${found}/`
}

const sessions = new Map<string, Session>()
let onCreated = (_session: Session): void => {}

/** Registers a callback for all created sessions (`app`'s `session-created`). */
export function reportSessions(created: (session: Session) => void): void {
  onCreated = created
}

/** Returns the session of a partition; '' is the default one. */
export function sessionOf(partition: string): Session {
  let found = sessions.get(partition)
  if (!found) {
    found = new Session(partition)
    sessions.set(partition, found)
    onCreated(found)
  }
  return found
}

/** `session` of Electron. */
export const session = strict({
  fromPartition: (partition: string, _options?: Electron.FromPartitionOptions) =>
    sessionOf(partition),
  get defaultSession() {
    return sessionOf('')
  },
})

/** `protocol` of Electron: that of the default session. */
export const protocol = strict({
  registerSchemesAsPrivileged(schemes: readonly Electron.CustomScheme[]): void {
    reportEvent('privileged', schemes)
    for (const { scheme, privileges } of schemes)
      if (toPage(`${scheme}://a`) === `${scheme}://a` || privileges?.standard !== true)
        throw new Error(`The stand-in shows app:// as a standard scheme only, not ${scheme}`)
  },
  handle: (scheme: string, handler: (request: Request) => Response | Promise<Response>) =>
    sessionOf('').host.handle(scheme, handler),
  unhandle: (scheme: string) => sessionOf('').host.unhandle(scheme),
  isProtocolHandled: (scheme: string) => sessionOf('').host.isProtocolHandled(scheme),
})
