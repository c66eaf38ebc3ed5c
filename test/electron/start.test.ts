import { afterEach, expect, test } from 'vitest'
import { openElectronLectern, type ElectronLectern } from './lectern.ts'

let lectern: ElectronLectern | null = null
afterEach(async () => {
  await lectern?.close()
  lectern = null
})

test('the built app starts, shows its window when the page is drawn, and serves it under its policy', async () => {
  lectern = await openElectronLectern()
  const { app, page } = lectern
  await app.event('shown')
  const [shown] = await lectern.windows()
  expect(shown).toMatchObject({
    visible: true,
    url: expect.stringMatching(/^app:\/\/bundle\/#\//),
  })
  expect(await page.title()).toBe('Lectern')
  // Nothing of the bridge but what the preload gives, and nothing of Node.
  const reach = await page.evaluate(() => ({
    lectern: Object.isFrozen(Reflect.get(window, 'lectern')),
    require: 'require' in window,
    process: 'process' in window,
    isolated: crossOriginIsolated,
  }))
  expect(reach).toEqual({ lectern: true, require: false, process: false, isolated: true })
  expect(lectern.trouble).toEqual({ violations: [], errors: [], strangers: [] })
})
