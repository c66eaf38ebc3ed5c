import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { writeWindows } from '../../../../src/main/hosts/support/window-state.ts'
import { eventually } from '../../../fixtures/eventually.ts'
import { notedApp } from '../loopback/fixture.ts'
import { app, becomeReady, BrowserWindow, order, settle } from './electron-mock.ts'

vi.mock('electron', () => import('./electron-mock.ts'))
vi.mock('../../../../src/main/app.ts', () => ({ createApp: async () => notedApp() }))

const home = mkdtempSync(join(tmpdir(), 'lectern-again-'))
afterAll(() => {
  delete process.env['LECTERN_HOME']
  process.removeAllListeners('unhandledRejection')
  process.removeAllListeners('uncaughtException')
  if (process.platform !== 'win32') rmSync(home, { recursive: true, force: true })
})

test('reopens the open windows, moves one whose display is gone, and focuses the last used one', async () => {
  const rest = { maximized: false, fullScreen: false }
  const left = [
    { ...rest, bounds: { x: 40, y: 50, width: 900, height: 650 }, route: '/library' },
    { ...rest, bounds: { x: 9000, y: 50, width: 900, height: 650 }, route: '/chats/a1' },
    { ...rest, bounds: { x: 200, y: 150, width: 1000, height: 700 }, maximized: true },
  ]
  writeWindows(home, left)
  process.env['LECTERN_HOME'] = home
  await import('../../../../src/main/index.ts')
  await settle()
  becomeReady()
  await eventually(() => expect(BrowserWindow.getAllWindows()).toHaveLength(3))
  const [third, second, first] = BrowserWindow.getAllWindows()
  if (!first || !second || !third) throw new Error('three windows')
  expect([first, second, third].map(({ loaded }) => loaded)).toEqual([
    ['app://bundle/#/library'],
    ['app://bundle/#/chats/a1'],
    ['app://bundle/'],
  ])
  expect(first.options).toMatchObject({ x: 40, y: 50, width: 900, height: 650 })
  expect(third.options).toMatchObject({ x: 200, y: 150, width: 1000, height: 700 })
  // Next to the third, which the mock places at 10, 20.
  expect(second.options).toMatchObject({ x: 38, y: 48 })
  for (const each of [first, second, third]) each.emit('ready-to-show')
  expect(order().filter((name) => /^window\.(show|maximize)/.test(name))).toEqual([
    'window.show',
    'window.showInactive',
    'window.maximize',
    'window.showInactive',
  ])
  // Also before their pages are loaded.
  first.webContents.url = ''
  app.emit('before-quit', { preventDefault() {} })
  const saved = JSON.parse(readFileSync(join(home, 'window.json'), 'utf8')) as object[]
  expect(saved).toMatchObject([{ route: '/library' }, { route: '/chats/a1' }, {}])
})
