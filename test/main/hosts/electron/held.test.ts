import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { rememberLanguage } from '../../../../src/main/hosts/support/language.ts'
import { lockHome } from '../../../../src/main/hosts/support/instance.ts'
import { becomeReady, lastCall, order, settle, world } from './electron-mock.ts'

vi.mock('electron', () => import('./electron-mock.ts'))
vi.mock('../../../../src/main/app.ts', () => ({
  createApp: () => {
    throw new Error('nothing may be opened')
  },
}))

const home = mkdtempSync(join(tmpdir(), 'lectern-held-'))
afterAll(() => {
  delete process.env['LECTERN_HOME']
  rmSync(home, { recursive: true, force: true })
})

test('reports in the saved language that the loopback host has the data folder locked', async () => {
  const held = lockHome(home)
  process.env['LECTERN_HOME'] = home
  world.locale = 'en-US'
  rememberLanguage(home, 'zh-CN')
  await import('../../../../src/main/index.ts')
  await settle()
  expect(order()).not.toContain('app.quit')
  becomeReady()
  await settle()
  expect(lastCall('dialog.showErrorBox')).toEqual([
    'Lectern 已在运行',
    expect.stringContaining(home),
  ])
  expect(order()).not.toContain('new BrowserWindow')
  expect(order().at(-1)).toBe('app.quit')
  held?.release()
})
