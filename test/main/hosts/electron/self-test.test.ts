import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { afterAll, expect, test, vi } from 'vitest'
import type { HostDeps, PageConnection } from '../../../../src/main/host.ts'
import type { HostCheckId, SelfTestRun } from '../../../../src/shared/self-test/checks.ts'
import { notedApp } from '../loopback/fixture.ts'
import { becomeReady, BrowserWindow, lastCall, order, settle, world } from './electron-mock.ts'

// `lectern --self-test`: the real entry file of the Electron host with an app whose test result is set here.

const built: HostDeps[] = []
vi.mock('electron', () => import('./electron-mock.ts'))
vi.mock('../../../../src/main/app.ts', () => ({
  createApp: async (deps: HostDeps) => {
    built.push(deps)
    const app = notedApp()
    const run: SelfTestRun = { id: 'run', state: 'running', current: null, results: [], ms: 0 }
    return {
      ...app,
      async request(connection: PageConnection, route: string, payload: unknown) {
        if (route !== 'selfTest.start') return app.request(connection, route, payload)
        const results = [{ id: 'pdf', result: 'fail', note: 'wrongResult', ms: 5 }] as const
        for (const page of app.connected.values())
          page.push({
            channel: 'app',
            event: { type: 'self-test.changed', run: { ...run, state: 'done', results, ms: 9 } },
          })
        return { ok: true, data: { run, report: null } }
      },
    }
  },
}))

const written: string[] = []
const library = process.env['LECTERN_HOME']
process.argv.push('--self-test')
afterAll(() => {
  process.argv.splice(process.argv.indexOf('--self-test'), 1)
  if (library === undefined) delete process.env['LECTERN_HOME']
  else process.env['LECTERN_HOME'] = library
})

test('runs in a window on a separate data folder, prints the report, and exits with its code', async () => {
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    written.push(String(text))
    return true
  })
  vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  await import('../../../../src/main/index.ts')
  becomeReady()
  await expect.poll(() => BrowserWindow.all.length).toBe(1)
  BrowserWindow.all[0]?.webContents.emit('did-finish-load')
  await expect.poll(() => order()).toContain('app.exit')
  vi.restoreAllMocks()
  expect(lastCall('app.exit')).toEqual([1])
  expect(JSON.parse(written.join(''))).toMatchObject({ host: 'electron', failed: 1 })
  const home = built[0]?.home ?? ''
  expect(home.startsWith(tmpdir())).toBe(true)
  expect(existsSync(home)).toBe(true)
  // The page may request system audio as after a click; nothing of a normal start exists.
  expect(lastCall('contents.executeJavaScript')).toEqual(['0', true])
  expect(order()).not.toContain('new Tray')
  expect(order()).not.toContain('globalShortcut.register')
  await settle()
})

test('checks window, sandbox and permissions of the host', async () => {
  const { electronChecks } = await import('../../../../src/main/hosts/electron/host-checks.ts')
  const results = async (): Promise<Record<string, string>> => {
    const ids: HostCheckId[] = ['window', 'sandbox', 'notifications', 'shortcut', 'links']
    const all = await Promise.all(
      ids.map(async (id) => [id, (await electronChecks(id)).result] as const),
    )
    return Object.fromEntries(all)
  }
  BrowserWindow.all[0]?.show()
  expect(new Set(Object.values(await results()))).toEqual(new Set(['pass']))
  BrowserWindow.all[0]?.hide()
  Object.assign(world, {
    switches: ['no-sandbox'],
    notices: false,
    shortcutFree: false,
    opensLinks: false,
  })
  expect(new Set(Object.values(await results()))).toEqual(new Set(['fail']))
})
