import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { eventually } from '../fixtures/eventually.ts'
import { sineWav } from '../fixtures/wav.ts'
import { bridgeOfWindow, openElectronLectern, type ElectronLectern } from './lectern.ts'
import { chooseThisComputer } from './steps.ts'

let lectern: ElectronLectern
let folder: string
let id: string
let path: string
let saves = 0
const wait = { timeout: 90_000 }
const audio = sineWav({ seconds: 2, hz: 440 })

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lectern-rows-'))
  lectern = await openElectronLectern()
  const { page, home } = lectern
  await chooseThisComputer(page)
  const file = join(folder, 'letters.wav')
  await writeFile(file, audio)
  const chosen = page.waitForEvent('filechooser')
  await page.getByRole('main').getByRole('button', { name: 'Import audio…' }).click()
  await (await chosen).setFiles(file)
  const { call } = bridgeOfWindow(home)
  await eventually(async () => {
    const [item] = (await call('library.list', {})).items
    expect(item).toMatchObject({ kind: 'meeting', title: 'letters' })
    id = item?.id ?? ''
  })
})
afterAll(async () => {
  await lectern.close()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  path = join(folder, `saved ${(saves += 1)}.wav`)
  await lectern.app.command('dialog.answer', [path])
})

/** Opens a route of the page, and the menu of the item's row there. */
async function menuOfRow(place: string): Promise<void> {
  const { page } = lectern
  await page.evaluate((hash) => (location.hash = hash), place)
  await page.locator(`[data-item="${id}"]`).first().click({ button: 'right' })
}
const choose = (name: string): Promise<void> =>
  lectern.page.getByRole('menu').getByRole('menuitem', { name }).click()

test.each(['#/meetings', '#/library'])(
  'saves the audio of a row in %s and shows it in its folder',
  async (place) => {
    const { app, home } = lectern
    const { meeting } = await bridgeOfWindow(home).call('meetings.get', { id })
    const from = app.events.length
    await menuOfRow(place)
    await choose('Save audio…')
    await expect.poll(() => existsSync(path), wait).toBe(true)
    expect((await readFile(path)).subarray(44)).toEqual(Buffer.from(audio).subarray(44))
    await menuOfRow(place)
    await choose('Show in folder')
    expect(await app.event('show-in-folder', undefined, from)).toMatchObject({
      path: expect.stringContaining(meeting.originalMediaId ?? 'none') as string,
    })
  },
)

test('saves the only selected row in the Library with the button above the rows', async () => {
  const { page } = lectern
  await page.evaluate(() => (location.hash = '#/library'))
  await page.getByRole('list', { name: 'Library' }).getByRole('checkbox').first().check()
  const acts = page.getByRole('group', { name: 'Selected items' })
  await acts.getByRole('button', { name: 'Save letters.wav' }).click()
  await expect.poll(() => existsSync(path), wait).toBe(true)
})
