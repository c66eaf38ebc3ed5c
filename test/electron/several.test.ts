import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ShownWindow } from '../electron-standin/pages.ts'
import { sineWav } from '../fixtures/wav.ts'
import { bridgeOfWindow, openElectronLectern, type ElectronLectern } from './lectern.ts'
import { chooseThisComputer, record } from './steps.ts'

let lectern: ElectronLectern
let second: Page
let folder: string
const wait = { timeout: 30_000 }

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lectern-several-'))
  lectern = await openElectronLectern()
  await chooseThisComputer(lectern.page)
})
afterAll(async () => {
  await lectern.close()
  await rm(folder, { recursive: true, force: true })
})

/** Returns the two windows in the order in which they were opened. */
async function both(): Promise<readonly [ShownWindow, ShownWindow]> {
  const [one, two] = (await lectern.windows()).toSorted((a, b) => a.id - b.id)
  if (!one || !two) throw new Error('There are not two windows')
  return [one, two]
}

test('New Window opens another window next to the first, with its own page', async () => {
  const { app } = lectern
  second = await lectern.opened(() => app.command('menu.click', 'File', 'New Window'))
  second.setDefaultTimeout(wait.timeout)
  await second.getByRole('navigation').first().waitFor()
  await expect
    .poll(async () => (await both())[1], wait)
    .toMatchObject({ visible: true, focused: true })
  const [one, two] = await both()
  expect(two.bounds).toMatchObject({ width: one.bounds.width, height: one.bounds.height })
  expect([two.bounds.x, two.bounds.y]).not.toEqual([one.bounds.x, one.bounds.y])
})

test('sends menu commands only to the focused window', async () => {
  const { app, page } = lectern
  const palette = (which: Page) => which.getByRole('combobox', { name: /Search commands/ })
  await app.command('menu.click', 'View', 'Command Palette…')
  await palette(second).waitFor()
  expect(await palette(page).count()).toBe(0)
  await second.keyboard.press('Escape')
})

test('refuses a second recording in another window, and stops the first one from the tray', async () => {
  const { app, page } = lectern
  const [one] = await both()
  await app.command('window.focus', one.id)
  await record(page, { microphone: true, system: false })
  await second.evaluate(() => void (location.hash = '#/meetings?record'))
  await second.getByTestId('start-card').waitFor()
  await second.getByTestId('use-computer-audio').setChecked(false)
  await second.getByTestId('record').click()
  await second.getByText('Another Lectern window is recording.').waitFor(wait)
  await app.command('window.focus', (await both())[1].id)
  await app.command('tray.click', 'Stop Recording')
  await page.getByRole('main').getByTestId('meeting-pane').waitFor(wait)
  await expect.poll(() => app.command('power-save'), wait).toEqual([])
})

test('Import Files imports the files chosen in its dialog and shows them in the window', async () => {
  const { app, home } = lectern
  const path = join(folder, 'harbour.wav')
  await writeFile(path, sineWav({ seconds: 1, hz: 440 }))
  const from = app.events.length
  await app.command('menu.click', 'File', 'Import Files…')
  expect(await app.event<{ kind: string }>('dialog', undefined, from)).toMatchObject({
    kind: 'open',
    parent: true,
  })
  await app.command('dialog.answer', [path])
  const titles = async (): Promise<readonly string[]> =>
    (await bridgeOfWindow(home).call('library.list', {})).items.map(({ title }) => title)
  await expect.poll(titles, wait).toContain('harbour')
  await expect.poll(() => second.url(), wait).toMatch(/#\/meetings\/\w+/)
  // The system distinguishes windows by their titles.
  await expect.poll(() => second.title(), wait).toBe('harbour – Lectern')
  await second.evaluate(() => void (location.hash = '#/settings/about'))
  await expect.poll(() => second.title(), wait).toBe('Lectern')
})

test('keeps the other window and the app running after a window is closed', async () => {
  const { app, page } = lectern
  await app.command('window.close', (await both())[1].id)
  await expect.poll(async () => (await lectern.windows()).length, wait).toBe(1)
  await app.command('menu.click', 'View', 'Command Palette…')
  await page.getByRole('combobox', { name: /Search commands/ }).waitFor(wait)
})
