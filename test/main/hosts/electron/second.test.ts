import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { order, settle, world } from './electron-mock.ts'

vi.mock('electron', () => import('./electron-mock.ts'))
vi.mock('../../../../src/main/app.ts', () => ({
  createApp: () => {
    throw new Error('nothing may be opened')
  },
}))

const home = mkdtempSync(join(tmpdir(), 'lectern-second-'))
afterAll(() => {
  delete process.env['LECTERN_HOME']
  rmSync(home, { recursive: true, force: true })
})

test('a second instance exits at once and opens nothing', async () => {
  process.env['LECTERN_HOME'] = home
  world.singleInstance = false
  await import('../../../../src/main/index.ts')
  await settle()
  expect(order()).toContain('app.quit')
  for (const name of ['app.whenReady', 'protocol.registerSchemesAsPrivileged', 'new BrowserWindow'])
    expect(order()).not.toContain(name)
  expect(existsSync(join(home, 'instance.lock'))).toBe(false)
})
