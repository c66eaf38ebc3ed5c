import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { hostUpdates, type QuitReports } from '../../../../src/main/hosts/electron/updates.ts'
import { app, calls, order, runOn } from './electron-mock.ts'

// The adapter with a mock of Electron; installations are only recorded.
const installed: string[] = []
let outcome: { ok: boolean; path?: string; fault?: string; detail?: string } = { ok: true }
const spawned: unknown[][] = []

vi.mock('electron', () => import('./electron-mock.ts'))
vi.mock('../../../../src/main/updates/installer.ts', () => ({
  createInstaller: ({ kind }: { kind: string }) => ({
    prepare: async () => ({ ok: true }),
    keepCurrent: async () => null,
    install(startsAfter: boolean) {
      installed.push(`${kind} ${startsAfter ? 'and start' : 'quietly'}`)
      return outcome
    },
  }),
}))
vi.mock('node:child_process', async (original) => ({
  ...(await original<typeof import('node:child_process')>()),
  spawn: (...args: unknown[]) => {
    spawned.push(args)
    return { unref: () => {} }
  },
}))

const log = { info: () => {}, warn: () => {}, error: () => {} }
let folder = ''
let isRecording = false
let reports: QuitReports
const build = () => {
  const made = hostUpdates({
    home: folder,
    version: '0.1.0',
    log,
    isRecording: () => isRecording,
  })
  reports = made.reports
  return made.host
}
/** Simulates the quit as `app-lifecycle.ts` handles it. */
const answerQuit = (leaves: boolean): void => {
  app.quit = () => {
    calls.push({ name: 'app.quit', args: [] })
    reports.quitAnswered(leaves)
  }
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lectern-host-updates-'))
  installed.length = 0
  spawned.length = 0
  calls.length = 0
  outcome = { ok: true }
  isRecording = false
  answerQuit(true)
  app.removeAllListeners('quit')
  app.isPackaged = true
  Object.assign(app, { getPath: () => '/opt/lectern/lectern' })
})
afterEach(() => {
  runOn()
  delete process.env['APPIMAGE']
  rmSync(folder, { recursive: true, force: true })
})

const appImage = () => {
  runOn('linux')
  process.env['APPIMAGE'] = join(folder, 'Lectern.AppImage')
  writeFileSync(process.env['APPIMAGE'], '')
  return build()
}

test('replaces an AppImage first; the new one starts when this process has ended', async () => {
  const host = appImage()
  expect(await host.support()).toEqual({ mode: 'restart' })
  outcome = { ok: true, path: '/new/Lectern.AppImage' }
  expect(await host.restart()).toEqual({ ok: true })
  expect(installed).toEqual(['appimage and start'])
  expect(spawned[0]?.[1]).toEqual(expect.arrayContaining(['/new/Lectern.AppImage']))
  expect(order()).toEqual(['app.quit'])
})

test('ends nothing when an AppImage cannot be replaced', async () => {
  const host = appImage()
  outcome = { ok: false, fault: 'not-writable', detail: 'EACCES' }
  expect(await host.restart()).toEqual(outcome)
  expect([order(), spawned]).toEqual([[], []])
})

test('runs a Windows installer at the very end, when nothing is in use any more', async () => {
  runOn('win32')
  const host = build()
  expect(await host.restart()).toEqual({ ok: true })
  expect([order(), installed]).toEqual([['app.quit'], []])
  app.emit('quit', {}, 0)
  expect(installed).toEqual(['nsis and start'])
})

test('installs on quit without a restart, unless it was canceled', async () => {
  runOn('win32')
  const host = build()
  await host.installOnQuit(true)
  await host.installOnQuit(false)
  app.emit('quit', {}, 0)
  expect(installed).toEqual([])
  await host.installOnQuit(true)
  app.emit('quit', {}, 0)
  expect(installed).toEqual(['nsis quietly'])
})

test.each([
  ['a crash', 1, () => {}],
  ['a shutdown or sign-out', 0, () => reports.shuttingDown()],
])('%s starts no installer, which would be killed halfway', async (_name, code, before) => {
  runOn('win32')
  const host = build()
  await host.installOnQuit(true)
  before()
  app.emit('quit', {}, code)
  expect(installed).toEqual([])
})

test('installs an update after an earlier shutdown that another program blocked', async () => {
  runOn('win32')
  const now = vi.spyOn(performance, 'now').mockReturnValue(1000)
  const host = build()
  await host.installOnQuit(true)
  reports.shuttingDown()
  now.mockReturnValue(1000 + 61_000)
  app.emit('quit', {}, 0)
  now.mockRestore()
  expect(installed).toEqual(['nsis quietly'])
})

test.each(['win32', 'linux'])(
  'on %s refuses a restart during a recording, and neither replaces nor quits',
  async (name) => {
    runOn(name)
    const host = build()
    isRecording = true
    expect(await host.restart()).toMatchObject({ ok: false, fault: 'recording' })
    app.emit('quit', {}, 0)
    expect([order(), installed, spawned]).toEqual([[], [], []])
  },
)

test('runs no installer at a later quit after the user chose to keep recording', async () => {
  runOn('win32')
  const host = build()
  answerQuit(false)
  expect(await host.restart()).toMatchObject({ ok: false, fault: 'recording' })
  app.emit('quit', {}, 0)
  expect(installed).toEqual([])
})

test('does not update a build that runs from source', async () => {
  app.isPackaged = false
  expect(await appImage().support()).toEqual({ mode: 'none', why: 'development' })
})
