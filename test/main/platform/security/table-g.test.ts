import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FuseV1Options } from '@electron/fuses'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { expectPrivate } from '../../../fixtures/private.ts'
import { network } from '../../../../src/shared/contract/network.ts'
import { checkBaseUrl } from '../../../../src/shared/provider/profiles.ts'
import { AppError, toFailure } from '../../../../src/main/errors.ts'
import {
  contentPolicy,
  pdfWorkerPolicy,
  policyHeader,
  policyMeta,
} from '../../../../src/main/platform/security/csp.ts'
import { captureGrant } from '../../../../src/main/platform/security/display-media.ts'
import { checkExternalUrl } from '../../../../src/main/platform/security/external-url.ts'
import { fuses } from '../../../../src/main/platform/security/fuses.ts'
import {
  checkedEvents,
  mayNavigate,
  preventedEvents,
  windowOpen,
} from '../../../../src/main/platform/security/navigation.ts'
import { permissions, permits } from '../../../../src/main/platform/security/permissions.ts'
import { noDictionaries } from '../../../../src/main/hosts/support/spelling.ts'
import {
  privateFolder,
  writePrivateFile,
} from '../../../../src/main/platform/security/private-files.ts'
import { downloadedMedia, mayLoad } from '../../../../src/main/platform/security/request-filter.ts'
import { trustedSender } from '../../../../src/main/platform/security/sender.ts'
import {
  crashReports,
  devTools,
  enablesSandbox,
  engineSwitches,
  schemePrivileges,
  webPreferences,
} from '../../../../src/main/platform/security/window-options.ts'
import { hostileLinks } from './links.ts'

// Each row of the security table, by its number. A row with its check elsewhere names that file.
const root = join(import.meta.dirname, '../../../..')
const source = (path: string): string => readFileSync(join(root, path), 'utf8')
/** Asserts that another test covers a row: it exists and matches the words. */
const coveredBy = (path: string, words: RegExp): void => {
  expect(existsSync(join(root, path)), `${path} is missing`).toBe(true)
  expect(source(path)).toMatch(words)
}

const folder = mkdtempSync(join(tmpdir(), 'lectern-table-g-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('G1 context isolation, no Node in the page', () => {
  expect(webPreferences.contextIsolation).toBe(true)
  const node = Object.entries(webPreferences).filter(([name]) => name.startsWith('nodeIntegration'))
  expect(node).toHaveLength(3)
  expect(node.every(([, value]) => !value)).toBe(true)
})

test('G2 sandbox, for the app and for each window', () => {
  expect(webPreferences.sandbox).toBe(true)
  expect(source('src/main/index.ts')).toContain('app.enableSandbox()')
  expect(enablesSandbox(['lectern', 'a.wav'])).toBe(true)
  // The AppImage launcher detects that it is unavailable: the policy of each window stays.
  expect(enablesSandbox(['lectern', '--no-sandbox', 'a.wav'])).toBe(false)
  coveredBy('test/main/packaging/bundles.test.ts', /requires nothing but electron/)
})

test('G3 web security on, no insecure content', () => {
  expect(webPreferences.webSecurity).toBe(true)
  expect(webPreferences.allowRunningInsecureContent).toBe(false)
  expect(webPreferences.experimentalFeatures).toBe(false)
})

test('G4 one origin, no file://', () => {
  expect(schemePrivileges).toMatchObject({ standard: true, secure: true, bypassCSP: false })
  expect(mayLoad('file:///etc/passwd', true)).toBe(false)
  expect(source('src/main/hosts/electron/window.ts')).not.toMatch(/loadFile|file:/)
  coveredBy('test/main/platform/security/pages.test.ts', /secret\.js/)
})

describe('G5 the policy names no remote host', () => {
  test.each(['electron', 'loopback'] as const)('on the %s host', (host) => {
    const policy = contentPolicy(host)
    const allowed = ["'none'", "'self'", 'data:', 'blob:']
    if (host === 'electron') allowed.push('app://media')
    for (const [directive, sources] of Object.entries(policy)) {
      const more = directive === 'style-src' ? ["'unsafe-inline'"] : []
      for (const entry of sources) expect([...allowed, ...more], directive).toContain(entry)
    }
    expect(policy['script-src']).toEqual(["'self'"])
    for (const closed of [
      'default-src',
      'object-src',
      'frame-src',
      'base-uri',
      'form-action',
      'frame-ancestors',
    ])
      expect(policy[closed]).toEqual(["'none'"])
    const header = policyHeader(policy)
    expect(header).not.toMatch(/https?:|wss?:|\*|unsafe-eval|wasm-unsafe/)
    expect(header.match(/unsafe-inline/g)).toHaveLength(1)
    expect(header).toContain(
      "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'",
    )
    expect(policyMeta(policy)).not.toContain('frame-ancestors')
    expect(policyMeta(policy)).toContain("script-src 'self'")
  })
  test.each(['app://bundle', 'http://127.0.0.1:4000'])(
    'the PDF worker, at %s, has less access than the page and compiles its decoders',
    (origin) => {
      const policy = pdfWorkerPolicy(origin)
      expect(policy['default-src']).toEqual(["'none'"])
      expect(policy['script-src']).toEqual([`${origin}/pdfjs/wasm/`, "'wasm-unsafe-eval'"])
      expect(policy['connect-src']).toEqual([`${origin}/pdfjs/`])
      expect(Object.keys(policy)).toHaveLength(3)
      coveredBy('test/e2e/documents-decoders.test.ts', /compiles WebAssembly only in the worker/)
    },
  )
})

describe('G6 the request filter', () => {
  test.each([
    ['app://bundle/', true],
    ['app://bundle/assets/x.js', true],
    ['app://media/abc', true],
    ['APP://bundle/', true],
    ['blob:app://bundle/5f1c', true],
    ['data:image/png;base64,AA==', true],
    ['app://other/', false],
    ['app://bundle.evil/', false],
    ['blob:https://evil.example/5f1c', false],
    ['blob:null/5f1c', false],
    ['http://127.0.0.1:4010/', false],
    ['http://localhost/', false],
    ['https://open.bigmodel.cn/', false],
    ['ws://127.0.0.1/', false],
    ['wss://evil.example/', false],
    ['file:///etc/passwd', false],
    ['ftp://evil.example/', false],
    ['chrome-extension://abc/x.js', false],
    ['chrome://settings', false],
    ['filesystem:app://bundle/x', false],
    ['about:srcdoc', false],
    ['nonsense', false],
    ['', false],
  ])('%s: %s', (url, allowed) => {
    expect(mayLoad(url, false)).toBe(allowed)
    expect(mayLoad(url, true)).toBe(allowed)
  })

  test('loads developer tools where they are allowed, and downloads only media', () => {
    expect(mayLoad('devtools://devtools/bundled/x.js', true)).toBe(true)
    expect(mayLoad('devtools://devtools/bundled/x.js', false)).toBe(false)
    expect(downloadedMedia('app://media/abc')).toBe('abc')
    for (const url of [
      'https://evil.example/x.exe',
      'data:text/html,x',
      'app://bundle/x',
      'app://media.evil/x',
      'blob:app://bundle/1',
      'blob:null/1',
    ])
      expect(downloadedMedia(url)).toBe(null)
  })
})

describe('G7 navigation and new windows', () => {
  test.each([
    ['app://bundle/', true],
    ['app://bundle/#/library/1', true],
    ['app://bundle', false],
    ['app://bundle/broken', false],
    ['app://bundle/assets/x.svg', false],
    ['app://bundle//', false],
    ['app://bundle/?x#', false],
    ['app://bundle.evil/', false],
    ['app://media/abc', false],
    ['https://example.com/', false],
    ['javascript:1', false],
    ['data:text/html,x', false],
    ['about:blank', false],
    ['', false],
  ])('navigating to %j: %s', (url, allowed) => expect(mayNavigate(url)).toBe(allowed))

  test('never opens a new window; links are checked', () => {
    for (const [url] of hostileLinks)
      expect(windowOpen(url)).toMatchObject({ action: 'deny', link: { ok: false } })
    expect(windowOpen('https://example.com/')).toMatchObject({ action: 'deny', link: { ok: true } })
    expect(windowOpen('app://bundle/')).toMatchObject({ action: 'deny', link: { ok: false } })
    expect([...checkedEvents].toSorted()).toEqual([
      'will-frame-navigate',
      'will-navigate',
      'will-redirect',
    ])
  })
})

test('G8 no <webview>', () => {
  expect(webPreferences.webviewTag).toBe(false)
  expect(preventedEvents).toContain('will-attach-webview')
})

/** APIs for which Electron calls the permission handlers, by the name of the permission. */
const gatedApis: Readonly<Record<string, RegExp>> = {
  media: /getUserMedia|enumerateDevices/,
  'display-capture': /getDisplayMedia/,
  'clipboard-sanitized-write': /clipboard\.write/,
  'clipboard-read': /clipboard\.read/,
  fullscreen: /requestFullscreen/,
  'screen-wake-lock': /wakeLock/,
  notifications: /\bNotification\./,
  geolocation: /\bgeolocation\b/,
  midi: /requestMIDIAccess/,
  pointerLock: /requestPointerLock/,
  keyboardLock: /keyboard\.lock/,
  'local-fonts': /queryLocalFonts/,
  'persistent-storage': /storage\.persist/,
  'speaker-selection': /selectAudioOutput|setSinkId/,
  'idle-detection': /IdleDetector/,
  'window-management': /getScreenDetails/,
  fileSystem: /show(?:Save|Open|Directory)\w*Picker|createWritable/,
  'storage-access': /requestStorageAccess/,
  'payment-handler': /PaymentRequest/,
  mediaKeySystem: /requestMediaKeySystemAccess/,
  sensors: /new (?:Accelerometer|Gyroscope|AmbientLightSensor)/,
  vr: /navigator\.xr/,
  usb: /navigator\.usb/,
  hid: /navigator\.hid/,
  serial: /navigator\.serial/,
}

describe('G9 permissions', () => {
  const ask = { url: 'app://bundle/', isMainFrame: true }
  test('the table contains exactly the permissions that the page requests', () => {
    const pages = readdirSync(join(root, 'src/renderer'), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(ts|vue)$/.test(name))
      .map((name) => source(join('src/renderer', name)))
    const gatedEntries = Object.entries(gatedApis)
      .filter(([, api]) => pages.some((text) => api.test(text)))
      .map(([permission]) => permission)
    expect(gatedEntries.toSorted()).toEqual(Object.keys(permissions).toSorted())
  })
  test('grants the microphone, full screen and wake lock, but not the camera', () => {
    for (const permission of ['fullscreen', 'screen-wake-lock', 'clipboard-sanitized-write'])
      expect([permission, permits({ ...ask, permission })]).toEqual([permission, true])
    expect(permits({ ...ask, permission: 'media', media: ['audio'] })).toBe(true)
    for (const media of [['video'], ['audio', 'video'], ['unknown'], [], undefined])
      expect(permits({ ...ask, permission: 'media', media })).toBe(false)
    expect(permits({ ...ask, permission: 'display-capture' })).toBe(true)
  })
  test.each([
    'geolocation',
    'notifications',
    'midi',
    'midiSysex',
    'pointerLock',
    'openExternal',
    'clipboard-read',
    'fileSystem',
    'hid',
    'serial',
    'usb',
    'idle-detection',
    'storage-access',
    'window-management',
    'local-network-access',
    'loopback-network',
    'unknown',
    'toString',
    '__proto__',
    'constructor',
    '',
  ])('%j is refused', (permission) => {
    expect(permits({ ...ask, permission, media: ['audio'] })).toBe(false)
  })
  test.each([
    ['another host with the same scheme', { url: 'app://media/abc', isMainFrame: true }],
    ['a lookalike', { url: 'app://bundle.evil/', isMainFrame: true }],
    ['a remote page', { url: 'https://bundle/', isMainFrame: true }],
    ['a file', { url: 'file:///bundle', isMainFrame: true }],
    ['a sub-frame', { url: 'app://bundle/', isMainFrame: false }],
    ['a missing URL', { url: undefined, isMainFrame: true }],
    ['an invalid URL', { url: 'nonsense', isMainFrame: true }],
  ])('grants nothing to %s', (_name, from) => {
    for (const permission of Object.keys(permissions))
      expect(permits({ ...from, permission, media: ['audio'] })).toBe(false)
  })
  test('display capture requires the app’s own top frame and a click', () => {
    const good = {
      frameUrl: 'app://bundle/#/x',
      isTopFrame: true,
      audio: true,
      userGesture: true,
    }
    expect(captureGrant(good)).toEqual({ ok: true, loopbackAudio: true })
    expect(captureGrant({ ...good, audio: false })).toEqual({ ok: true, loopbackAudio: false })
    for (const bad of [
      { frameUrl: null },
      { frameUrl: 'https://evil.example/' },
      { isTopFrame: false },
      { userGesture: false },
    ])
      expect(captureGrant({ ...good, ...bad })).toEqual({ ok: false })
  })
})

describe('G10 the sender check', () => {
  const frame = { origin: 'app://bundle', url: 'app://bundle/#/x', parent: null }
  const trusted = (changed: object, contentsId = 7): boolean =>
    trustedSender(
      { frame: { ...frame, ...changed }, contentsId },
      new Set([7]),
      'app://bundle',
      'app://bundle/',
    )
  test('trusts the top frame of the app page in an app window', () =>
    expect(trusted({})).toBe(true))
  test.each([
    ['a sub-frame', { parent: {} }],
    ['a lookalike origin', { origin: 'app://bundle.evil' }],
    ['an origin with the same prefix', { origin: 'app://bundle:1' }],
    ['another scheme', { origin: 'https://bundle' }],
    ['a development server', { origin: 'http://localhost:5173', url: 'http://localhost:5173/' }],
    ['an opaque origin', { origin: 'null' }],
    ['another document of the same origin', { url: 'app://bundle/broken' }],
    ['no document', { url: '' }],
  ])('refuses %s', (_name, changed) => expect(trusted(changed)).toBe(false))
  test('refuses a destroyed frame, and a window not opened by the app', () => {
    expect(
      trustedSender({ frame: null, contentsId: 7 }, new Set([7]), 'app://bundle', 'app://bundle/'),
    ).toBe(false)
    expect(trusted({}, 8)).toBe(false)
  })
})

test('G11 each request is parsed strictly', () =>
  coveredBy('test/main/platform/bridge/fuzz.test.ts', /fuzz|junk|__proto__/i))

test('G12 a narrow preload', () => {
  const text = source('src/preload/index.ts')
  expect(text.match(/exposeInMainWorld/g)).toHaveLength(1)
  // Neither the event object nor the port reaches the page: both would allow more than intended.
  const exposed = text.slice(text.indexOf('const transport: PreloadTransport'))
  expect(exposed).not.toMatch(/event\b|\bport\b|ipcRenderer\.(?!send\(channels\.ready\))/)
  coveredBy('test/main/hosts/electron/preload.test.ts', /four functions/)
  coveredBy('test/main/hosts/electron/preload.test.ts', /which the page never sees/)
})

test('G13 errors leak nothing', () => {
  const canary = 'canary-key-0123456789'
  for (const error of [
    new Error(canary),
    canary,
    { message: canary },
    new TypeError(canary, { cause: canary }),
  ])
    expect(JSON.stringify(toFailure(error, 1))).not.toContain(canary)
  expect(toFailure(new AppError('OFFLINE', 'No network'), 1)).toMatchObject({ code: 'OFFLINE' })
})

test('G14 external URLs: one check, one sink', () => {
  expect(hostileLinks.length).toBeGreaterThanOrEqual(40)
  for (const [url] of hostileLinks) expect(checkExternalUrl(url).ok, url).toBe(false)
  const shell = source('src/main/hosts/electron/shell.ts')
  // The other one opens a page of the system settings, by its name in a table.
  expect(shell.match(/shell\.openExternal/g)).toHaveLength(2)
  expect(shell).toMatch(/const address = privacySettings\(page, process\.platform\)/)
  expect(shell).toMatch(
    /checkExternalUrl\(url\)\s+if \(link\.ok\) await shell\.openExternal\(link\.url\)/,
  )
})

test('G15 files are opened by media ID, never by path', () => {
  coveredBy('test/main/platform/security/scheme.test.ts', /media by id/)
  coveredBy('test/main/hosts/loopback/entry.test.ts', /reaches nothing/)
})

test('G17 remote images: the page cannot load them', () => {
  for (const host of ['electron', 'loopback'] as const)
    for (const directive of ['img-src', 'media-src', 'font-src', 'connect-src'])
      expect(contentPolicy(host)[directive]?.join(' ')).not.toMatch(/http|\*/)
  expect(mayLoad('https://evil.example/pixel.png', true)).toBe(false)
})

test('G18 SSRF rules with a pinned address', () =>
  coveredBy('test/main/platform/security/remote-fetch.test.ts', /differently the second time/))

test('G20 the key at rest', () => {
  coveredBy('test/main/platform/secrets/keyring.test.ts', /a real gnome-keyring/)
  expect(source('src/main/platform/secrets/keyring.ts')).toContain("store: 'secret-service'")
})

test('G21 the key in motion', () => {
  coveredBy('test/main/platform/secrets/keys.test.ts', /known to the redactor before/)
  coveredBy('test/main/app/canary.test.ts', /canary/i)
})

describe('G22 the base URL', () => {
  test.each([
    ['https://open.bigmodel.cn/api', 'https://open.bigmodel.cn/api'],
    ['https://api.z.ai/api/', 'https://api.z.ai/api'],
    ['  HTTPS://Example.COM:8443/V1//  ', 'https://example.com:8443/V1'],
    ['https://[2001:db8::1]:8443/api', 'https://[2001:db8::1]:8443/api'],
    ['http://127.0.0.1:4010', 'http://127.0.0.1:4010'],
    ['http://localhost:4010/api', 'http://localhost:4010/api'],
    ['http://[::1]:4010', 'http://[::1]:4010'],
    ['http://127.8.9.1', 'http://127.8.9.1'],
  ])('accepts %j as %j', (text, url) => expect(checkBaseUrl(text)).toEqual({ ok: true, url }))

  test.each([
    ['http://example.com', 'not-https'],
    ['http://192.168.1.1/api', 'not-https'],
    ['http://0.0.0.0', 'not-https'],
    ['http://127.0.0.1.evil.example', 'not-https'],
    ['http://localhost.evil.example', 'not-https'],
    ['http://evil-localhost', 'not-https'],
    ['http://[::ffff:127.0.0.1]', 'not-a-url'],
    ['http://[::2]', 'not-https'],
    ['http://2130706433', 'not-https'],
    ['http://127.1', 'not-https'],
    ['https://user:secret@example.com', 'credentials'],
    ['https://open.bigmodel.cn@evil.example/api', 'credentials'],
    ['https://@example.com', 'credentials'],
    ['https://example.com/api?key=1', 'query'],
    ['https://example.com/api#x', 'query'],
    ['https://example.com/?', 'query'],
    ['ftp://example.com', 'not-a-url'],
    ['file:///etc/passwd', 'not-a-url'],
    ['javascript:alert(1)', 'not-a-url'],
    ['data:text/plain,x', 'not-a-url'],
    ['https://', 'not-a-url'],
    ['https:///api', 'not-a-url'],
    ['https:/example.com', 'not-a-url'],
    ['https:\\\\example.com', 'not-a-url'],
    ['https://exam ple.com', 'not-a-url'],
    ['https://example.com/a b', 'not-a-url'],
    ['https://example.com\\@evil.example', 'not-a-url'],
    ['https://-example.com', 'not-a-url'],
    ['https://exämple.com', 'not-a-url'],
    ['https://example.com:port', 'not-a-url'],
    ['https://example.com:123456', 'not-a-url'],
    ['example.com', 'not-a-url'],
    ['//example.com', 'not-a-url'],
    ['', 'not-a-url'],
    ['https://example.com/\u0000', 'not-a-url'],
    ['http://127.999.1.1', 'not-a-url'],
    ['http://127.0.0.01', 'not-a-url'],
    ['http://127.0.0.1:99999', 'not-a-url'],
    ['https://example.com:65536', 'not-a-url'],
    ['https://1.2.3', 'not-a-url'],
    ['https://1.2.3.256', 'not-a-url'],
    ['https://0x7f.1', 'not-a-url'],
    ['https://example.0x7', 'not-a-url'],
    ['https://[:]', 'not-a-url'],
    ['https://[1::2::3]', 'not-a-url'],
    ['https://[12345::]', 'not-a-url'],
  ])('refuses %j: %s', (text, reason) => expect(checkBaseUrl(text)).toEqual({ ok: false, reason }))

  test('accepted URLs have the same host for the URL class', () => {
    for (const text of [
      'https://Example.com:8443/V1',
      'http://[::1]:4010',
      'http://127.8.9.1/a//',
    ]) {
      const checked = checkBaseUrl(text)
      if (!checked.ok) throw new Error(text)
      expect(new URL(checked.url).host).toBe(new URL(text).host)
    }
  })

  test.each(['http://[', 'http://[:]', 'http://a:99999', 'http://', 'http://127.1.1.999'])(
    '%j is not a proxy',
    (proxy) => expect(network.setProxy.request.safeParse({ proxy }).success).toBe(false),
  )
  test.each(['system', 'none', 'http://10.0.0.1:3128', 'https://proxy.example/'])(
    '%j is a proxy',
    (proxy) => expect(network.setProxy.request.safeParse({ proxy }).success).toBe(true),
  )

  test('any accepted URL can be parsed, and keeps the typed host', () => {
    const part = fc.constantFrom(
      ...'127 0 1 255 256 999 01 0x7f a xn--a xn-- - com :: : [ ] . . . :80 :99999 :0 / %2e'.split(
        ' ',
      ),
    )
    fc.assert(
      fc.property(fc.constantFrom('http://', 'https://'), fc.array(part), (scheme, parts) => {
        const checked = checkBaseUrl(scheme + parts.join(''))
        if (!checked.ok) return
        const typed = /^https?:\/\/(\[[^\]]*\]|[^:/]*)/.exec(checked.url)?.[1]
        const { hostname } = new URL(`${checked.url}/paas/v4/files`)
        if (!hostname.startsWith('[')) expect(hostname).toBe(typed)
      }),
      { numRuns: 20_000 },
    )
  })
})

test('G23 every fuse of this Electron has an explicit value', () => {
  const names = Object.keys(FuseV1Options).filter((name) => Number.isNaN(Number(name)))
  expect(Object.keys(fuses).toSorted()).toEqual(names.toSorted())
  expect(
    Object.entries(fuses)
      .filter(([, on]) => on)
      .map(([name]) => name)
      .toSorted(),
  ).toEqual(['EnableEmbeddedAsarIntegrityValidation', 'OnlyLoadAppFromAsar', 'WasmTrapHandlers'])
})

test('G24 no updater makes requests automatically', () =>
  coveredBy('test/main/packaging/configuration.test.ts', /publish/))

test('G25 a lock file, and install scripts only where they were reviewed', () => {
  const lock: {
    packages: Record<string, { version: string; hasInstallScript?: boolean; dev?: boolean }>
  } = JSON.parse(source('package-lock.json'))
  const shipped = Object.entries(lock.packages).filter(
    ([, entry]) => entry.hasInstallScript && !entry.dev,
  )
  // protobufjs only compares version numbers there; it is not packed, and npm does not run it (allowScripts).
  expect(shipped.map(([path]) => path)).toEqual(['node_modules/protobufjs'])
  expect(JSON.parse(source('package.json'))).toMatchObject({ allowScripts: { node: true } })
  expect(Object.keys(JSON.parse(source('package.json')).allowScripts)).toEqual(['node'])
  expect(lock.packages['node_modules/electron']?.version).toMatch(/^45\./)
})

test('G26 developer tools and inspecting are disabled in a release', () => {
  expect(devTools.packaged).toBe(false)
  expect(fuses.EnableNodeCliInspectArguments).toBe(false)
  expect(fuses.EnableNodeOptionsEnvironmentVariable).toBe(false)
  expect(fuses.RunAsNode).toBe(false)
})

test('G27 no exception for development is left', () =>
  coveredBy('test/main/packaging/bundles.test.ts', /development server/))

test('G28 local data is accessible to its owner only', () => {
  const home = join(folder, 'home')
  mkdirSync(home, { mode: 0o755 })
  chmodSync(home, 0o755)
  privateFolder(home)
  expectPrivate(home)
  const file = join(home, 'deep', 'instance.json')
  writePrivateFile(file, 'one')
  writePrivateFile(file, 'two')
  expectPrivate(file)
  expectPrivate(join(home, 'deep'))
  expect(readFileSync(file, 'utf8')).toBe('two')
  // A file readable by all users is replaced, not overwritten.
  const wide = join(home, 'wide')
  writeFileSync(wide, 'old', { mode: 0o644 })
  writePrivateFile(wide, 'new')
  expectPrivate(wide)
})

test('the engine makes no automatic requests, and crash dumps stay on this computer', () => {
  expect(engineSwitches.map(([name]) => name)).toEqual(
    expect.arrayContaining([
      'disable-background-networking',
      'disable-component-update',
      'dns-prefetch-disable',
    ]),
  )
  expect(crashReports.uploadToServer).toBe(false)
  // Dictionaries are those of the system: the URL of Chromium's own is never contacted.
  expect(noDictionaries).toBe('http://127.0.0.1:1/')
  expect(source('src/main/index.ts')).toContain('setupSpelling()')
})
