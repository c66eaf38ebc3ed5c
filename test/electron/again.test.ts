import { afterEach, expect, test } from 'vitest'
import { openElectronLectern, type ElectronLectern } from './lectern.ts'
import { chooseThisComputer } from './steps.ts'

let lectern: ElectronLectern | null = null
const wait = { timeout: 60_000 }
afterEach(async () => {
  await lectern?.close()
  lectern = null
})

test('reopens all windows after quitting, with position, page, and the last used one in front', async () => {
  const before = await openElectronLectern()
  lectern = before
  const { app, page } = before
  await chooseThisComputer(page)
  const from = app.events.length
  await app.command('menu.click', 'File', 'New Window')
  const { targetId } = await app.event<{ targetId: string }>('window', undefined, from)
  const second = await before.pageOf(targetId)
  await app.command('release', targetId)
  await second.getByRole('navigation').first().waitFor()
  await second.evaluate(() => void (location.hash = '#/settings/about'))
  await page.evaluate(() => void (location.hash = '#/library'))
  const ids = (await before.windows()).map(({ id }) => id).toSorted((a, b) => a - b)
  const places = [
    { x: 40, y: 50, width: 900, height: 650 },
    { x: 200, y: 150, width: 1000, height: 700 },
  ]
  for (const [at, id] of ids.entries()) await app.command('window.bounds', id, places[at])
  await app.command('window.focus', ids[0])
  const shown = async () =>
    (await before.windows())
      .toSorted((a, b) => a.id - b.id)
      .map(({ bounds, url, focused }) => ({ bounds, url, focused }))
  await expect.poll(shown, wait).toEqual([
    { bounds: places[0], url: 'app://bundle/#/library', focused: true },
    { bounds: places[1], url: 'app://bundle/#/settings/about', focused: false },
  ])
  await app.command('app.quit')
  await app.exited

  lectern = await before.restart()
  // Only the first window of the run is delayed; the page of the other one is driven here, too.
  const windows = async () => (await lectern?.windows()) ?? []
  await expect.poll(async () => (await windows()).length, wait).toBe(2)
  for (const { targetId: id } of await windows()) await lectern.app.command('release', id)
  await expect
    .poll(async () => (await windows()).map(({ bounds, url }) => ({ bounds, url })), wait)
    .toEqual([
      { bounds: places[1], url: 'app://bundle/#/settings/about' },
      { bounds: places[0], url: 'app://bundle/#/library' },
    ])
  await expect
    .poll(async () => (await windows()).map(({ focused }) => focused), wait)
    .toEqual([false, true])
})
