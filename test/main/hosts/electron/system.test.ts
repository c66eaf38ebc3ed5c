import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { setupRecording } from '../../../../src/main/hosts/electron/recording.ts'
import { createSystemHost, startsHidden } from '../../../../src/main/hosts/electron/system.ts'
import { launchTask } from '../../../../src/main/hosts/support/launch-tasks.ts'
import { hiddenStart } from '../../../../src/main/hosts/support/login-item.ts'
import type { AppWindows } from '../../../../src/main/hosts/electron/windows.ts'
import * as electron from './electron-mock.ts'

vi.mock('electron', () => import('./electron-mock.ts'))

const { app, calls, lastCall, order, powerMonitor, runOn, world } = electron

const systemHost = createSystemHost(join(tmpdir(), 'lectern-no-home'))

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lectern-system-'))
  vi.stubEnv('XDG_CONFIG_HOME', folder)
})
afterEach(() => {
  runOn()
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
  app.isPackaged = true
  calls.length = 0
  world.microphone = 'granted'
  world.openedAtLogin = false
  world.loginItem = { openAtLogin: false, args: [], switchedOff: false }
  powerMonitor.removeAllListeners()
})

describe('start at login', () => {
  test.each(['win32', 'darwin'])('on %s is a login item, without a window', async (name) => {
    runOn(name)
    expect(await systemHost.login()).toBe('off')
    expect(await systemHost.setLogin(true)).toBe('on')
    expect(lastCall('app.setLoginItemSettings')).toEqual([
      { openAtLogin: true, args: [hiddenStart] },
    ])
    expect(await systemHost.login()).toBe('on')
    expect(await systemHost.setLogin(false)).toBe('off')
  })

  test('on Windows is off if the Task Manager disabled it, until it is set again', async () => {
    runOn('win32')
    await systemHost.setLogin(true)
    world.loginItem.switchedOff = true
    expect(await systemHost.login()).toBe('off')
    expect(await systemHost.setLogin(true)).toBe('on')
  })

  test('on Linux is a desktop file, for an AppImage with the file that was opened', async () => {
    runOn('linux')
    vi.stubEnv('APPIMAGE', '/home/ada/Lectern.AppImage')
    expect(await systemHost.setLogin(true)).toBe('on')
    const entry = join(folder, 'autostart', 'app.lectern.desktop.desktop')
    expect(readFileSync(entry, 'utf8')).toContain('Exec="/home/ada/Lectern.AppImage" --hidden')
    expect(await systemHost.setLogin(false)).toBe('off')
    expect(order()).not.toContain('app.setLoginItemSettings')
  })

  test.each(['win32', 'darwin', 'linux'])(
    'on %s is not offered by a build that runs from source',
    async (name) => {
      runOn(name)
      app.isPackaged = false
      expect(await systemHost.setLogin(true)).toBe('absent')
      expect(await systemHost.login()).toBe('absent')
      expect(order()).toEqual([])
    },
  )

  test.each([
    ['win32', false],
    ['linux', false],
    ['darwin', true],
  ])('on %s an app opened by its user shows a window', (name, isOpenedBySystem) => {
    runOn(name)
    expect(startsHidden()).toBe(false)
    // Only macOS reports it; elsewhere the argument does.
    world.openedAtLogin = true
    expect(startsHidden()).toBe(isOpenedBySystem)
    process.argv.push(hiddenStart)
    expect(startsHidden()).toBe(true)
    process.argv.pop()
  })
})

describe('the microphone', () => {
  test('is requested on macOS, and the result is returned', async () => {
    runOn('darwin')
    world.microphone = 'not-determined'
    expect(await systemHost.microphone()).toEqual({ access: 'undecided', settings: true })
    expect(order()).not.toContain('systemPreferences.askForMediaAccess')
    const pending = systemHost.askMicrophone()
    world.microphone = 'denied'
    expect(await pending).toBe('denied')
    expect(lastCall('systemPreferences.askForMediaAccess')).toEqual(['microphone'])
  })

  test('is not requested on Windows, whose setting is reported', async () => {
    runOn('win32')
    world.microphone = 'denied'
    expect(await systemHost.askMicrophone()).toBe('denied')
    expect(await systemHost.microphone()).toEqual({ access: 'denied', settings: true })
    expect(order()).toEqual([])
  })

  test('has no permission on Linux, where Electron has no API for it', async () => {
    runOn('linux')
    const absent = vi.spyOn(electron.systemPreferences, 'getMediaAccessStatus')
    expect(await systemHost.askMicrophone()).toBe('unknown')
    expect(await systemHost.microphone()).toEqual({ access: 'unknown', settings: false })
    expect(absent).not.toHaveBeenCalled()
    absent.mockRestore()
  })
})

describe('the jump list', () => {
  const windows = { push: () => {}, focus: () => {}, open: () => {} } as unknown as AppWindows
  const signs = () => setupRecording(windows, { show: () => {} }, 'en')
  const listed = (): readonly Record<string, unknown>[] =>
    lastCall('app.setUserTasks')[0] as readonly Record<string, unknown>[]

  test('starts Lectern with its tasks, in the app language', () => {
    runOn('win32')
    const { speak } = signs()
    speak('en')
    expect(listed().map(({ title }) => title)).toEqual([
      'Start Recording',
      'Quick Question',
      'New Window',
    ])
    speak('zh-CN')
    expect(listed().map(({ title }) => title)).toEqual(['开始录音', '快速提问', '新建窗口'])
    for (const task of listed())
      expect(task).toMatchObject({ program: process.execPath, iconPath: process.execPath })
    // The receiving Lectern understands the arguments that Windows starts it with.
    const started = listed().map((task) => launchTask([String(task['arguments'])]))
    expect(started).toEqual(['record', 'quick', 'window'])
  })

  test.each([
    ['linux', true],
    ['darwin', true],
    ['win32', false],
  ])('is absent on %s or in a build from source (packed: %s)', (name, isPackaged) => {
    runOn(name)
    app.isPackaged = isPackaged
    signs().speak('en')
    expect(order()).not.toContain('app.setUserTasks')
  })
})
