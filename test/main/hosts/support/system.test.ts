import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemHandlers } from '../../../../src/main/domains/settings/routes.ts'
import { autostartEntry, autostartFile } from '../../../../src/main/hosts/support/login-item.ts'
import { readWindows, writeWindows } from '../../../../src/main/hosts/support/window-state.ts'
import {
  microphoneAccess,
  privacySettings,
} from '../../../../src/main/platform/security/privacy-settings.ts'
import { privacyPages, system } from '../../../../src/shared/contract/system.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'lectern-login-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

test('looks up settings pages by name only: none on Linux, none for prototype names', () => {
  for (const page of privacyPages) {
    expect(privacySettings(page, 'darwin')).toMatch(/^x-apple\.systempreferences:[\w.?]+$/)
    expect(privacySettings(page, 'win32')).toMatch(/^ms-settings:[\w-]+$/)
    expect(privacySettings(page, 'linux')).toBeNull()
  }
  expect(privacySettings('microphone', 'constructor')).toBeNull()
  expect(system.openSettings.request.safeParse({ page: 'https://example.org' }).success).toBe(false)
})

test.each([
  ['granted', 'granted'],
  ['denied', 'denied'],
  ['restricted', 'denied'],
  ['not-determined', 'undecided'],
  ['something new', 'unknown'],
])('maps the system’s microphone status %s to %s', (status, access) => {
  expect(microphoneAccess(status)).toBe(access)
})

test('writes, finds, turns off and removes the autostart file', () => {
  const file = autostartFile({}, home)
  const path = join(home, '.config', 'autostart', 'app.lectern.desktop.desktop')
  expect(file.exists()).toBe(false)
  file.write('/opt/Lectern/lectern')
  expect(file.exists()).toBe(true)
  if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o644)
  const text = readFileSync(path, 'utf8')
  expect(text).toContain('Exec="/opt/Lectern/lectern" --hidden\n')
  for (const off of ['Hidden=true', 'X-GNOME-Autostart-enabled=false']) {
    writeFileSync(path, `${text.replace('X-GNOME-Autostart-enabled=true\n', '')}${off}\n`)
    expect([off, file.exists()]).toEqual([off, false])
  }
  file.remove()
  file.remove()
  expect(existsSync(path)).toBe(false)
})

test('writes the autostart file where the desktop expects it, ignoring a relative setting', () => {
  autostartFile({ XDG_CONFIG_HOME: join(home, 'config') }, '/nowhere').write('/bin/lectern')
  expect(existsSync(join(home, 'config', 'autostart'))).toBe(true)
  autostartFile({ XDG_CONFIG_HOME: 'relative' }, home).write('/bin/lectern')
  expect(existsSync(join(home, '.config', 'autostart'))).toBe(true)
})

test('no program path can add a key or a command to the entry', () => {
  const entry = autostartEntry('/opt/a b/$(rm) "x" `y` 100%/lectern')
  expect(entry).toContain(
    'Exec="/opt/a b/\\\\$(rm) \\\\"x\\\\" \\\\`y\\\\` 100%%/lectern" --hidden',
  )
  expect(entry.split('\n').filter((line) => line.startsWith('Exec='))).toHaveLength(1)
  for (const bad of ['/opt/a\nExec=/bin/sh', '/opt/a\r', '/opt/\0'])
    expect(() => autostartEntry(bad)).toThrow('control character')
})

test('returns unknown or absent for everything without a host that can query the system', async () => {
  const handlers = systemHandlers(undefined)
  const call = async (name: keyof typeof handlers, payload: object): Promise<unknown> =>
    (handlers[name] as (request: object, context: object) => unknown)(payload, {
      connection: { id: 'page', push: () => {} },
    })
  expect(await call('system.microphone', {})).toEqual({ access: 'unknown', settings: false })
  expect(await call('system.askMicrophone', {})).toEqual({ access: 'unknown' })
  expect(await call('system.openSettings', { page: 'screen' })).toEqual({ opened: false })
  expect(await call('system.showFolder', { folder: 'data' })).toEqual({ shown: false })
  expect(await call('system.setLogin', { on: true })).toEqual({ state: 'absent' })
  expect(await call('system.progress', { progress: null })).toEqual({})
})

test('saves the zoom of a window, unless Chromium does not support it', () => {
  const state = {
    bounds: { x: 1, y: 2, width: 900, height: 700 },
    maximized: false,
    fullScreen: false,
  }
  writeWindows(home, [{ ...state, zoom: 1.5 }])
  expect(readWindows(home)).toEqual([{ ...state, zoom: 1.5 }])
  for (const zoom of [0, 10, -10, Number.NaN]) {
    writeWindows(home, [{ ...state, zoom }])
    expect(readWindows(home)).toEqual([state])
  }
})
