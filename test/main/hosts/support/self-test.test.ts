import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import type { PageConnection } from '../../../../src/main/host.ts'
import {
  hostChecks,
  microphoneOutcome,
  type HostFacts,
} from '../../../../src/main/hosts/support/host-checks.ts'
import {
  claimSelfTestHome,
  runSelfTest,
  selfTestRequest,
} from '../../../../src/main/hosts/support/self-test.ts'
import type {
  CheckResult,
  HostCheckId,
  SelfTestRun,
} from '../../../../src/shared/self-test/checks.ts'

const healthyFacts: HostFacts = {
  platform: 'darwin',
  isPackaged: true,
  windows: () => [false, true],
  noSandbox: false,
  microphone: () => 'granted',
  notifications: () => true,
  tryShortcut: () => true,
  opensLinks: () => true,
}

test.each([
  ['window', { windows: () => [false] }, 'fail', 'notVisible'],
  ['window', { windows: () => [] }, 'fail', 'notVisible'],
  ['sandbox', { noSandbox: true }, 'fail', 'sandboxOff'],
  ['microphone-access', { microphone: () => 'denied' }, 'fail', 'denied'],
  ['microphone-access', { microphone: () => 'restricted' }, 'fail', 'denied'],
  ['microphone-access', { microphone: () => 'not-determined' }, 'pass', 'notAsked'],
  ['microphone-access', { platform: 'linux' }, 'unavailable', 'notOffered'],
  ['notifications', { notifications: () => false }, 'fail', 'denied'],
  ['shortcut', { tryShortcut: () => false }, 'fail', 'taken'],
  ['links', { opensLinks: () => false }, 'fail', 'notRegistered'],
  ['links', { isPackaged: false, opensLinks: () => false }, 'unavailable', 'notInstalled'],
] satisfies readonly (readonly [HostCheckId, Partial<HostFacts>, string, string])[])(
  '%s on a host with %o',
  async (id, change, result, note) => {
    expect(await hostChecks(healthyFacts)(id)).toMatchObject({ result: 'pass' })
    expect(await hostChecks({ ...healthyFacts, ...change })(id)).toMatchObject({ result, note })
  },
)

test('treats an unknown microphone status as a failure', () => {
  expect(microphoneOutcome('something-new', 'win32')).toMatchObject({ result: 'fail' })
  expect(microphoneOutcome('unknown', 'win32')).toMatchObject({ result: 'unavailable' })
})

test('the command line requests a test, and optionally a file for its report', () => {
  expect(selfTestRequest(['lectern', 'a.wav'], '/here')).toBeNull()
  expect(selfTestRequest(['lectern', '--self-test'], '/here')).toEqual({ report: null })
  expect(selfTestRequest(['lectern', '--self-test', '--report=out.json'], '/here')).toEqual({
    report: resolve('/here', 'out.json'),
  })
  expect(selfTestRequest(['lectern', '--self-test', '--report='], '/here')).toEqual({
    report: null,
  })
})

test('uses a separate data folder, which is deleted with the process', () => {
  const ends: (() => void)[] = []
  const env: NodeJS.ProcessEnv = { LECTERN_HOME: '/the/library' }
  claimSelfTestHome({ env, on: (_event, listener) => ends.push(listener) })
  const home = env['LECTERN_HOME'] ?? ''
  expect(home).not.toBe('/the/library')
  expect(existsSync(home)).toBe(true)
  for (const end of ends) end()
  expect(existsSync(home)).toBe(false)
})

async function testRun(state: SelfTestRun['state'], last: Partial<CheckResult>) {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-report-'))
  const output: string[] = []
  const written: string[] = []
  const results: readonly CheckResult[] = [
    { id: 'clock', result: 'pass', note: 'works', ms: 3 },
    { id: 'pdf', result: 'pass', note: 'works', ms: 40, ...last },
  ]
  let page: PageConnection | null = null
  const app = {
    connect: (connection: PageConnection) => void (page = connection),
    disconnect: () => void (page = null),
    async request(connection: PageConnection, route: string, payload: unknown) {
      expect([route, payload]).toEqual(['selfTest.start', { pages: false }])
      const run: SelfTestRun = { id: 'run', state: 'running', current: null, results: [], ms: 0 }
      const push = (change: Partial<SelfTestRun>): void =>
        connection.push({
          channel: 'app',
          event: { type: 'self-test.changed', run: { ...run, ...change } },
        })
      setTimeout(() => {
        push({ results: results.slice(0, 1) })
        push({ results })
        push({ results, state, ms: 43 })
      })
      return { ok: true as const, data: { run, report: null } }
    },
  }
  const report = join(folder, 'report.json')
  const code = await runSelfTest({
    app,
    ids: () => 'connection',
    request: { report },
    pages: false,
    about: { version: '1.0.0', platform: 'linux', host: 'loopback' },
    print: (line) => void output.push(line),
    write: (json) => void written.push(json),
  })
  const file: unknown = JSON.parse(readFileSync(report, 'utf8'))
  rmSync(folder, { recursive: true, force: true })
  expect(page).toBeNull()
  expect(file).toEqual(JSON.parse(written.join('')))
  return { code, output, file }
}

test('reports each check once as it ends; prints and saves the report; sets the exit code', async () => {
  const passed = await testRun('done', {})
  expect(passed).toMatchObject({ code: 0, output: ['ok    Clock (3 ms)', 'ok    PDF (40 ms)'] })
  expect(passed.file).toMatchObject({ complete: true, passed: 2, failed: 0, ms: 43 })
  const failed = await testRun('done', { result: 'fail', note: 'wrongResult' })
  expect(failed).toMatchObject({ code: 1, file: { failed: 1 } })
  expect(failed.output.at(-1)).toBe('FAIL  PDF (40 ms)')
  expect((await testRun('done', { result: 'unavailable', note: 'notOffered' })).code).toBe(0)
  expect((await testRun('cancelled', {})).code).toBe(1)
})
