import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { complete, missingOptional } from '../../scripts/complete-lock.mjs'
import { findChromium, onPath } from '../../scripts/lib/browser.mjs'
import { run } from '../../scripts/lib/command.mjs'
import { noWindowReason } from '../../scripts/lib/electron.mjs'
import { appNeeds, atLeast } from '../../scripts/lib/node-version.mjs'
import { firstDifference } from '../../scripts/lib/packages.mjs'
import { Problem, explain, seconds } from '../../scripts/lib/say.mjs'
import { contentHash, filesBelow } from '../../scripts/lib/stamps.mjs'
import { countReport } from '../../scripts/lib/test-report.mjs'

let folder = ''
const put = (path, text = '', mode = 0o644) => {
  const file = join(folder, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  chmodSync(file, mode)
  return file
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lectern-scripts-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('packages', () => {
  const lock = { '': {}, 'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' } }
  const other = { optional: true, version: '2.0.0', integrity: 'sha512-b' }

  test('are in place when everything is as locked, but for other systems', () => {
    expect(firstDifference({ ...lock, 'node_modules/b': other }, lock)).toBeNull()
  })

  test.each([
    ['none', null, 'node_modules'],
    ['one missing', { '': {} }, 'node_modules/a'],
    [
      'another version',
      { 'node_modules/a': { ...lock['node_modules/a'], version: '1.0.1' } },
      'node_modules/a',
    ],
    [
      'other bytes',
      { 'node_modules/a': { ...lock['node_modules/a'], integrity: 'sha512-x' } },
      'node_modules/a',
    ],
  ])('are installed again when there is %s', (_, installed, path) => {
    expect(firstDifference(lock, installed)).toBe(path)
  })
})

describe('a lock file without packages for other systems', () => {
  const optionalDependencies = { '@x/y-linux-x64-musl': '1.2.3', '@x/y-win32-arm64-msvc': '1.2.3' }
  const lock = {
    '': {},
    'node_modules/@x/y': { version: '1.2.3', dev: true, optionalDependencies },
    'node_modules/@x/y-linux-x64-musl': { version: '1.2.3', integrity: 'sha512-a' },
  }

  test('is made whole, and what it had stays', () => {
    const whole = complete(lock)
    expect(missingOptional(whole)).toEqual([])
    expect(whole).toMatchObject(lock)
    expect(whole['node_modules/@x/y-win32-arm64-msvc']).toEqual({
      version: '1.2.3',
      cpu: ['arm64'],
      dev: true,
      optional: true,
      os: ['win32'],
    })
  })

  test('is not guessed at when a name says no system', () => {
    const odd = { 'node_modules/a': { optionalDependencies: { b: '1.0.0' } } }
    expect(() => complete(odd)).toThrow('does not name its system')
  })
})

describe('the browser', () => {
  const machine = (env = {}) => ({
    platform: 'linux',
    home: folder,
    env: { PATH: join(folder, 'bin'), ...env },
  })

  test('is the one that was named, and only that one', () => {
    put('bin/chromium', '', 0o755)
    const named = put('elsewhere/chrome', '', 0o755)
    expect(findChromium(machine({ CHROMIUM_PATH: named }))).toBe(named)
    expect(() => findChromium(machine({ CHROMIUM_PATH: join(folder, 'gone') }))).toThrow(Problem)
  })

  test('is found on PATH, Chromium first, and must be a program', () => {
    put('bin/chromium', 'not a program')
    const chrome = put('bin/google-chrome', '', 0o755)
    expect(findChromium(machine())).toBe(chrome)
    const chromium = put('bin/chromium-browser', '', 0o755)
    expect(findChromium(machine())).toBe(chromium)
    expect(onPath('nothing', machine())).toBeNull()
  })

  test('is found among the downloads of Playwright, the newest first', () => {
    const place = 'ms-playwright'
    put(`${place}/chromium-999/chrome-linux/chrome`, '', 0o755)
    const newest = put(`${place}/chromium-1200/chrome-linux64/chrome`, '', 0o755)
    put(`${place}/chromium-1300/INSTALLATION_STARTED`)
    expect(findChromium(machine({ PLAYWRIGHT_BROWSERS_PATH: join(folder, place) }))).toBe(newest)
  })
})

describe('the window', () => {
  const linux = { platform: 'linux', env: { DISPLAY: ':0' }, uid: 1000 }
  test('opens on a desktop', () => {
    expect(noWindowReason(linux)).toBeNull()
    expect(noWindowReason({ platform: 'darwin', env: {}, uid: 501 })).toBeNull()
  })
  test('does not open without a display or as root, and says why', () => {
    expect(noWindowReason({ ...linux, env: {} })).toContain('display')
    expect(noWindowReason({ ...linux, uid: 0 })).toContain('root')
  })
})

describe('a test report', () => {
  const file = (...statuses) => ({
    status: statuses.includes('failed') ? 'failed' : 'passed',
    assertionResults: statuses.map((status, i) => ({ status, fullName: `test ${i}` })),
  })

  test('is counted as it is', () => {
    const report = { testResults: [file('passed', 'passed'), file('failed', 'passed')] }
    expect(countReport(report, 1)).toEqual({ passed: 3, failed: 1, skipped: [] })
  })
  test('counts a file that could not be loaded as a failure', () => {
    const report = { testResults: [file('passed'), { status: 'failed', assertionResults: [] }] }
    expect(countReport(report, 1)).toMatchObject({ passed: 1, failed: 1 })
  })
  test('counts a run that failed outside its tests as a failure', () => {
    expect(countReport({ testResults: [file('passed')] }, 1)).toMatchObject({ failed: 1 })
  })
  test('names what was skipped', () => {
    expect(countReport({ testResults: [file('passed', 'skipped', 'todo')] }, 0)).toMatchObject({
      skipped: ['test 1', 'test 2'],
    })
  })
})

describe('a program', () => {
  const node = (code, options) => run(process.execPath, ['-e', code], { capture: true, ...options })

  test('hands on its exit code and its words', async () => {
    const outcome = await node('console.log("out"); console.error("err"); process.exit(3)')
    expect(outcome.code).toBe(3)
    expect(outcome.output).toMatch(/out[^]*err|err[^]*out/)
  })
  test('that cannot be started ends with 127', async () => {
    expect(await run(join(folder, 'gone'), [], { capture: true })).toMatchObject({ code: 127 })
  })
  test('that takes too long is stopped', async () => {
    const outcome = await node('setInterval(() => {}, 1000)', { timeoutMs: 300 })
    expect(outcome).toMatchObject({ timedOut: true, code: 137 })
  })
})

test('a content hash changes with a name and with a byte, and with nothing else', () => {
  put('src/a.ts', 'one')
  put('src/deep/b.ts', 'two')
  const hash = () => contentHash([join(folder, 'src'), join(folder, 'absent')])
  const first = hash()
  put('src/a.ts', 'one')
  expect(hash()).toBe(first)
  put('src/a.ts', 'onE')
  const second = hash()
  expect(second).not.toBe(first)
  put('src/c.ts')
  expect(hash()).not.toBe(second)
  expect(filesBelow([join(folder, 'src')])).toHaveLength(3)
})

test('versions are compared as numbers', () => {
  expect(atLeast('v22.19.0', appNeeds)).toBe(true)
  expect(atLeast('v22.9.5', appNeeds)).toBe(false)
  expect(atLeast('v24.0.0', appNeeds)).toBe(true)
  expect(atLeast('v20.20.2', appNeeds)).toBe(false)
})

test('a problem is explained in its own words, a bug with its stack', () => {
  expect(explain(new Problem('No cup.', 'Get one.'))).toBe('No cup.\nGet one.')
  expect(explain(new Error('broken'))).toContain('scripts.test.mjs')
  expect([seconds(0), seconds(9940), seconds(61_400)]).toEqual(['0.0 s', '9.9 s', '61 s'])
})
