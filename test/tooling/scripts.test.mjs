import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { complete, missingOptional } from '../../scripts/complete-lock.mjs'
import { maxTitleLength, problemsOf } from '../../scripts/lib/commit-message.mjs'
import { findChromium, onPath } from '../../scripts/lib/browser.mjs'
import { run } from '../../scripts/lib/command.mjs'
import {
  downloadStamp,
  failedJustNow,
  instanceCard,
  noWindowReason,
  runWindow,
  sandboxRepair,
  windowCommand,
} from '../../scripts/lib/electron.mjs'
import { appNeeds, atLeast } from '../../scripts/lib/node-version.mjs'
import { firstDifference } from '../../scripts/lib/packages.mjs'
import { Problem, explain, seconds } from '../../scripts/lib/say.mjs'
import { contentHash, filesBelow } from '../../scripts/lib/stamps.mjs'
import { root } from '../../scripts/lib/paths.mjs'
import { countReport, failedFiles, flakyTests } from '../../scripts/lib/test-report.mjs'
import { runVitest } from '../../scripts/lib/vitest-run.mjs'
import { dataFolder } from '../../src/main/hosts/support/home.ts'
import { lockHome } from '../../src/main/hosts/support/instance.ts'

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

  test('are up to date when everything matches the lock file, except for other systems', () => {
    expect(firstDifference({ ...lock, 'node_modules/b': other }, lock)).toBeNull()
  })

  test.each([
    ['no package', null, 'node_modules'],
    ['a missing package', { '': {} }, 'node_modules/a'],
    [
      'another version',
      { 'node_modules/a': { ...lock['node_modules/a'], version: '1.0.1' } },
      'node_modules/a',
    ],
    [
      'another checksum',
      { 'node_modules/a': { ...lock['node_modules/a'], integrity: 'sha512-x' } },
      'node_modules/a',
    ],
  ])('are reinstalled when there is %s', (_, installed, path) => {
    expect(firstDifference(lock, installed)).toBe(path)
  })
})

describe('lock file without packages for other systems', () => {
  const optionalDependencies = { '@x/y-linux-x64-musl': '1.2.3', '@x/y-win32-arm64-msvc': '1.2.3' }
  const lock = {
    '': {},
    'node_modules/@x/y': { version: '1.2.3', dev: true, optionalDependencies },
    'node_modules/@x/y-linux-x64-musl': { version: '1.2.3', integrity: 'sha512-a' },
  }

  test('is completed, keeping its entries', () => {
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

  test('is not guessed at when a name contains no system', () => {
    const odd = { 'node_modules/a': { optionalDependencies: { b: '1.0.0' } } }
    expect(() => complete(odd)).toThrow('does not contain its system')
  })
})

describe('browser', () => {
  const machine = (env = {}) => ({
    platform: 'linux',
    home: folder,
    env: { PATH: join(folder, 'bin'), ...env },
  })

  test('is the configured one, and only that one', () => {
    put('bin/chromium', '', 0o755)
    const named = put('elsewhere/chrome', '', 0o755)
    expect(findChromium(machine({ CHROMIUM_PATH: named }))).toBe(named)
    expect(() => findChromium(machine({ CHROMIUM_PATH: join(folder, 'gone') }))).toThrow(Problem)
  })

  test('is found on PATH, Chromium first, and must be executable', () => {
    put('bin/chromium', 'not a program')
    const chrome = put('bin/google-chrome', '', 0o755)
    expect(findChromium(machine())).toBe(chrome)
    const chromium = put('bin/chromium-browser', '', 0o755)
    expect(findChromium(machine())).toBe(chromium)
    expect(onPath('nothing', machine())).toBeNull()
  })

  test('is found among the downloads of Playwright, newest first', () => {
    const place = 'ms-playwright'
    put(`${place}/chromium-999/chrome-linux/chrome`, '', 0o755)
    const newest = put(`${place}/chromium-1200/chrome-linux64/chrome`, '', 0o755)
    put(`${place}/chromium-1300/INSTALLATION_STARTED`)
    expect(findChromium(machine({ PLAYWRIGHT_BROWSERS_PATH: join(folder, place) }))).toBe(newest)
  })
})

describe('window', () => {
  const linux = { platform: 'linux', env: { DISPLAY: ':0' }, uid: 1000 }
  test('opens on a desktop', () => {
    expect(noWindowReason(linux)).toBeNull()
    expect(noWindowReason({ platform: 'darwin', env: {}, uid: 501 })).toBeNull()
  })
  test('does not open without a display or as root, with the reason', () => {
    expect(noWindowReason({ ...linux, env: {} })).toContain('display')
    expect(noWindowReason({ ...linux, uid: 0 })).toContain('root')
  })

  test('uses plain Electron, whatever the terminal’s environment', () => {
    const program = '/app/node_modules/electron/dist/electron'
    const app = resolve('/app')
    expect(windowCommand(program, [app, '--hidden'], { ...linux })).toEqual({
      command: program,
      args: [app, '--hidden'],
      env: { ELECTRON_RUN_AS_NODE: undefined },
    })
  })

  test('is opened by macOS itself with our settings, for permissions of Electron, not the terminal', () => {
    const program = '/a b/electron/dist/Electron.app/Contents/MacOS/Electron'
    const env = { LECTERN_HOME: 'a b', PATH: '/bin' }
    const given = [resolve('/app'), '--hidden', 'talk.wav', 'lectern://open/chat/1']
    const { command, args } = windowCommand(program, given, { platform: 'darwin', env })
    const [first, last] = [
      args.slice(0, args.indexOf('--args')),
      args.slice(args.indexOf('--args')),
    ]
    const bundle = '/a b/electron/dist/Electron.app'
    expect(command).toBe('open')
    expect(first).toEqual(['-W', '-n', '-a', bundle, '--env', `LECTERN_HOME=${resolve('a b')}`])
    const rest = [resolve('/app'), '--hidden', resolve('talk.wav'), 'lectern://open/chat/1']
    expect(last).toEqual(['--args', ...rest])
  })

  test('is not opened by macOS for a self-test, which would lose its report and exit code', () => {
    const program = '/electron/dist/Electron.app/Contents/MacOS/Electron'
    const given = [resolve('/app'), '--self-test', '--report=report.json']
    for (const platform of ['darwin', 'linux', 'win32'])
      expect(windowCommand(program, given, { platform, env: {} })).toMatchObject({
        command: program,
        args: [resolve('/app'), '--self-test', `--report=${resolve('report.json')}`],
      })
  })

  describe('on macOS, where `open` always exits with 0', () => {
    const program = '/electron/dist/Electron.app/Contents/MacOS/Electron'
    const gone = 2 ** 22 + 1
    /** Runs the window; `app` simulates what the opened app does with the data folder. */
    const runs = (app, args = [], code = 0) =>
      runWindow(program, ['/app', ...args], {
        machine: { platform: 'darwin', env: { LECTERN_HOME: folder } },
        runs: async () => {
          await app()
          return { code, timedOut: false, output: '' }
        },
      })
    const wait = () => new Promise((done) => setTimeout(done, 300))
    const card = (pid) => ({ host: 'electron', pid, port: null, secret: '' })
    /** Locks the data folder for a process, like the app does. */
    const hold = (pid) => {
      const lock = lockHome(folder)
      lock.announce(card(pid))
      return lock
    }

    test('reads the instance file from where the app writes it', () => {
      const machine = { platform: 'darwin', env: {} }
      for (const env of [{}, { LECTERN_HOME: folder }])
        expect(instanceCard({ ...machine, env }, '/Users/ada')).toBe(
          join(dataFolder({ ...machine, env, userHome: '/Users/ada' }), 'instance.json'),
        )
    })

    test('treats an app that never started as failed', async () => {
      expect(await runs(wait)).toEqual({ code: 0, failed: true })
    })

    test('treats an app that crashed at start as failed', async () => {
      const crash = async () => void put('instance.json', JSON.stringify(card(gone)))
      expect(await runs(crash)).toEqual({ code: 0, failed: true })
    })

    test('does not treat an app that quit at once or handed over to a running one as failed', async () => {
      const quit = async () => {
        const lock = hold(process.pid)
        await wait()
        lock.release()
      }
      expect(await runs(quit)).toEqual({ code: 0, failed: false })
      const other = hold(process.pid)
      expect(await runs(wait)).toEqual({ code: 0, failed: false })
      other.release()
    })

    test('treats an app that `open` does not find as failed, but not a stopped one', async () => {
      expect(await runs(wait, [], 1)).toEqual({ code: 1, failed: true })
      expect(await runs(wait, [], 130)).toEqual({ code: 130, failed: false })
    })

    test('uses the exit code of a self-test', async () => {
      expect(await runs(wait, ['--self-test'])).toEqual({ code: 0, failed: false })
      expect(await runs(wait, ['--self-test'], 134)).toEqual({ code: 134, failed: true })
    })
  })

  describe('sandbox', () => {
    const free = {
      platform: 'linux',
      program: "/home/o'neil/electron/dist/electron",
      apparmorRestricts: '0',
      unprivilegedClone: '',
      mostNamespaces: '63488',
      helper: { uid: 1000, mode: 0o100755 },
    }
    const lines = [
      "sudo chown root:root '/home/o'\\''neil/electron/dist/chrome-sandbox'",
      "sudo chmod 4755 '/home/o'\\''neil/electron/dist/chrome-sandbox'",
    ]
    const ubuntu = { ...free, apparmorRestricts: '1' }
    test.each([
      ['Debian 13, Fedora', free, null],
      [
        'a kernel without these settings',
        { ...free, apparmorRestricts: '', mostNamespaces: '' },
        null,
      ],
      ['Ubuntu 24.04', ubuntu, lines],
      [
        'Ubuntu 24.04 with the helper set up',
        { ...ubuntu, helper: { uid: 0, mode: 0o104755 } },
        null,
      ],
      ['only the owner', { ...ubuntu, helper: { uid: 0, mode: 0o100755 } }, lines],
      ['only the mode', { ...ubuntu, helper: { uid: 1000, mode: 0o104755 } }, lines],
      ['no helper', { ...ubuntu, helper: undefined }, lines],
      ['Debian 10', { ...free, unprivilegedClone: '0' }, lines],
      ['no namespaces', { ...free, mostNamespaces: '0' }, lines],
      ['macOS', { ...ubuntu, platform: 'darwin' }, null],
    ])('prints the sandbox commands needed on %s: %#', (_, facts, expected) => {
      expect(sandboxRepair(facts)).toEqual(expected)
    })
  })
})

describe('failed Electron download', () => {
  const minute = 60_000
  const stamp = downloadStamp({})
  const failure = { ...stamp, reason: 'why', at: 10 * minute }

  test('is remembered for minutes, not for a day', () => {
    expect(failedJustNow(failure, stamp, 14 * minute)).toBe(true)
    expect(failedJustNow(failure, stamp, 16 * minute)).toBe(false)
    expect(failedJustNow(failure, stamp, 9 * minute)).toBe(false)
    expect(failedJustNow(null, stamp, 11 * minute)).toBe(false)
  })

  test.each([
    ['a mirror', { ELECTRON_MIRROR: 'https://mirror.invalid/' }],
    ['a proxy', { https_proxy: 'http://user:secret@proxy.invalid' }],
    ['npm’s proxy', { npm_config_https_proxy: 'http://proxy.invalid' }],
  ])('does not apply to other settings: %s', (_, env) => {
    const other = downloadStamp(env)
    expect(failedJustNow(failure, other, 11 * minute)).toBe(false)
    expect(JSON.stringify(other)).not.toContain('invalid')
  })

  test('does not apply to another version', () => {
    expect(failedJustNow({ ...failure, version: '1.0.0' }, stamp, 11 * minute)).toBe(false)
  })
})

describe('test report', () => {
  const file = (...statuses) => ({
    status: statuses.includes('failed') ? 'failed' : 'passed',
    assertionResults: statuses.map((status, i) => ({ status, fullName: `test ${i}` })),
  })

  test('is counted correctly', () => {
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
  test('lists tests that passed only when repeated', () => {
    const tests = [
      { status: 'passed', fullName: 'a', meta: {} },
      { status: 'passed', fullName: 'b', meta: { retries: 1 } },
      { status: 'failed', fullName: 'c', meta: { retries: 1 } },
    ]
    expect(flakyTests([{ assertionResults: tests }])).toEqual(['b'])
  })
  test('lists failed files with their tests and errors, to run them again', () => {
    const failed = (name, ...messages) => ({
      name: join(root, name),
      status: 'failed',
      assertionResults: messages.map((message, place) => ({
        status: 'failed',
        fullName: `test ${place}`,
        failureMessages: [`${message}\n    at line 1`],
      })),
    })
    const passed = { ...file('passed'), name: join(root, 'test/a.test.ts') }
    const report = {
      testResults: [passed, failed('test/b.test.ts', 'timeout', 'no'), failed('test/c.test.ts')],
    }
    expect(failedFiles(report)).toEqual([
      {
        name: 'test/b.test.ts',
        tests: ['test/b.test.ts > test 0: timeout', 'test/b.test.ts > test 1: no'],
      },
      { name: 'test/c.test.ts', tests: ['test/c.test.ts'] },
    ])
  })
  test('lists skipped tests', () => {
    expect(countReport({ testResults: [file('passed', 'skipped', 'todo')] }, 0)).toMatchObject({
      skipped: ['test 1', 'test 2'],
    })
  })
})

describe('test run', () => {
  const vitestIn = (options) =>
    runVitest([`--root=${folder}`, '--globals'], { capture: true, ...options })
  const named = ({ testResults }) =>
    testResults
      .map(({ name, status, assertionResults }) => [
        basename(name),
        status,
        assertionResults.map((each) => `${each.fullName}: ${each.status}`),
      ])
      .toSorted()

  test('reports each file with its tests', async () => {
    put('a.test.js', `describe('a', () => { test('b', () => {}); test.skip('c', () => {}) })`)
    put('d.test.js', `test('d', () => { throw new Error('no') })`)
    put('e.test.js', `throw new Error('not loaded')`)
    const found = await vitestIn()
    expect(named(found)).toEqual([
      ['a.test.js', 'passed', ['a b: passed', 'a c: skipped']],
      ['d.test.js', 'failed', ['d: failed']],
      ['e.test.js', 'failed', []],
    ])
    expect(found).toMatchObject({ code: 1, notRun: [] })
    expect(found.testResults.flatMap((file) => failedFiles({ testResults: [file] }))).toHaveLength(
      2,
    )
  })
  test('has its temporary files in memory if there is room, and deletes them', async () => {
    const place = join(folder, 'place')
    put(
      'a.test.js',
      `import { mkdtempSync, writeFileSync } from 'node:fs'
      import { tmpdir } from 'node:os'
      test('a', () => writeFileSync(${JSON.stringify(place)}, mkdtempSync(tmpdir() + '/lectern-a-')))`,
    )
    expect(await vitestIn({ inMemory: true })).toMatchObject({ code: 0 })
    const made = readFileSync(place, 'utf8')
    expect(existsSync(made)).toBe(!made.startsWith('/dev/shm/lectern-tests-'))
  })
  test('is stopped with its processes if nothing happens for too long, and says which files did not finish', async () => {
    put('a.test.js', `test('a', () => {})`)
    const pidFile = join(folder, 'pid')
    put(
      'b.test.js',
      `import { spawn } from 'node:child_process'
      import { writeFileSync } from 'node:fs'
      test('b', () => {
        const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true })
        writeFileSync(${JSON.stringify(pidFile)}, String(child.pid))
        for (;;);
      })`,
    )
    put('c.test.js', `test('c', () => {})`)
    const found = await vitestIn({ stallMs: 10_000 })
    expect(found.code).toBe(137)
    expect(named(found)).toContainEqual(['b.test.js', 'failed', []])
    expect(
      [...found.testResults.map(({ name }) => name), ...found.notRun]
        .map((name) => basename(name))
        .toSorted(),
    ).toEqual(['a.test.js', 'b.test.js', 'c.test.js'])
    const pid = Number(readFileSync(pidFile, 'utf8'))
    // A dead process may still wait for its new parent to notice.
    const state = () =>
      spawnSync('ps', ['-o', 'stat=', '-p', `${pid}`], { encoding: 'utf8' }).stdout
    await vi.waitFor(() => expect(state()).toMatch(/^(Z|$)/))
  })
})

describe('commit message', () => {
  const body = '\n\nThe old one lost the last line.'
  test('is accepted with an imperative title and a body', () => {
    expect(problemsOf(`Resume imports after a restart${body}`)).toEqual([])
    expect(problemsOf(`Embed fonts in the exported page${body}`)).toEqual([])
  })
  test('needs a short title that describes the commit', () => {
    const long = `Resume ${'very '.repeat(14)}long imports`
    expect(problemsOf(long + body)).toEqual([
      `the title has ${long.length} characters; shorten it to ${maxTitleLength}`,
    ])
    for (const title of ['The import resumes', 'Resumed imports', 'Resuming imports'])
      expect(problemsOf(title + body)).toEqual([expect.stringContaining('not an imperative')])
    expect(problemsOf(`resume imports.${body}`)).toEqual([
      'start the title with a capital letter',
      'remove the period at the end of the title',
    ])
  })
  test('needs a body that explains why', () => {
    expect(problemsOf('Resume imports')).toEqual(['add a body that says why'])
    expect(problemsOf('Resume imports\n\nSigned-off-by: A <a@example>')).toHaveLength(1)
    expect(problemsOf('Resume imports\nThe old one lost a line.')).toEqual([
      'leave the second line empty',
    ])
  })
})

describe('program', () => {
  const node = (code, options) => run(process.execPath, ['-e', code], { capture: true, ...options })

  test('passes on its exit code and output', async () => {
    const outcome = await node('console.log("out"); console.error("err"); process.exit(3)')
    expect(outcome.code).toBe(3)
    expect(outcome.output).toMatch(/out[^]*err|err[^]*out/)
  })
  test('receives our environment, without the removed variables', async () => {
    vi.stubEnv('ELECTRON_RUN_AS_NODE', '1')
    vi.stubEnv('LECTERN_HOME', '/somewhere')
    const { env } = windowCommand('electron', [], { platform: 'linux', env: {} })
    const code = 'console.log(process.env.ELECTRON_RUN_AS_NODE, process.env.LECTERN_HOME)'
    expect((await node(code, { env })).output).toBe('undefined /somewhere\n')
    vi.unstubAllEnvs()
  })
  test('ends with 127 if it cannot be started', async () => {
    expect(await run(join(folder, 'gone'), [], { capture: true })).toMatchObject({ code: 127 })
  })
  test('is stopped if it takes too long', async () => {
    const outcome = await node('setInterval(() => {}, 1000)', { timeoutMs: 300 })
    expect(outcome).toMatchObject({ timedOut: true, code: 137 })
  })
  test('is stopped if its caller no longer waits', async () => {
    const outcome = await node('setInterval(() => {}, 1000)', { signal: AbortSignal.timeout(300) })
    expect(outcome).toMatchObject({ timedOut: false, code: 137 })
  })
})

test('changes a content hash with a name and with a byte, and with nothing else', () => {
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

test('compares versions as numbers', () => {
  expect(atLeast('v22.19.0', appNeeds)).toBe(true)
  expect(atLeast('v22.9.5', appNeeds)).toBe(false)
  expect(atLeast('v24.0.0', appNeeds)).toBe(true)
  expect(atLeast('v20.20.2', appNeeds)).toBe(false)
})

test('explains a problem in its own words, and a bug with its stack', () => {
  expect(explain(new Problem('No cup.', 'Get one.'))).toBe('No cup.\nGet one.')
  expect(explain(new Error('broken'))).toContain('scripts.test.mjs')
  expect([seconds(0), seconds(9940), seconds(61_400)]).toEqual(['0.0 s', '9.9 s', '61 s'])
})
