import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { channels } from '../../../src/shared/bridge/transport.ts'
import type { HostDeps } from '../../../src/main/host.ts'
import { lockHome } from '../../../src/main/hosting/instance.ts'
import { notedApp } from '../loopback/fixture.ts'
import * as electron from './electron-mock.ts'
import { eventually } from '../../fixtures/eventually.ts'

// The real entry file of the Electron host, over a hand-written Electron and an app that notes what reaches it.
const { app, BrowserWindow, calls, lastCall, order, world } = electron
const lectern = notedApp()
const built: HostDeps[] = []
const stopped = { count: 0 }
const settings = { theme: 'dark', language: 'zh-CN' }

vi.mock('electron', () => import('./electron-mock.ts'))
vi.mock('../../../src/main/app.ts', () => ({
  createApp: async (deps: HostDeps) => {
    calls.push({ name: 'createApp', args: [] })
    built.push(deps)
    return {
      ...lectern,
      request: async (connection: { id: string; push(): void }, route: string, payload: unknown) =>
        route === 'settings.get'
          ? { ok: true, data: settings }
          : lectern.request(connection, route, payload),
      start: async () => void calls.push({ name: 'lectern.start', args: [] }),
      stop: async () => void stopped.count++,
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
  await import('../../../src/main/index.ts')
  calls.push({ name: 'entry read', args: [] })
  await electron.settle()
  electron.becomeReady()
  await eventually(() => expect(order()).toContain('lectern.start'))
  await electron.settle()
})
afterAll(() => {
  delete process.env['LECTERN_HOME']
  process.removeAllListeners('unhandledRejection')
  process.removeAllListeners('uncaughtException')
  rmSync(home, { recursive: true, force: true })
})

/** Asserts that these happened, one after the other. */
const inOrder = (...names: string[]): void => {
  const happened = order()
  const places = names.map((name) => happened.indexOf(name))
  for (const [at, place] of places.entries()) expect(place, names[at]).toBeGreaterThanOrEqual(0)
  expect(places).toEqual(places.toSorted((a, b) => a - b))
}

describe('the start', () => {
  test('names the data folder, takes the locks, and only then opens anything', () => {
    inOrder(
      'app.setPath',
      'app.requestSingleInstanceLock',
      'createApp',
      'ready',
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

  test('tells the engine everything before it is ready, in one go', () => {
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

  test('puts the policy on the session before the page is loaded', () => {
    inOrder(
      'protocol.handle',
      'session.setPermissionRequestHandler',
      'session.webRequest.onBeforeRequest',
      'new BrowserWindow',
      'window.loadURL',
    )
    expect(window().loaded).toEqual(['app://bundle/'])
  })

  test('gives the app what it needs', () => {
    const [deps] = built
    expect(deps).toMatchObject({
      host: 'electron',
      home,
      mediaBase: 'app://media/',
      modelsDir: `${join(home, 'resources')}/models`,
    })
    expect(deps?.workerUrl('search').pathname).toMatch(/\/workers\/search\.js$/)
    expect(statSync(home).mode & 0o777).toBe(0o700)
  })

  test('writes its moments to the log, which only its owner can read', async () => {
    window().webContents.emit('did-finish-load')
    await electron.settle()
    const path = join(home, 'logs', 'lectern.log')
    expect(statSync(path).mode & 0o777).toBe(0o600)
    const line = readFileSync(path, 'utf8')
      .split('\n')
      .find((text) => text.includes('"start"'))
    expect(Object.keys(JSON.parse(line ?? '{}').fields)).toEqual([
      'main',
      'ready',
      'window',
      'page',
    ])
  })
})

describe('the window', () => {
  test('has the options of the policy, whatever else it has', () => {
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

  test('goes nowhere, opens nothing, embeds nothing', async () => {
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
      message: 'Open example.com in your browser?',
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

  test('what the page asks the app to open is asked of the user as well', async () => {
    const opened = (): number => order().filter((name) => name === 'shell.openExternal').length
    const asked = (): number => order().filter((name) => name === 'dialog.showMessageBox').length
    const before = { opened: opened(), asked: asked() }
    world.dialogAnswer = 0
    expect(await built[0]?.openExternal('https://evil.example/?q=said')).toBe(false)
    expect(lastCall('dialog.showMessageBox')[0]).toMatchObject({
      message: 'Open evil.example in your browser?',
    })
    expect([opened(), asked()]).toEqual([before.opened, before.asked + 1])
    world.dialogAnswer = 1
    expect(await built[0]?.openExternal('https://example.com/')).toBe(true)
    expect(await built[0]?.openExternal('file:///etc/passwd')).toBe(false)
    expect([opened(), asked()]).toEqual([before.opened + 1, before.asked + 2])
  })

  test('comes back once after a crash, then shows the page without script', async () => {
    const { webContents, loaded } = window()
    const before = loaded.length
    webContents.emit('render-process-gone', {}, { reason: 'clean-exit', exitCode: 0 })
    webContents.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 5 })
    webContents.emit('render-process-gone', {}, { reason: 'oom', exitCode: 5 })
    await electron.settle()
    expect(loaded.slice(before)).toEqual(['app://bundle/', 'app://bundle/broken'])
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

  test('grants the microphone to our page and nothing else to anyone', () => {
    const [ask] = lastCall('session.setPermissionRequestHandler') as [Ask]
    const [check] = lastCall('session.setPermissionCheckHandler') as [Check]
    const asked = (permission: string, details: object): boolean | null => {
      let granted: boolean | null = null
      ask(null, permission, (answer) => (granted = answer), details)
      return granted
    }
    const page = { requestingUrl: 'app://bundle/', isMainFrame: true }
    expect(asked('media', { ...page, mediaTypes: ['audio'] })).toBe(true)
    expect(asked('media', { ...page, mediaTypes: ['audio', 'video'] })).toBe(false)
    expect(asked('geolocation', page)).toBe(false)
    expect(
      asked('media', {
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
    const [device] = lastCall('session.setDevicePermissionHandler') as [() => boolean]
    expect(device()).toBe(false)
  })

  test('captures a screen only for a click in our own top frame', async () => {
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
    expect(await captured({})).toEqual({ video: { id: 'screen:0', name: 'Screen' } })
    expect(await captured({ frame: null })).toBeNull()
    expect(await captured({ userGesture: false })).toBeNull()
    expect(await captured({ frame: { url: 'app://bundle/', parent: {} } })).toBeNull()
    expect(await captured({ frame: { url: 'https://evil.example/', parent: null } })).toBeNull()
  })

  test('cancels every request that is not our own', () => {
    const [filter] = lastCall('session.webRequest.onBeforeRequest') as [Filter]
    const cancelled = (url: string): boolean | null => {
      let answer: boolean | null = null
      filter({ url }, ({ cancel }) => (answer = cancel))
      return answer
    }
    expect(cancelled('app://bundle/assets/x.js')).toBe(false)
    expect(cancelled('https://evil.example/')).toBe(true)
    expect(cancelled('http://127.0.0.1:4010/')).toBe(true)
    // This entry runs as a packaged app: the tools are closed.
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

  test('reads the system’s proxy', async () => {
    world.proxy = 'PROXY proxy.example:3128; DIRECT'
    expect(await built[0]?.proxyFor('https://api.z.ai/')).toBe('http://proxy.example:3128')
    world.proxy = 'DIRECT'
    expect(await built[0]?.proxyFor('https://api.z.ai/')).toBeNull()
  })
})

describe('the bridge', () => {
  const ask = async (
    frame: unknown,
    route: unknown = 'app.info',
    senderId = window().webContents.id,
  ): Promise<unknown> =>
    window().webContents.handlers.get(channels.request)?.(
      { senderFrame: frame, sender: { id: senderId } },
      route,
      { a: 1 },
    )
  const page = { origin: 'app://bundle', url: 'app://bundle/#/x', parent: null }

  test('answers our page', async () => {
    expect([...window().webContents.handlers.keys()]).toEqual([channels.request])
    expect(await ask(page)).toEqual({ ok: true, data: { a: 1 } })
    expect(lectern.requests.at(-1)).toMatchObject({ route: 'app.info', payload: { a: 1 } })
  })

  test.each([
    ['a frame that is gone', null],
    ['a sub-frame', { ...page, parent: page }],
    ['a look-alike origin', { ...page, origin: 'app://bundle.evil' }],
    [
      'a remote page',
      { origin: 'https://evil.example', url: 'https://evil.example/', parent: null },
    ],
    ['media opened by itself', { origin: 'app://media', url: 'app://media/abc', parent: null }],
    ['the error page', { ...page, url: 'app://bundle/broken' }],
  ])('refuses %s', async (_name, frame) => {
    const before = lectern.requests.length
    expect(await ask(frame)).toMatchObject({ ok: false, error: { code: 'REFUSED' } })
    expect(lectern.requests).toHaveLength(before)
  })

  test('refuses another web contents, and names that are none', async () => {
    expect(await ask(page, 'app.info', 999)).toMatchObject({ error: { code: 'REFUSED' } })
    for (const route of [{ toString: 1, valueOf: 1 }, { toString: () => 'app.info' }, null, 7]) {
      await ask(page, route)
      expect(lectern.requests.at(-1)?.route).toBe('')
    }
  })

  test('pushes to the page, and forgets what a page asked for when it is loaded anew', () => {
    const { webContents } = window()
    const [connection] = [...lectern.connected.values()]
    connection?.push({ channel: 'app', event: { type: 'accounts.changed' } })
    expect(webContents.sent.at(-1)).toEqual({
      channel: channels.push,
      value: { channel: 'app', event: { type: 'accounts.changed' } },
    })
    const before = [...lectern.connected.keys()]
    webContents.emit('did-navigate')
    expect(lectern.connected.size).toBe(before.length)
    expect([...lectern.connected.keys()]).not.toEqual(before)
    webContents.destroyed = true
    for (const left of lectern.connected.values())
      left.push({ channel: 'app', event: { type: 'accounts.changed' } })
    webContents.destroyed = false
  })
})

describe('menu, theme and life', () => {
  type Built = {
    label: string
    submenu: { label?: string; click?: () => void; accelerator?: string }[]
  }[]
  const bar = (): Built => lastCall('Menu.setApplicationMenu')[0] as Built

  test('the menu speaks the chosen language and sends its commands to the page', async () => {
    expect(electron.nativeTheme.themeSource).toBe('dark')
    const lines = bar().flatMap(({ submenu }) => submenu)
    const palette = lines.find(({ label }) => label === '命令面板…')
    palette?.click?.()
    expect(window().webContents.sent.at(-1)?.value).toEqual({
      channel: 'app',
      event: { type: 'page.command', command: 'palette' },
    })
    settings.language = 'en'
    settings.theme = 'light'
    for (const connection of lectern.connected.values())
      connection.push({ channel: 'app', event: { type: 'settings.changed' } })
    await electron.settle()
    expect(bar().flatMap(({ submenu }) => submenu.map(({ label }) => label))).toContain(
      'Command Palette…',
    )
    expect(electron.nativeTheme.themeSource).toBe('light')
    world.dark = true
    electron.nativeTheme.emit('updated')
    expect(lastCall('window.setBackgroundColor')).toEqual(['#161718'])
  })

  test('a later launch brings the window to the front and its files in', async () => {
    window().minimized = true
    app.emit(
      'second-instance',
      {},
      ['lectern', '--flag', 'opened.wav', 'missing.wav', 'notes.txt'],
      home,
    )
    expect(order().slice(-2)).toEqual(['window.restore', 'window.focus'])
    await expect.poll(() => lectern.fetched.filter(({ method }) => method === 'PUT').length).toBe(1)
    expect(lectern.fetched.at(-1)?.url).toBe('app://bundle/intake')
  })

  test('waking is told to the app', () => {
    electron.powerMonitor.emit('resume')
    expect(order().at(-1)).toBe('lectern.resumed')
  })

  test('a closed window is remembered where it was, and opens again there', () => {
    const first = window()
    first.emit('close')
    first.emit('closed')
    app.emit('activate')
    expect(window()).not.toBe(first)
    expect(window().options).toMatchObject({ x: 10, y: 20, width: 900, height: 700 })
  })

  test('quitting waits for the app, once, then lets go of the data folder', async () => {
    const event = { prevented: 0, preventDefault: () => void event.prevented++ }
    app.emit('window-all-closed')
    expect(order().at(-1)).toBe('app.quit')
    app.emit('before-quit', event)
    app.emit('before-quit', event)
    await expect.poll(() => order().at(-1)).toBe('app.exit')
    expect(event.prevented).toBe(2)
    expect(stopped.count).toBe(1)
    const again = lockHome(home)
    expect(again).not.toBeNull()
    again?.release()
  })
})
