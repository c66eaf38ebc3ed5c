import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { expectPrivate } from '../../../fixtures/private.ts'
import { defaultSettings, type Settings } from '../../../../src/shared/contract/settings.ts'
import { channels } from '../../../../src/shared/contract/transport.ts'
import type { HostDeps } from '../../../../src/main/host.ts'
import type { Port } from '../../../../src/main/hosts/core/page-port.ts'
import { rememberedLanguage } from '../../../../src/main/hosts/support/language.ts'
import { lockHome } from '../../../../src/main/hosts/support/instance.ts'
import { notedApp } from '../loopback/fixture.ts'
import * as electron from './electron-mock.ts'
import { eventually } from '../../../fixtures/eventually.ts'

// The real entry file of the Electron host, with a mock of Electron and an app that records its calls.
const { app, BrowserWindow, calls, lastCall, order, world } = electron
const lectern = notedApp()
const built: HostDeps[] = []
const stopped = { count: 0 }
/** Set by a test: resolves when the page has sent its last audio. */
const recording: { end: PromiseWithResolvers<void> | null } = { end: null }
const settings = { theme: 'dark', language: 'zh-CN' }
/** Replies of the app; all other requests are echoed. */
const replies: Record<string, unknown> = {
  'settings.get': settings,
  'library.import': { kind: 'meeting', itemId: 'taken', known: false, error: null },
}

vi.mock('electron', () => import('./electron-mock.ts'))
vi.mock('../../../../src/main/app.ts', () => ({
  createApp: async (deps: HostDeps) => {
    calls.push({ name: 'createApp', args: [] })
    built.push(deps)
    return {
      ...lectern,
      request: async (connection: { id: string; push(): void }, route: string, payload: unknown) =>
        route in replies
          ? { ok: true, data: replies[route] }
          : lectern.request(connection, route, payload),
      start: async () => void calls.push({ name: 'lectern.start', args: [] }),
      stopRecording: async () => {
        calls.push({ name: 'lectern.stopRecording', args: [] })
        await recording.end?.promise
      },
      stop: async () => {
        calls.push({ name: 'lectern.stop', args: [] })
        stopped.count++
      },
      resumed: () => void calls.push({ name: 'lectern.resumed', args: [] }),
    }
  },
}))

const home = mkdtempSync(join(tmpdir(), 'lectern-entry-'))
const file = join(home, 'opened.wav')
const window = (): InstanceType<typeof BrowserWindow> => {
  const last = BrowserWindow.all.at(-1)
  if (!last) throw new Error('no window')
  return last
}

beforeAll(async () => {
  process.env['LECTERN_HOME'] = home
  Object.defineProperty(process, 'resourcesPath', {
    value: join(home, 'resources'),
    configurable: true,
  })
  writeFileSync(file, 'RIFF')
  await import('../../../../src/main/index.ts')
  calls.push({ name: 'entry read', args: [] })
  await electron.settle()
  electron.becomeReady()
  await eventually(() => expect(order()).toContain('lectern.start'))
  await pageRequests()
  await electron.settle()
})
afterAll(() => {
  delete process.env['LECTERN_HOME']
  process.removeAllListeners('unhandledRejection')
  process.removeAllListeners('uncaughtException')
  // The mock app never reads the file it is given, so Windows locks it until the process ends.
  if (process.platform !== 'win32') rmSync(home, { recursive: true, force: true })
})

/** Simulates that the page is loaded and requests the data for its first frame. */
const pageRequests = async (): Promise<void> => {
  const contents = window().webContents
  const frame = { origin: 'app://bundle', url: 'app://bundle/', parent: null }
  await contents.handlers.get(channels.ready)?.({
    senderFrame: frame,
    sender: { id: contents.id },
  })
}

/** Asserts that these calls occurred, one after the other. */
const inOrder = (...names: string[]): void => {
  const happened = order()
  const places = names.map((name) => happened.indexOf(name))
  for (const [at, place] of places.entries()) expect(place, names[at]).toBeGreaterThanOrEqual(0)
  expect(places).toEqual(places.toSorted((a, b) => a - b))
}

describe('startup', () => {
  test('determines the data folder, acquires the locks, and only then opens anything', () => {
    inOrder(
      'app.setPath',
      'app.requestSingleInstanceLock',
      'ready',
      'utilityProcess.fork',
      'createApp',
      'new BrowserWindow',
    )
    expect(calls.filter(({ name }) => name === 'app.setPath').map(({ args }) => args)).toEqual([
      ['userData', home],
      ['sessionData', join(home, 'engine')],
      ['crashDumps', join(home, 'crashes')],
    ])
    expect(lockHome(home)).toBeNull()
    expect(JSON.parse(readFileSync(join(home, 'instance.json'), 'utf8'))).toMatchObject({
      host: 'electron',
      port: null,
    })
  })

  test('configures the engine completely and synchronously before it is ready', () => {
    inOrder(
      'protocol.registerSchemesAsPrivileged',
      'app.enableSandbox',
      'crashReporter.start',
      'entry read',
      'ready',
    )
    expect(lastCall('crashReporter.start')[0]).toMatchObject({ uploadToServer: false })
    expect(lastCall('protocol.registerSchemesAsPrivileged')[0]).toEqual([
      {
        scheme: 'app',
        privileges: expect.objectContaining({
          standard: true,
          secure: true,
          supportFetchAPI: true,
          stream: true,
          codeCache: true,
          bypassCSP: false,
        }),
      },
    ])
  })

  test('sets the policy on the session before the page is loaded', () => {
    inOrder(
      'protocol.handle',
      'session.setPermissionRequestHandler',
      'session.webRequest.onBeforeRequest',
      'new BrowserWindow',
      'window.loadURL',
    )
    expect(window().loaded).toEqual(['app://bundle/'])
  })

  test('provides the dependencies of the app', () => {
    const [deps] = built
    expect(deps).toMatchObject({
      host: 'electron',
      home,
      mediaBase: 'app://media/',
      modelsDir: join(home, 'resources', 'models'),
    })
    expect(deps?.workerUrl('search').pathname).toMatch(/\/workers\/search\.js$/)
    expectPrivate(home)
  })

  test('logs its startup marks to a file that only its owner can read', async () => {
    window().webContents.emit('did-finish-load')
    await electron.settle()
    const path = join(home, 'logs', 'main.log')
    expectPrivate(path)
    const line = readFileSync(path, 'utf8')
      .split('\n')
      .find((text) => text.includes('"startup times"'))
    const moments = Object.keys(JSON.parse(line ?? '{}').fields)
    // On Linux the loaded page shows the window.
    expect(moments.filter((name) => name !== 'shown')).toEqual([
      'main',
      'ready',
      'core',
      'window',
      'page',
    ])
  })
})

describe('the window', () => {
  test('has the options of the policy in addition to its own', () => {
    expect(window().options).toMatchObject({
      show: false,
      webPreferences: {
        contextIsolation: true,
        sandbox: true,
        nodeIntegration: false,
        nodeIntegrationInWorker: false,
        nodeIntegrationInSubFrames: false,
        webSecurity: true,
        webviewTag: false,
        devTools: false,
        preload: expect.stringMatching(/preload[\\/]index\.cjs$/),
      },
    })
  })

  test('denies navigation, new windows and embedding', async () => {
    const { webContents } = window()
    for (const name of ['will-navigate', 'will-frame-navigate', 'will-redirect']) {
      for (const [url, stays] of [
        ['https://evil.example/', true],
        ['app://bundle/#/a', false],
        ['file:///etc/passwd', true],
      ] as const) {
        const event = { url, prevented: false, preventDefault: () => void (event.prevented = true) }
        webContents.emit(name, event)
        expect(event.prevented, `${name} ${url}`).toBe(stays)
      }
    }
    const attach = { prevented: false, preventDefault: () => void (attach.prevented = true) }
    webContents.emit('will-attach-webview', attach)
    expect(attach.prevented).toBe(true)

    world.dialogAnswer = 0
    expect(webContents.windowOpen?.({ url: 'https://example.com/' })).toEqual({ action: 'deny' })
    await electron.settle()
    expect(lastCall('dialog.showMessageBox')[0]).toMatchObject({
      message: '在浏览器中打开 example.com？',
    })
    expect(order()).not.toContain('shell.openExternal')
    world.dialogAnswer = 1
    expect(webContents.windowOpen?.({ url: 'file:///etc/passwd' })).toEqual({ action: 'deny' })
    await electron.settle()
    expect(order()).not.toContain('shell.openExternal')
    webContents.windowOpen?.({ url: 'https://EXAMPLE.com/a b' })
    await electron.settle()
    expect(lastCall('shell.openExternal')).toEqual(['https://example.com/a%20b'])
  })

  test('also asks the user before it opens a link that the page requests', async () => {
    const opened = (): number => order().filter((name) => name === 'shell.openExternal').length
    const dialogCount = (): number =>
      order().filter((name) => name === 'dialog.showMessageBox').length
    const before = { opened: opened(), dialogs: dialogCount() }
    world.dialogAnswer = 0
    expect(await built[0]?.openExternal('https://evil.example/?q=said')).toBe(false)
    expect(lastCall('dialog.showMessageBox')[0]).toMatchObject({
      message: '在浏览器中打开 evil.example？',
    })
    expect([opened(), dialogCount()]).toEqual([before.opened, before.dialogs + 1])
    world.dialogAnswer = 1
    expect(await built[0]?.openExternal('https://example.com/')).toBe(true)
    expect(await built[0]?.openExternal('file:///etc/passwd')).toBe(false)
    expect([opened(), dialogCount()]).toEqual([before.opened + 1, before.dialogs + 2])
  })

  test('reloads once after a crash, then shows the page without a script', async () => {
    const { webContents, loaded } = window()
    const before = loaded.length
    webContents.emit('render-process-gone', {}, { reason: 'clean-exit', exitCode: 0 })
    webContents.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 5 })
    webContents.emit('render-process-gone', {}, { reason: 'oom', exitCode: 5 })
    await electron.settle()
    expect(loaded.slice(before)).toEqual(['app://bundle/', 'app://bundle/broken'])
  })
})

describe('failures', () => {
  test('asks once about an unresponsive page, and reloads it on confirmation', async () => {
    const { webContents, loaded } = window()
    const questions = (): number =>
      order().filter((name) => name === 'dialog.showMessageBox').length
    const before = questions()
    world.dialogAnswer = 0
    window().emit('unresponsive')
    window().emit('unresponsive')
    await electron.settle()
    expect(questions()).toBe(before + 1)
    const [options, parent] = lastCall('dialog.showMessageBox') as [
      { signal: AbortSignal },
      unknown,
    ]
    expect(options).toMatchObject({ buttons: ['等待', '重新加载'], defaultId: 0 })
    expect(parent).toBe(window())
    expect(order()).not.toContain('contents.forcefullyCrashRenderer')
    world.dialogAnswer = 1
    const pages = loaded.length
    window().emit('unresponsive')
    await electron.settle()
    expect(order()).toContain('contents.forcefullyCrashRenderer')
    expect(loaded.length).toBe(pages + 1)
    expect(webContents.isDestroyed()).toBe(false)
    world.dialogAnswer = 0
  })

  test('closes the question when the page responds again', async () => {
    window().emit('unresponsive')
    const [{ signal }] = lastCall('dialog.showMessageBox') as [{ signal: AbortSignal }]
    expect(signal.aborted).toBe(false)
    window().emit('responsive')
    expect(signal.aborted).toBe(true)
    await electron.settle()
  })

  test('logs the end of another engine process', async () => {
    const details = { type: 'GPU', name: 'GPU', reason: 'crashed', exitCode: 5 }
    app.emit('child-process-gone', {}, details)
    await electron.settle()
    const log = readFileSync(join(home, 'logs', 'main.log'), 'utf8')
    expect(log).toContain('"type":"GPU"')
  })
})

describe('the session', () => {
  type Ask = (
    contents: unknown,
    permission: string,
    answer: (granted: boolean) => void,
    details: object,
  ) => void
  type Check = (contents: unknown, permission: string, origin: string, details: object) => boolean
  type Filter = (details: { url: string }, answer: (reply: { cancel: boolean }) => void) => void

  test('grants only the microphone, and only to the app page', () => {
    const [ask] = lastCall('session.setPermissionRequestHandler') as [Ask]
    const [check] = lastCall('session.setPermissionCheckHandler') as [Check]
    const checkPermission = (permission: string, details: object): boolean | null => {
      let granted: boolean | null = null
      ask(null, permission, (answer) => (granted = answer), details)
      return granted
    }
    const page = { requestingUrl: 'app://bundle/', isMainFrame: true }
    expect(checkPermission('media', { ...page, mediaTypes: ['audio'] })).toBe(true)
    expect(checkPermission('media', { ...page, mediaTypes: ['audio', 'video'] })).toBe(false)
    expect(checkPermission('geolocation', page)).toBe(false)
    expect(
      checkPermission('media', {
        requestingUrl: 'https://evil.example/',
        isMainFrame: true,
        mediaTypes: ['audio'],
      }),
    ).toBe(false)
    expect(check(null, 'media', 'app://bundle/', { ...page, mediaType: 'audio' })).toBe(true)
    expect(check(null, 'media', 'app://bundle/', { isMainFrame: true, mediaType: 'video' })).toBe(
      false,
    )
    expect(
      check(null, 'media', 'https://evil.example', { isMainFrame: true, mediaType: 'audio' }),
    ).toBe(false)
    expect(check(null, 'notifications', 'app://bundle/', page)).toBe(false)
    expect(checkPermission('fullscreen', page)).toBe(true)
    expect(checkPermission('screen-wake-lock', page)).toBe(true)
    expect(checkPermission('notifications', page)).toBe(false)
    const [device] = lastCall('session.setDevicePermissionHandler') as [() => boolean]
    expect(device()).toBe(false)
  })

  test('shares audio with the page’s own frame, only for a click in the app’s own top frame', async () => {
    type Capture = (request: object, answer: (streams: unknown) => void) => void
    const [capture] = lastCall('session.setDisplayMediaRequestHandler') as [Capture]
    const captured = async (change: object): Promise<unknown> => {
      let streams: unknown = 'nothing'
      const frame = { url: 'app://bundle/', parent: null }
      capture(
        { frame, audioRequested: false, videoRequested: true, userGesture: true, ...change },
        (answer) => (streams = answer),
      )
      await electron.settle()
      return streams
    }
    const frame = { url: 'app://bundle/', parent: null }
    // With a system picker this handler would not be called, and the result would have no audio.
    expect(lastCall('session.setDisplayMediaRequestHandler')).toHaveLength(1)
    expect(await captured({})).toEqual({ video: frame })
    expect(await captured({ audioRequested: true })).toEqual({ video: frame, audio: 'loopback' })
    expect(await captured({ frame: null })).toBeNull()
    expect(await captured({ userGesture: false })).toBeNull()
    expect(await captured({ frame: { url: 'app://bundle/', parent: {} } })).toBeNull()
    expect(await captured({ frame: { url: 'https://evil.example/', parent: null } })).toBeNull()
  })

  test('cancels every request that is not the app’s own', () => {
    const [filter] = lastCall('session.webRequest.onBeforeRequest') as [Filter]
    const cancelled = (url: string): boolean | null => {
      let answer: boolean | null = null
      filter({ url }, ({ cancel }) => (answer = cancel))
      return answer
    }
    expect(cancelled('app://bundle/assets/x.js')).toBe(false)
    expect(cancelled('https://evil.example/')).toBe(true)
    expect(cancelled('http://127.0.0.1:4010/')).toBe(true)
    // This entry runs as a packaged app: developer tools are disabled.
    expect(cancelled('devtools://devtools/x')).toBe(true)
  })

  test('serves app:// from the app', async () => {
    const [scheme, handler] = lastCall('protocol.handle') as [
      string,
      (request: Request) => Promise<Response>,
    ]
    expect(scheme).toBe('app')
    expect((await handler(new Request('app://bundle/'))).status).toBe(200)
    expect((await handler(new Request('app://elsewhere/'))).status).toBe(404)
  })

  test('uses the system proxy', async () => {
    world.proxy = 'PROXY proxy.example:3128; DIRECT'
    expect(await built[0]?.proxyFor('https://api.z.ai/')).toBe('http://proxy.example:3128')
    world.proxy = 'DIRECT'
    expect(await built[0]?.proxyFor('https://api.z.ai/')).toBeNull()
  })
})

describe('the context menu', () => {
  const target = {
    x: 3,
    y: 4,
    frame: null,
    linkURL: '',
    selectionText: '',
    isEditable: true,
    mediaType: 'none',
    hasImageContents: false,
    misspelledWord: 'lettern',
    dictionarySuggestions: ['lectern'],
    editFlags: { canPaste: true },
  }
  type Line = { label?: string; role?: string; click?: () => void }
  const menu = (change: object): Line[] => {
    const menus: Line[][] = []
    const { Menu } = electron
    const { buildFromTemplate } = Menu
    Menu.buildFromTemplate = (template) => {
      menus.push(template as Line[])
      return buildFromTemplate(template)
    }
    window().webContents.emit('context-menu', {}, { ...target, ...change })
    Menu.buildFromTemplate = buildFromTemplate
    return menus.at(-1) ?? []
  }

  test('offers spelling, editing, links and images, and runs each command', () => {
    const press = (lines: readonly Line[], label: string): void =>
      lines.find((line) => line.label === label)?.click?.()
    const lines = menu({
      linkURL: 'https://example.com/a b',
      mediaType: 'image',
      hasImageContents: true,
    })
    expect(lines.flatMap(({ role }) => role ?? [])).toEqual([
      'undo',
      'redo',
      'cut',
      'copy',
      'paste',
      'selectAll',
    ])
    expect(lastCall('menu.popup')[0]).toEqual({ window: window() })
    press(lines, 'lectern')
    expect(lastCall('contents.replaceMisspelling')).toEqual(['lectern'])
    press(lines, '添加到词典')
    expect(lastCall('session.addWordToSpellCheckerDictionary')).toEqual(['lettern'])
    press(lines, '复制链接')
    expect(lastCall('clipboard.writeText')).toEqual(['https://example.com/a%20b'])
    press(lines, '复制图片')
    expect(lastCall('contents.copyImageAt')).toEqual([3, 4])
  })

  test('does not open where it has no items', () => {
    const before = order().filter((name) => name === 'menu.popup').length
    expect(menu({ isEditable: false, linkURL: 'app://bundle/#/library' })).toEqual([])
    expect(order().filter((name) => name === 'menu.popup')).toHaveLength(before)
  })

  test('downloads no dictionary', () => {
    app.emit('session-created', electron.session.defaultSession)
    expect(lastCall('session.setSpellCheckerDictionaryDownloadURL')).toEqual([
      'http://127.0.0.1:1/',
    ])
    if (process.platform === 'linux')
      expect(lastCall('session.setSpellCheckerEnabled')).toEqual([false])
  })
})

describe('the bridge', () => {
  /** Returns the port that a frame gets when its preload requests one; null when it gets none. */
  const connect = (frame: unknown, senderId = window().webContents.id): Port | null => {
    let port: Port | null = null
    const take = (channel: string, _message: unknown, ports: readonly Port[]): void => {
      expect(channel).toBe(channels.port)
      port = ports[0] ?? null
    }
    const senderFrame = frame === null ? null : Object.assign({ postMessage: take }, frame)
    window().webContents.handlers.get(channels.connect)?.({ senderFrame, sender: { id: senderId } })
    return port
  }
  /** Returns the next message received on a port. */
  const answerOf = (port: Port | null, message: unknown): Promise<unknown> =>
    new Promise((resolve) => {
      port?.on('message', ({ data }) => resolve(data))
      port?.start()
      port?.postMessage(message)
    })
  const page = { origin: 'app://bundle', url: 'app://bundle/#/x', parent: null }
  const reload = (): void => {
    window().webContents.emit('did-navigate')
    void pageRequests()
  }

  test('gives the app page a port to the app, once per load', async () => {
    expect([...window().webContents.handlers.keys()]).toEqual([channels.connect, channels.ready])
    const port = connect(page)
    const call = { t: 'req', id: 1, route: 'app.info', payload: { a: 1 } }
    expect(await answerOf(port, call)).toEqual({
      t: 'res',
      id: 1,
      reply: { ok: true, data: { a: 1 } },
    })
    expect(lectern.requests.at(-1)).toMatchObject({ route: 'app.info', payload: { a: 1 } })
    expect(connect(page)).toBeNull()
    reload()
    expect(connect(page)).not.toBeNull()
    reload()
    port?.close()
  })

  test.each([
    ['a destroyed frame', null],
    ['a sub-frame', { ...page, parent: page }],
    ['a lookalike origin', { ...page, origin: 'app://bundle.evil' }],
    [
      'a remote page',
      { origin: 'https://evil.example', url: 'https://evil.example/', parent: null },
    ],
    [
      'a media file opened as a page',
      { origin: 'app://media', url: 'app://media/abc', parent: null },
    ],
    ['the error page', { ...page, url: 'app://bundle/broken' }],
  ])('gives no port to %s', (_name, frame) => {
    expect(connect(frame)).toBeNull()
  })

  test('gives no port to another web contents', () => {
    expect(connect(page, 999)).toBeNull()
  })
})

describe('a notification', () => {
  const { Notification } = electron
  const notice = { id: 'capture-lost', title: 'Lectern records', body: 'Mic is gone.' }

  test('is shown by the system, and a click opens the recording it is about', async () => {
    expect(await built[0]?.notify?.({ ...notice, recordingId: 'm1', about: 'page' })).toBe(true)
    expect(Notification.all.at(-1)?.options).toEqual(notice)
    Notification.all.at(-1)?.emit('click')
    expect(order().at(-1)).toBe('window.focus')
    expect(window().webContents.sent.at(-1)?.value).toEqual({
      channel: 'app',
      event: { type: 'page.recording', id: 'm1' },
    })
    const { length } = window().webContents.sent
    await built[0]?.notify?.({ ...notice, recordingId: null, about: 'page' })
    Notification.all.at(-1)?.emit('click')
    expect(window().webContents.sent).toHaveLength(length)
  })

  test('replaces the previous one, and is reported as not shown where unsupported', async () => {
    await built[0]?.notify?.({ ...notice, recordingId: null, about: 'page' })
    const closed = order().filter((name) => name === 'notification.close').length
    await built[0]?.notify?.({ ...notice, recordingId: null, about: 'page' })
    expect(order().filter((name) => name === 'notification.close')).toHaveLength(closed + 1)
    world.notices = false
    expect(await built[0]?.notify?.({ ...notice, recordingId: null, about: 'page' })).toBe(false)
    world.notices = true
  })

  test('about the app is not shown to a user of any of its windows', async () => {
    const ended = { ...notice, recordingId: null, about: 'app' } as const
    const { length } = Notification.all
    window().focus()
    expect(await built[0]?.notify?.(ended)).toBe(true)
    expect(Notification.all).toHaveLength(length)
    window().focused = false
    await built[0]?.notify?.(ended)
    expect(Notification.all).toHaveLength(length + 1)
    window().focus()
  })
})

describe('a recording', () => {
  type Line = { label?: string; click?: () => void }
  const tray = (): Line[] => lastCall('tray.setContextMenu')[0] as Line[]
  const sent = (): unknown => window().webContents.sent.at(-1)?.value
  const command = (name: string): object => ({
    channel: 'app',
    event: { type: 'page.command', command: name },
  })

  /** Reports the recording state across the process boundary. */
  const live = async (now: boolean): Promise<void> => {
    built[0]?.onRecording?.(now, null)
    await electron.settle()
  }

  test('keeps computer and page awake, and is indicated outside the window', async () => {
    expect(lastCall('tray.setToolTip')).toEqual(['Lectern'])
    await live(true)
    expect(lastCall('powerSaveBlocker.start')).toEqual(['prevent-app-suspension'])
    expect(lastCall('contents.setBackgroundThrottling')).toEqual([false])
    expect(lastCall('tray.setToolTip')).toEqual(['Lectern 正在录音'])
    await live(true)
    expect(order().filter((name) => name === 'powerSaveBlocker.start')).toHaveLength(1)
    await live(false)
    expect(lastCall('powerSaveBlocker.stop')).toEqual([7])
    expect(lastCall('contents.setBackgroundThrottling')).toEqual([true])
    expect(lastCall('tray.setToolTip')).toEqual(['Lectern'])
  })

  test('has no global shortcut until one is chosen, which may be taken', async () => {
    expect(order()).not.toContain('globalShortcut.register')
    expect(lectern.requests.map(({ route }) => route)).toContain('shortcuts.state')
    world.shortcutFree = false
    expect(await built[0]?.shortcuts?.use('record', 'Control+Alt+R')).toBe('taken')
    world.shortcutFree = true
  })

  test('starts and stops by tray and shortcut; the start counts as a user gesture', async () => {
    expect(await built[0]?.shortcuts?.use('record', 'Control+Alt+R')).toBe('on')
    const [, press] = lastCall('globalShortcut.register') as [string, () => void]
    press()
    expect(sent()).toEqual(command('record-start'))
    expect(lastCall('contents.executeJavaScript')[1]).toBe(true)
    expect(order().slice(-3)).toContain('window.focus')
    await live(true)
    const focused = order().filter((name) => name === 'window.focus').length
    tray()[0]?.click?.()
    expect(sent()).toEqual(command('record-stop'))
    expect(order().filter((name) => name === 'window.focus')).toHaveLength(focused)
    await live(false)
    tray()
      .find(({ label }) => label === '显示 Lectern')
      ?.click?.()
    expect(order().at(-1)).toBe('window.focus')
  })

  test('is notified when the computer wakes up', () => {
    electron.powerMonitor.emit('resume')
    expect(sent()).toEqual(command('record-awake'))
  })

  test('survives a window reload: asks first, and waits for the last audio', async () => {
    const { webContents } = window()
    webContents.stays = true
    world.dialogAnswer = 0
    webContents.reload()
    await electron.settle()
    expect(lastCall('dialog.showMessageBox')).toEqual([
      expect.objectContaining({
        buttons: ['继续录音', '停止并重新加载'],
        defaultId: 0,
        cancelId: 0,
      }),
      window(),
    ])
    expect(order()).not.toContain('lectern.stopRecording')
    expect(order()).not.toContain('contents.reload')
    world.dialogAnswer = 1
    recording.end = Promise.withResolvers()
    webContents.reload()
    await electron.settle()
    expect(order().at(-1)).toBe('lectern.stopRecording')
    webContents.stays = false
    recording.end.resolve()
    await electron.settle()
    expect(order().at(-1)).toBe('contents.reload')
    await pageRequests()
    world.dialogAnswer = 0
  })

  test('delays the reload by five seconds at most when its page cannot end it', async () => {
    const { webContents } = window()
    webContents.stays = true
    world.dialogAnswer = 1
    recording.end = Promise.withResolvers()
    vi.useFakeTimers()
    try {
      webContents.reload()
      await vi.advanceTimersByTimeAsync(4999)
      expect(order().at(-1)).toBe('lectern.stopRecording')
      await vi.advanceTimersByTimeAsync(1)
      expect(order().at(-1)).toBe('contents.reload')
    } finally {
      vi.useRealTimers()
      await pageRequests()
      webContents.stays = false
      world.dialogAnswer = 0
    }
  })
})

describe('menu, theme and lifecycle', () => {
  type Built = {
    label: string
    submenu: {
      label?: string
      click?: (item: object, from: unknown, event: { triggeredByAccelerator: boolean }) => void
      accelerator?: string
    }[]
  }[]
  const bar = (): Built => lastCall('Menu.setApplicationMenu')[0] as Built

  test('shows the menu in the chosen language and sends its commands to the page', async () => {
    expect(electron.nativeTheme.themeSource).toBe('dark')
    const lines = bar().flatMap(({ submenu }) => submenu)
    const palette = lines.find(({ label }) => label === '命令面板…')
    palette?.click?.({}, window(), { triggeredByAccelerator: true })
    expect(window().webContents.sent.at(-1)?.value).toEqual({
      channel: 'app',
      event: { type: 'page.command', command: 'palette' },
    })
    const push = (changed: Settings | null): void => {
      for (const connection of lectern.connected.values())
        connection.push({ channel: 'app', event: { type: 'settings.changed', settings: changed } })
    }
    push({ ...defaultSettings, language: 'en', theme: 'dark' })
    await electron.settle()
    expect(bar().flatMap(({ submenu }) => submenu.map(({ label }) => label))).toContain(
      'Command Palette…',
    )
    expect(electron.nativeTheme.themeSource).toBe('dark')
    // Events may have been missed: the settings are read.
    settings.language = 'en'
    settings.theme = 'light'
    push(null)
    await electron.settle()
    expect(bar().flatMap(({ submenu }) => submenu.map(({ label }) => label))).toContain(
      'Command Palette…',
    )
    expect(electron.nativeTheme.themeSource).toBe('light')
    world.dark = true
    electron.nativeTheme.emit('updated')
    expect(lastCall('window.setBackgroundColor')).toEqual(['#161718'])
  })

  test('ignores menu keys pressed in the quick window; a click shows the main window', () => {
    const first = window()
    const palette = bar()
      .flatMap(({ submenu }) => submenu)
      .find(({ label }) => label === 'Command Palette…')
    const before = first.webContents.sent.length
    palette?.click?.({}, { id: 'quick' }, { triggeredByAccelerator: true })
    expect(first.webContents.sent).toHaveLength(before)
    palette?.click?.({}, { id: 'quick' }, { triggeredByAccelerator: false })
    expect(order().at(-1)).toBe('window.focus')
    expect(first.webContents.sent).toHaveLength(before + 1)
  })

  test('opens a window for a menu command if there is none, and delivers it once the page listens', async () => {
    window().close()
    const count = BrowserWindow.all.length
    const palette = bar()
      .flatMap(({ submenu }) => submenu)
      .find(({ label }) => label === 'Command Palette…')
    palette?.click?.({}, undefined, { triggeredByAccelerator: true })
    expect(BrowserWindow.all).toHaveLength(count + 1)
    expect(window().webContents.sent).toEqual([])
    await pageRequests()
    const command = {
      channel: channels.push,
      value: { channel: 'app', event: { type: 'page.command', command: 'palette' } },
    }
    expect(window().webContents.sent).toEqual([command])
    await pageRequests()
    expect(window().webContents.sent).toEqual([command])
  })

  test('shows the window on a later launch and imports its files', async () => {
    window().minimized = true
    app.emit(
      'second-instance',
      {},
      ['lectern', '--flag', 'opened.wav', 'missing.wav', 'notes.txt'],
      home,
    )
    expect(order().slice(-2)).toEqual(['window.restore', 'window.focus'])
    await expect.poll(() => lectern.fetched.filter(({ method }) => method === 'PUT').length).toBe(1)
    expect(lectern.fetched.at(-1)?.url).toMatch(/\/intake$/)
  })

  test('reports a file that cannot be imported in a dialog that does not block the window', async () => {
    const { answer } = lectern
    const error = { code: 'DAMAGED_FILE', message: '', retriable: false, at: 0 }
    lectern.answer = async (request) => {
      await request.text()
      return Response.json({ ok: false, error })
    }
    const before = order().length
    app.emit('second-instance', {}, ['lectern', 'opened.wav'], home)
    const expectedOptions = expect.objectContaining({
      type: 'error',
      detail: expect.stringContaining('opened.wav'),
    })
    await expect.poll(() => order().slice(before)).toContain('dialog.showMessageBox')
    expect(lastCall('dialog.showMessageBox')).toEqual([expectedOptions, window()])
    expect(order().slice(before)).not.toContain('dialog.showErrorBox')
    await electron.settle()
    lectern.answer = answer
  })

  test('opens the system dialog for Import Files and imports the chosen path', async () => {
    const intakes = (): number => lectern.fetched.filter(({ method }) => method === 'PUT').length
    const item = bar()
      .flatMap(({ submenu }) => submenu)
      .find(({ label }) => label === 'Import Files…')
    const sent = window().webContents.sent.length
    const before = intakes()
    world.chosenPath = ''
    item?.click?.({}, window(), { triggeredByAccelerator: false })
    await electron.settle()
    expect(lastCall('dialog.showOpenDialog')).toEqual([
      window(),
      expect.objectContaining({ properties: ['openFile', 'multiSelections'] }),
    ])
    expect(intakes()).toBe(before)
    const { answer } = lectern
    lectern.answer = async (request) => {
      await request.text()
      return Response.json({ ok: true, data: { media: { id: 'media' } } })
    }
    world.chosenPath = file
    item?.click?.({}, window(), { triggeredByAccelerator: false })
    await expect.poll(intakes).toBe(before + 1)
    // The page shows the result of the one file, and is not requested to open its own dialog.
    await expect
      .poll(() =>
        window()
          .webContents.sent.slice(sent)
          .map(({ value }) => value),
      )
      .toEqual([{ channel: 'app', event: { type: 'page.recording', id: 'taken' } }])
    expect(lastCall('app.addRecentDocument')).toEqual([file])
    world.chosenPath = ''
    lectern.answer = answer
  })

  test('starts a quick question or a recording on a later launch, and remembers opened files', async () => {
    expect(order()).toContain('app.addRecentDocument')
    const focused = (): number => order().filter((name) => name === 'window.focus').length
    const before = focused()
    app.emit('second-instance', {}, ['lectern', '--quick-question'], home)
    await electron.settle()
    expect(window().loaded).toEqual(['app://bundle/#/quick'])
    expect(focused()).toBe(before)
    window().destroy()
    BrowserWindow.all.pop()
    app.emit('second-instance', {}, ['lectern', '--start-recording'], home)
    await electron.settle()
    expect(window().webContents.sent.at(-1)?.value).toEqual({
      channel: 'app',
      event: { type: 'page.command', command: 'record-start' },
    })
  })

  test('shows the logs in their folder from Help', () => {
    bar()
      .flatMap(({ submenu }) => submenu)
      .find(({ label }) => label === 'Show Logs')
      ?.click?.({}, window(), { triggeredByAccelerator: false })
    expect(lastCall('shell.showItemInFolder')).toEqual([join(home, 'logs', 'lectern.log')])
  })

  test('shows data folder and logs by name, and reports a failure', async () => {
    const system = built[0]?.system
    expect(await system?.showFolder('data')).toBe(true)
    expect(lastCall('shell.openPath')).toEqual([home])
    world.pathTrouble = 'No application'
    expect(await system?.showFolder('logs')).toBe(false)
    expect(lastCall('shell.openPath')).toEqual([join(home, 'logs')])
    world.pathTrouble = ''
  })

  test('opens the item of a link, and reports an invalid link', async () => {
    const event = { prevented: 0, preventDefault: () => void event.prevented++ }
    app.emit('open-url', event, 'lectern://open/document/abc?page=3')
    app.emit('second-instance', {}, ['lectern', 'lectern://erase/everything'], home)
    expect(event.prevented).toBe(1)
    const link = { kind: 'document', id: 'abc', place: '3' }
    const pushedAs = (inner: object) => ({ channel: 'app', event: inner })
    const pushed = (): unknown[] => window().webContents.sent.map(({ value }) => value)
    await expect.poll(() => pushed()).toContainEqual(pushedAs({ type: 'page.link', link }))
    await expect.poll(() => pushed()).toContainEqual(pushedAs({ type: 'page.link', link: null }))
    expect(electron.lastCall('app.setAsDefaultProtocolClient')).toEqual(['lectern'])
  })

  test('notifies the app of waking up', async () => {
    electron.powerMonitor.emit('resume')
    await electron.settle()
    expect(order()).toContain('lectern.resumed')
  })

  test('saves the window position once it settles, and before the app quits', async () => {
    const saved = (): unknown =>
      (JSON.parse(readFileSync(join(home, 'window.json'), 'utf8')) as unknown[])[0]
    const first = window()
    first.bounds = { x: 30, y: 40, width: 800, height: 600 }
    first.emit('move')
    await eventually(() => expect(saved()).toMatchObject({ bounds: { x: 30 }, maximized: false }))
    first.maximized = true
    first.emit('maximize')
    await eventually(() => expect(saved()).toMatchObject({ maximized: true, fullScreen: false }))
    first.fullScreen = true
    built[0]?.onRecording?.(true, null)
    await electron.settle()
    app.emit('before-quit', { preventDefault() {} })
    expect(saved()).toMatchObject({ fullScreen: true })
    await electron.settle()
    built[0]?.onRecording?.(false, null)
    await electron.settle()
  })

  test('restores the window as it was left, hidden until it has content', () => {
    window().close()
    const { length } = calls
    app.emit('activate')
    expect(window().options).toMatchObject({ x: 30, y: 40, show: false })
    expect(order()).not.toContain('window.maximize')
    window().emit('ready-to-show')
    window().webContents.emit('did-finish-load')
    const since = order().slice(length)
    expect(since.filter((name) => /^window\.(maximize|show|setFullScreen)/.test(name))).toEqual([
      'window.maximize',
      'window.show',
      'window.setFullScreen',
    ])
    void pageRequests()
  })

  test('shows a window that never reports its first paint', () => {
    vi.useFakeTimers()
    try {
      window().close()
      app.emit('activate')
      vi.advanceTimersByTime(1999)
      expect(window().visible).toBe(false)
      vi.advanceTimersByTime(1)
      expect(window().visible).toBe(true)
    } finally {
      vi.useRealTimers()
      void pageRequests()
    }
  })

  test('shows the window on Linux once the page is loaded', () => {
    window().close()
    app.emit('activate')
    window().webContents.emit('did-finish-load')
    expect(window().visible).toBe(process.platform === 'linux')
    window().emit('ready-to-show')
    void pageRequests()
  })

  test('shows the window on a click on the tray icon, which follows the theme', () => {
    const before = order().filter((name) => name === 'tray.setImage').length
    electron.nativeTheme.emit('updated')
    expect(order().filter((name) => name === 'tray.setImage')).toHaveLength(before + 1)
    electron.Tray.last?.emit('click')
    expect(order().at(-1)).toBe(process.platform === 'darwin' ? 'tray.setImage' : 'window.focus')
  })

  test('reopens a closed window at its last position', () => {
    const first = window()
    first.close()
    app.emit('activate')
    expect(window()).not.toBe(first)
    expect(window().options).toMatchObject({ x: 10, y: 20, width: 900, height: 700 })
    void pageRequests()
  })

  test('asks before a recording window closes', async () => {
    const first = window()
    first.webContents.stays = true
    world.dialogAnswer = 1
    recording.end = null
    first.close()
    expect(first.destroyed).toBe(false)
    await electron.settle()
    expect(lastCall('dialog.showMessageBox')[0]).toMatchObject({
      message: 'Stop recording and close the window?',
    })
    await expect.poll(() => first.destroyed).toBe(true)
    world.dialogAnswer = 0
    app.emit('activate')
    expect(window()).not.toBe(first)
  })

  describe('multiple windows', () => {
    const lines = (): Built[number]['submenu'] => bar().flatMap(({ submenu }) => submenu)
    const clicked = (label: string, from?: unknown): void =>
      lines()
        .find((line) => line.label === label)
        ?.click?.({}, from, { triggeredByAccelerator: false })
    const open = (): InstanceType<typeof BrowserWindow>[] =>
      BrowserWindow.getAllWindows() as InstanceType<typeof BrowserWindow>[]
    const commandsOf = (one: InstanceType<typeof BrowserWindow>): unknown[] =>
      one.webContents.sent.flatMap(({ value }) => {
        const { event } = value as { event: { type: string; command?: string } }
        return event.type === 'page.command' ? [event.command] : []
      })

    test('are opened by the menu, the Dock and a later launch, next to the last used one', async () => {
      expect(lines().find(({ label }) => label === 'New Window')?.accelerator).toBe(
        'CmdOrCtrl+Shift+N',
      )
      void pageRequests()
      const [first] = open()
      if (first) first.bounds = { x: 100, y: 60, width: 900, height: 700 }
      clicked('New Window')
      expect(open()).toHaveLength(2)
      expect(window().options).toMatchObject({ x: 128, y: 88, width: 900, height: 700 })
      expect(window().loaded).toEqual(['app://bundle/'])
      void pageRequests()
      const dock = lastCall('dock.setMenu')[0] as { label: string; click: () => void }[]
      dock.find(({ label }) => label === 'New Window')?.click()
      expect(open()).toHaveLength(3)
      window().close()
      const focused = order().filter((name) => name === 'window.focus').length
      app.emit('second-instance', {}, ['lectern', '--new-window'], home)
      await electron.settle()
      expect(open()).toHaveLength(3)
      expect(order().filter((name) => name === 'window.focus')).toHaveLength(focused)
      window().close()
      expect(open()).toHaveLength(2)
      expect(order()).not.toContain('lectern.stop')
    })

    test('have a separate port for each page', () => {
      const ports = open().map((one) => {
        const ids: unknown[] = []
        one.webContents.emit('did-navigate')
        one.webContents.handlers.get(channels.connect)?.({
          senderFrame: {
            origin: 'app://bundle',
            url: 'app://bundle/',
            parent: null,
            postMessage: (_channel: string, _message: unknown, moved: unknown[]) => ids.push(moved),
          },
          sender: { id: one.webContents.id },
        })
        const frame = { origin: 'app://bundle', url: 'app://bundle/', parent: null }
        const sender = { id: one.webContents.id }
        one.webContents.handlers.get(channels.ready)?.({ senderFrame: frame, sender })
        return ids.length
      })
      expect(ports).toEqual([1, 1])
    })

    test('receive commands given in them; other commands are sent to the last used one', () => {
      const [first, second] = open()
      if (!first || !second) throw new Error('two windows')
      const before = [commandsOf(first).length, commandsOf(second).length]
      const after = (): number[] =>
        [first, second].map((one, at) => commandsOf(one).length - (before[at] ?? 0))
      clicked('Command Palette…', first)
      expect(after()).toEqual([1, 0])
      clicked('Command Palette…', second)
      expect(after()).toEqual([1, 1])
      clicked('Command Palette…')
      expect(after()).toEqual([1, 2])
      first.focus()
      clicked('Command Palette…')
      expect(after()).toEqual([2, 2])
    })

    test('all show the combined progress of all pages in the taskbar', async () => {
      const [first, second] = open()
      if (!first || !second) throw new Error('two windows')
      const reportProgress = async (one: typeof first, progress: number | 'unknown' | null) => {
        await built[0]?.system?.progress(progress, `${one.webContents.id}-page`)
        return [first.progress, second.progress]
      }
      expect(await reportProgress(first, 'unknown')).toEqual([2, 2])
      expect(await reportProgress(first, 0.25)).toEqual([0.25, 0.25])
      expect(await reportProgress(second, 0.75)).toEqual([0.5, 0.5])
      expect(await reportProgress(second, 'unknown')).toEqual([0.25, 0.25])
      // The page is reloaded: its earlier progress is discarded.
      first.webContents.emit('did-navigate')
      expect([first.progress, second.progress]).toEqual([2, 2])
      expect(await reportProgress(second, null)).toEqual([-1, -1])
      await pageRequests()
    })

    test('all follow a theme change', () => {
      const count = (): number =>
        order().filter((name) => name === 'window.setBackgroundColor').length
      const before = count()
      electron.nativeTheme.emit('updated')
      expect(count()).toBe(before + 2)
    })

    test('stop, keep awake and show a recording in the window that records', async () => {
      const [first, second] = open()
      if (!first || !second) throw new Error('two windows')
      const throttled: [unknown, unknown][] = []
      for (const one of [first, second])
        one.webContents.setBackgroundThrottling = (allowed: unknown) => {
          throttled.push([one, allowed])
        }
      built[0]?.onRecording?.(true, `${second.webContents.id}-page`)
      await electron.settle()
      first.focus()
      expect(throttled).toEqual([[second, false]])
      const { length } = commandsOf(first)
      const tray = lastCall('tray.setContextMenu')[0] as { click?: () => void }[]
      tray[0]?.click?.()
      electron.powerMonitor.emit('resume')
      expect(commandsOf(second).slice(-2)).toEqual(['record-stop', 'record-awake'])
      expect(commandsOf(first)).toHaveLength(length)
      await built[0]?.notify?.({ id: 'n', title: 't', body: 'b', recordingId: 'm2', about: 'page' })
      electron.Notification.all.at(-1)?.emit('click')
      expect(second.focused).toBe(true)
      expect(second.webContents.sent.at(-1)?.value).toMatchObject({
        event: { type: 'page.recording', id: 'm2' },
      })
      built[0]?.onRecording?.(false, null)
      await electron.settle()
      expect(throttled).toEqual([
        [second, false],
        [second, true],
      ])
    })

    test('ask before the recording one closes; the other one closes, and the app stays', async () => {
      const [first, second] = open()
      if (!first || !second) throw new Error('two windows')
      second.webContents.stays = true
      const questions = (): number =>
        order().filter((name) => name === 'dialog.showMessageBox').length
      const before = questions()
      world.dialogAnswer = 0
      second.close()
      await electron.settle()
      expect([second.destroyed, questions()]).toEqual([false, before + 1])
      second.webContents.stays = false
      first.close()
      await electron.settle()
      expect([first.destroyed, questions()]).toEqual([true, before + 1])
      expect(open()).toEqual([second])
      expect(order()).not.toContain('lectern.stop')
    })

    test('are all remembered when the app ends, the last used one first', async () => {
      const [first] = open()
      clicked('New Window')
      const second = window()
      void pageRequests()
      if (!first) throw new Error('a window')
      first.bounds = { x: 300, y: 310, width: 900, height: 700 }
      second.bounds = { x: 400, y: 410, width: 900, height: 700 }
      first.focus()
      second.webContents.url = 'app://bundle/#/chats/a1?new'
      built[0]?.onRecording?.(true, null)
      await electron.settle()
      app.emit('before-quit', { preventDefault() {} })
      const saved = (): unknown => JSON.parse(readFileSync(join(home, 'window.json'), 'utf8'))
      expect(saved()).toMatchObject([
        { bounds: { x: 300, y: 310 } },
        { bounds: { x: 400, y: 410 }, route: '/chats/a1' },
      ])
      built[0]?.onRecording?.(false, null)
      await electron.settle()
      first.close()
      expect(saved()).toMatchObject([{ bounds: { x: 400, y: 410 } }])
    })
  })

  test('delays the end of a Windows session for a recording only', () => {
    const event = { prevented: 0, preventDefault: () => void event.prevented++ }
    window().emit('query-session-end', event)
    expect(event.prevented).toBe(0)
    expect(order()).not.toContain('lectern.stop')
  })

  test('asks before quitting during a recording, and continues on Keep Recording', async () => {
    built[0]?.onRecording?.(true, null)
    await electron.settle()
    const event = { prevented: 0, preventDefault: () => void event.prevented++ }
    world.dialogAnswer = 0
    app.emit('before-quit', event)
    app.emit('before-quit', event)
    await electron.settle()
    expect(event.prevented).toBe(2)
    expect(lastCall('dialog.showMessageBox')[0]).toMatchObject({
      message: 'Stop recording and quit Lectern?',
      buttons: ['Keep Recording', 'Stop and Quit'],
    })
    const questions = order().filter((name) => name === 'dialog.showMessageBox')
    app.emit('before-quit', event)
    await electron.settle()
    expect(order().filter((name) => name === 'dialog.showMessageBox')).toHaveLength(
      questions.length + 1,
    )
    expect(order()).not.toContain('lectern.stop')
    expect(order()).not.toContain('app.exit')
  })

  test('ends recording and app once after confirmation, then releases the data folder', async () => {
    const event = { prevented: 0, preventDefault: () => void event.prevented++ }
    recording.end = Promise.withResolvers()
    world.dialogAnswer = 1
    app.emit('window-all-closed')
    expect(order().at(-1)).toBe('app.quit')
    app.emit('before-quit', event)
    await electron.settle()
    expect(order().at(-1)).toBe('lectern.stopRecording')
    app.emit('before-quit', event)
    window().emit('query-session-end', event)
    await electron.settle()
    expect(order().at(-1)).toBe('lectern.stopRecording')
    expect(event.prevented).toBe(3)
    recording.end.resolve()
    await expect.poll(() => order().at(-1)).toBe('app.exit')
    inOrder('lectern.stopRecording', 'window.hide', 'lectern.stop', 'app.exit')
    expect(stopped.count).toBe(1)
    const again = lockHome(home)
    expect(again).not.toBeNull()
    again?.release()
  })

  test('stops the core before it reports an uncaught error', () => {
    // The core, which runs in this process here, has its own listener.
    const own = process
      .listeners('uncaughtException')
      .find((listener) => listener.toString().includes('showErrorBox'))
    own?.(new Error('broken'), 'uncaughtException')
    expect(order().slice(-3)).toEqual(['core.kill', 'dialog.showErrorBox', 'app.exit'])
    expect(lastCall('dialog.showErrorBox')[1]).toContain('broken')
    expect(rememberedLanguage(home)).toBe(settings.language)
  })
})
