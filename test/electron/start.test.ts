import { afterEach, expect, test } from 'vitest'
import { openElectronLectern, type ElectronLectern } from './lectern.ts'

let lectern: ElectronLectern | null = null
afterEach(async () => {
  await lectern?.close()
  lectern = null
})

test('starts the built app, shows its window once the page is drawn, and applies its policy', async () => {
  lectern = await openElectronLectern()
  const { app, page } = lectern
  await app.event('shown')
  const [shown] = await lectern.windows()
  expect(shown).toMatchObject({
    visible: true,
    url: expect.stringMatching(/^app:\/\/bundle\/#\//),
  })
  expect(await page.title()).toBe('Lectern')
  // Only the preload's part of the bridge is reachable, and nothing of Node.
  const reach = await page.evaluate(() => ({
    lectern: Object.isFrozen(Reflect.get(window, 'lectern')),
    require: 'require' in window,
    process: 'process' in window,
    isolated: crossOriginIsolated,
  }))
  expect(reach).toEqual({ lectern: true, require: false, process: false, isolated: true })
  expect(lectern.trouble).toEqual({ violations: [], errors: [], strangers: [] })
})
