import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { createCrashPolicy } from '../../../../src/main/hosts/support/crash.ts'
import { createIds } from '../../../../src/main/hosts/support/ids.ts'
import { launchTask, launchTasks } from '../../../../src/main/hosts/support/launch-tasks.ts'
import { languageOf } from '../../../../src/shared/language.ts'
import {
  rememberedLanguage,
  rememberLanguage,
} from '../../../../src/main/hosts/support/language.ts'
import { createMarks } from '../../../../src/main/hosts/support/startup-marks.ts'
import { menuBar, type MenuLine } from '../../../../src/main/hosts/support/menu.ts'
import { proxyFromEnvironment, proxyFromPac } from '../../../../src/main/hosts/support/proxy.ts'
import { windowBackground } from '../../../../src/main/platform/security/window-options.ts'
import { endMs } from '../../../../src/main/platform/workers/messages.ts'
import {
  stopLimits,
  stopsWithLastWindow,
  within,
} from '../../../../src/main/hosts/support/stopping.ts'
import {
  offsetBounds,
  createPlaceSaver,
  readWindows,
  restoreBounds,
  routeOf,
  writeWindows,
  type WindowState,
} from '../../../../src/main/hosts/support/window-state.ts'

const folder = mkdtempSync(join(tmpdir(), 'lectern-decisions-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('IDs', () => {
  test('increase with time, even within a millisecond and when the clock is set back', () => {
    let now = 1_800_000_000_000
    const next = createIds(() => now)
    const made: string[] = []
    for (let at = 0; at < 5000; at++) {
      if (at % 100 === 0) now += at % 300 === 0 ? -5 : 7
      made.push(next())
    }
    expect(made.toSorted()).toEqual(made)
    expect(new Set(made).size).toBe(made.length)
    for (const id of made.slice(0, 50)) expect(id).toMatch(/^[A-Za-z0-9]{24}$/)
  })

  test('differ between processes by randomness only', () => {
    const one = createIds(() => 1)
    const two = createIds(() => 1)
    const tails = Array.from({ length: 500 }, () => [one().slice(11), two().slice(11)]).flat()
    expect(new Set(tails).size).toBe(1000)
  })
})

describe('the window', () => {
  const screen = { x: 0, y: 25, width: 1440, height: 875 }
  const left = (x: number, y: number, width = 1000, height = 700): WindowState => ({
    bounds: { x, y, width, height },
    maximized: false,
    fullScreen: false,
  })
  test('opens at its last position, if that is visible', () => {
    expect(restoreBounds(left(100, 80), [screen])).toEqual({
      x: 100,
      y: 80,
      width: 1000,
      height: 700,
    })
    const second = { x: 1440, y: 0, width: 1920, height: 1080 }
    expect(restoreBounds(left(1500, 10), [screen, second])).toMatchObject({ x: 1500, y: 10 })
  })
  test.each([
    ['a disconnected display', left(3000, 100)],
    ['a position far above the display', left(100, -2000)],
    ['a position far below the display', left(100, 895)],
    ['a position that leaves only its edge visible', left(1400, 100)],
    ['no saved position', null],
  ])('opens at the default position for %s', (_name, state) => {
    expect(restoreBounds(state, [screen])).toEqual({ width: 1240, height: 820 })
  })
  test('never opens larger than its screen, too small, or with its title above the screen', () => {
    expect(restoreBounds(left(0, 25, 5000, 5000), [screen])).toMatchObject({
      width: 1440,
      height: 875,
    })
    expect(restoreBounds(left(0, 25, 200, 10), [screen])).toMatchObject({ width: 720, height: 480 })
    expect(restoreBounds(left(0, 5), [screen])).toMatchObject({ y: 25 })
    expect(restoreBounds(left(0, 25), [])).toEqual({ width: 1240, height: 820 })
  })
  test('opens next to another one, and wraps at the edge of the screen', () => {
    const adjacentPlace = (x: number, y: number, width = 1000, height = 700) => {
      const { bounds } = left(x, y, width, height)
      const at = offsetBounds(bounds, [screen])
      expect([at.width, at.height]).toEqual([width, height])
      return [at.x, at.y]
    }
    expect(adjacentPlace(100, 80)).toEqual([128, 108])
    expect(adjacentPlace(440, 80)).toEqual([0, 108])
    expect(adjacentPlace(100, 200)).toEqual([128, 25])
    expect(adjacentPlace(430, 190)).toEqual([0, 25])
    // Its screen is gone: the position of the other one is checked when the window opens.
    expect(adjacentPlace(5000, 80)).toEqual([5000, 80])
  })
  test('is saved once it settles, and immediately when it ends', () => {
    vi.useFakeTimers()
    try {
      let saved = 0
      const place = createPlaceSaver(() => void saved++)
      for (let pixel = 0; pixel < 20; pixel++) {
        place.later()
        vi.advanceTimersByTime(499)
      }
      expect(saved).toBe(0)
      vi.advanceTimersByTime(1)
      expect(saved).toBe(1)
      place.later()
      place.now()
      vi.advanceTimersByTime(1000)
      expect(saved).toBe(2)
      place.later()
      place.end()
      vi.advanceTimersByTime(1000)
      expect(saved).toBe(2)
    } finally {
      vi.useRealTimers()
    }
  })
  test('is not full screen when an earlier version saved its state', () => {
    writeFileSync(
      join(folder, 'window.json'),
      '{"bounds":{"x":1,"y":2,"width":3,"height":4},"maximized":true}',
    )
    expect(readWindows(folder)).toMatchObject([{ maximized: true, fullScreen: false }])
    rmSync(join(folder, 'window.json'))
  })
  test('is remembered, and a corrupted file is ignored', () => {
    expect(readWindows(folder)).toEqual([])
    const two = [left(1, 2), { ...left(3, 4), route: '/chats/a1' }]
    writeWindows(folder, two)
    expect(readWindows(folder)).toEqual(two)
    for (const text of [
      '',
      '{}',
      '{"bounds":{"x":1},"maximized":true}',
      '{"bounds":{"x":1e999,"y":0,"width":1,"height":1},"maximized":true}',
    ]) {
      writeFileSync(join(folder, 'window.json'), text)
      expect(readWindows(folder)).toEqual([])
    }
    expect(() => writeWindows(join(folder, 'window.json', 'no'), [left(1, 2)])).not.toThrow()
  })
})

test('a window reopens at the place of its page, and starts nothing there', () => {
  const address = (route: string): string => routeOf(`app://bundle/#${route}`)
  expect(address('/chats/9aB')).toBe('/chats/9aB')
  expect(address('/meetings/a?t=12')).toBe('/meetings/a')
  expect(address('/meetings?record')).toBe('/meetings')
  for (const none of ['/', '/quick', '//host/a', '/a b', `/${'a'.repeat(300)}`, 'javascript:x'])
    expect(address(none), none).toBe('')
  expect(routeOf('app://bundle/broken')).toBe('')
})

test('an opening window has the color of the page, and its menu the page’s shortcuts', () => {
  const source = (path: string): string =>
    readFileSync(join(import.meta.dirname, '../../../../src/renderer/src', path), 'utf8')
  const { light, dark } = windowBackground
  expect(source('kit/theme.ts')).toContain(`chrome: ['${light}', '${dark}']`)
  const shortcuts = source('shell/settings/components/ShortcutsSection.vue').replaceAll(
    '\\\\',
    '\\',
  )
  for (const { lines } of menuBar({ platform: 'linux', language: 'en', devTools: false }))
    for (const line of lines)
      if (line.kind === 'command' && line.accelerator !== undefined)
        expect(shortcuts).toContain(line.accelerator.replace('CmdOrCtrl', 'mod').toLowerCase())
})

test('reloads after a crash once, and again when the last one was long ago', () => {
  let now = 0
  const decide = createCrashPolicy(() => now)
  expect(decide('clean-exit')).toBe('nothing')
  expect(decide('crashed')).toBe('reload')
  now += 59_000
  expect(decide('oom')).toBe('error-page')
  now += 61_000
  expect(decide('crashed')).toBe('reload')
})

describe('the menu', () => {
  const lines = (platform: string, language: 'en' | 'zh-CN', devTools = false): MenuLine[] =>
    menuBar({ platform, language, devTools }).flatMap((group) => group.lines)
  test.each(['darwin', 'win32', 'linux'])(
    'on %s has each command once, with a unique shortcut',
    (platform) => {
      const commands = lines(platform, 'en').filter((line) => line.kind === 'command')
      expect(commands.map(({ command }) => command).toSorted()).toEqual([
        'import',
        'palette',
        'search',
        'settings',
        'shortcuts',
        'toggle-inspector',
        'toggle-list',
      ])
      const keys = commands.flatMap(({ accelerator }) => accelerator ?? [])
      expect(keys).toHaveLength(commands.length - 1)
      expect(new Set(keys).size).toBe(keys.length)
    },
  )
  test('ends with Help, which contains About on systems without an app menu', () => {
    for (const platform of ['darwin', 'win32', 'linux']) {
      const help = menuBar({ platform, language: 'en', devTools: false }).at(-1)
      expect(help).toMatchObject({ label: 'Help', role: 'help' })
      const about = help?.lines.some((line) => line.kind === 'role' && line.role === 'about')
      expect([platform, about]).toEqual([platform, platform !== 'darwin'])
    }
  })
  test('can close a window on every system, and labels every item itself', () => {
    for (const platform of ['darwin', 'win32', 'linux']) {
      const roles = lines(platform, 'zh-CN').filter((line) => line.kind === 'role')
      expect(roles.map(({ role }) => role)).toContain('close')
      expect(roles.filter(({ label }) => label === undefined)).toEqual([])
    }
  })
  test('has the same items in both languages, and no developer tools in a release', () => {
    const shape = (line: MenuLine): string =>
      line.kind === 'command' ? line.command : line.kind === 'role' ? line.role : line.kind
    for (const platform of ['darwin', 'linux']) {
      expect(lines(platform, 'zh-CN').map(shape)).toEqual(lines(platform, 'en').map(shape))
      for (const line of lines(platform, 'zh-CN'))
        if ('label' in line && !line.label?.includes('Lectern'))
          expect(line.label).toMatch(/[\u4e00-\u9fff]/)
    }
    const roles = (devTools: boolean): string[] => lines('linux', 'en', devTools).map(shape)
    expect(roles(false)).not.toContain('toggleDevTools')
    expect(roles(true)).toContain('toggleDevTools')
    expect(roles(false)).toContain('reload')
    expect(roles(false)).not.toContain('recent')
    expect(lines('darwin', 'en').map(shape)).toContain('recent')
  })
})

test('a launch may request a task, in either language of the jump list', () => {
  for (const language of ['en', 'zh-CN'] as const)
    expect(launchTasks(language).map((task) => launchTask(['lectern', task.arguments]))).toEqual([
      'record',
      'quick',
      'window',
    ])
  expect(launchTask(['lectern', 'a.wav', '--flag'])).toBeNull()
})

test('uses the chosen language, or that of the system', () => {
  expect(languageOf('system', 'zh-Hans-CN')).toBe('zh-CN')
  expect(languageOf('system', 'zh')).toBe('zh-CN')
  expect(languageOf('system', 'zhx')).toBe('en')
  expect(languageOf('system', 'de-DE')).toBe('en')
  expect(languageOf('en', 'zh-CN')).toBe('en')
})

test.each([
  ['DIRECT', null],
  ['PROXY proxy.example:3128', 'http://proxy.example:3128'],
  ['HTTPS proxy.example:443; DIRECT', 'https://proxy.example:443'],
  ['SOCKS5 proxy.example:1080; PROXY other.example:80', 'http://other.example:80'],
  ['SOCKS proxy.example:1080', null],
  ['DIRECT; PROXY proxy.example:3128', null],
  ['PROXY user@proxy.example:80', null],
  ['PROXY nonsense; ; x', null],
  ['', null],
])('parses the system’s proxy result %j as %j', (answer, proxy) =>
  expect(proxyFromPac(answer)).toBe(proxy),
)

test.each([
  ['https://api.z.ai/api', {}, null],
  ['https://api.z.ai/api', { HTTPS_PROXY: 'http://p:3128' }, 'http://p:3128'],
  ['https://api.z.ai/api', { https_proxy: 'p:3128' }, 'http://p:3128'],
  ['http://api.z.ai/api', { HTTPS_PROXY: 'http://p:3128' }, null],
  ['https://api.z.ai/api', { ALL_PROXY: 'http://a:1' }, 'http://a:1'],
  ['https://api.z.ai/api', { ALL_PROXY: 'socks5://a:1' }, null],
  ['https://api.z.ai/api', { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'z.ai' }, null],
  ['https://api.z.ai/api', { HTTPS_PROXY: 'http://p:1', NO_PROXY: '.z.ai, other' }, null],
  ['https://api.z.ai/api', { HTTPS_PROXY: 'http://p:1', NO_PROXY: '*' }, null],
  ['https://api.z.ai:8443/', { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'api.z.ai:443' }, 'http://p:1'],
  ['https://notz.ai/', { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'z.ai' }, 'http://p:1'],
  ['http://127.0.0.1:4010/', { HTTP_PROXY: 'http://p:1' }, null],
  ['http://localhost:4010/', { HTTP_PROXY: 'http://p:1' }, null],
])('for %s the environment %j results in the proxy %j', (url, env, proxy) => {
  expect(proxyFromEnvironment(url, env as Record<string, string>)).toBe(proxy)
})

test('marks keep the first time of a name, in order', () => {
  let now = 0.4
  const marks = createMarks(() => (now += 10))
  marks.mark('main')
  marks.mark('ready')
  marks.mark('main')
  expect(marks.all()).toEqual({ main: 10, ready: 20 })
  expect(Object.keys(marks.all())).toEqual(['main', 'ready'])
})

test('stopping waits for the work, its failure, or the time limit', async () => {
  expect(await within(1000, Promise.resolve())).toBe(true)
  expect(await within(1000, Promise.reject(new Error('x')))).toBe(true)
  vi.useFakeTimers()
  try {
    let ended: boolean | undefined
    void within(30, new Promise(() => {})).then((result) => (ended = result))
    await vi.advanceTimersByTimeAsync(29)
    expect(ended).toBeUndefined()
    await vi.advanceTimersByTimeAsync(1)
    expect(ended).toBe(false)
  } finally {
    vi.useRealTimers()
  }
  // The host must not give the app less time than the app gives its parts.
  expect(stopLimits.app).toBeGreaterThan(stopLimits.streams + endMs)
  expect(stopsWithLastWindow('darwin', true)).toBe(false)
  expect(stopsWithLastWindow('win32', true)).toBe(true)
  // Started into the tray: a crashed quick window was the only one.
  expect(stopsWithLastWindow('win32', false)).toBe(false)
  expect(stopsWithLastWindow('linux', false)).toBe(false)
})

test('knows the language before the settings, and uses the system’s if the file is corrupted', () => {
  const home = mkdtempSync(join(folder, 'language-'))
  expect(rememberedLanguage(home)).toBe('system')
  rememberLanguage(home, 'zh-CN')
  expect(rememberedLanguage(home)).toBe('zh-CN')
  rememberLanguage(home, 'system')
  expect(rememberedLanguage(home)).toBe('system')
  for (const text of ['', '{', '"fr"', '["en"]']) {
    writeFileSync(join(home, 'language.json'), text)
    expect(rememberedLanguage(home), text).toBe('system')
  }
  expect(() => rememberLanguage(join(home, 'language.json', 'no'), 'en')).not.toThrow()
})
