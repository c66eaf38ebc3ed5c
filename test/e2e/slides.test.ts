import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BridgeClient } from '../fixtures/bridge-client.ts'
import { findings } from './axe.ts'
import { openLectern, type Lectern } from './lectern.ts'
import { secondPage } from './second-page.ts'

let lectern: Lectern
let second: BridgeClient

beforeAll(async () => {
  lectern = await openLectern({ width: 1200, height: 900 })
  await lectern.page.getByRole('button', { name: 'Skip' }).click()
  second = await secondPage(lectern.home)
})
afterAll(async () => {
  second.close()
  await lectern.close()
})

const go = (hash: string) =>
  lectern.page.evaluate((to) => void (location.hash = to), `#/playground/slides${hash}`)
const rows = () => lectern.page.getByRole('list', { name: 'Slides' }).getByRole('link')
const place = () => lectern.page.getByTestId('slide-position').innerText()
const stage = () => lectern.page.getByTestId('slide-stage').getByRole('img')
/** Returns the width of the rendered page in pixels; 0 while it is not rendered. */
const drawn = () => stage().evaluate((image) => (image as HTMLImageElement).naturalWidth)
const topic = '# Bees\n## The hive\n- wax\n- honey\n## The way home\n- the sun\n- landmarks'
/** Returns the names in the directory of an archive, in order. */
function namesIn(archive: Buffer): readonly string[] {
  const names: string[] = []
  const line = Buffer.from([0x50, 0x4b, 1, 2])
  for (let at = archive.indexOf(line); at >= 0; at = archive.indexOf(line, at + 46))
    names.push(archive.toString('utf8', at + 46, at + 46 + archive.readUInt16LE(at + 28)))
  return names
}

test('creates slides.talk, opens slides.conversation by ID, and saves pages and PDF at once', async () => {
  const { page } = lectern
  await go('')
  await page.getByRole('form', { name: 'New presentation' }).getByRole('textbox').fill(topic)
  await page.getByRole('button', { name: 'Create presentation' }).click()
  await page.getByTestId('deck').waitFor({ timeout: 120_000 })
  await expect.poll(() => page.getByTestId('slides-saved').innerText()).toMatch(/^(\d+) of \1 /)
  await expect.poll(drawn).toBeGreaterThan(100)
  const messages = page.getByTestId('slides-messages')
  await messages.getByRole('heading', { name: 'You' }).waitFor()
  await messages.getByRole('heading', { name: 'Slides agent' }).waitFor()
  await page.getByTestId('saved-file').getByText('Saved').waitFor()
  const saved = await lectern.saved(() =>
    page.getByTestId('saved-file').getByRole('button').click(),
  )
  expect(saved.name).toMatch(/\.pdf$/)
  const pack = await lectern.saved(() =>
    page.getByRole('button', { name: /^Save all \d+ files$/ }).click(),
  )
  expect(pack.name).toMatch(/bees.*\.zip$/i)
  const names = namesIn(await readFile(pack.path))
  expect(names.slice(0, 2)).toEqual(['pages/page-01.png', 'pages/page-02.png'])
  expect(names.at(-1)).toMatch(/^[^/]+\.pdf$/)
  await page.waitForTimeout(200)
  expect(await findings(page)).toEqual([])
})

test('turns and zooms pages, and moves through the strip by keyboard alone', async () => {
  const { page } = lectern
  await page.getByTestId('slide-stage').focus()
  const of = /of (\d+)/.exec(await place())?.[1]
  expect(Number(of)).toBeGreaterThan(2)
  await page.keyboard.press('ArrowRight')
  await expect.poll(place).toBe(`2 of ${of}`)
  expect(await stage().getAttribute('alt')).toContain('Page 2')
  await page.keyboard.press('End')
  await expect.poll(place).toBe(`${of} of ${of}`)
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Home')
  await expect.poll(place).toBe(`1 of ${of}`)
  const width = () => stage().evaluate((image) => image.getBoundingClientRect().width)
  const before = await width()
  for (let i = 0; i < 4; i++) await page.keyboard.press('+')
  await page.getByText('200%').waitFor()
  expect(await width()).toBeCloseTo(before * 2, -1)
  await page.keyboard.press('0')
  await page.keyboard.press('f')
  await expect
    .poll(() => page.evaluate(() => document.fullscreenElement?.ariaLabel))
    .toBe('Presentation pages')
  await page.keyboard.press('End')
  await expect.poll(place).toBe(`${of} of ${of}`)
  await page.keyboard.press('Home')
  await page.keyboard.press('f')
  await expect.poll(() => page.evaluate(() => document.fullscreenElement)).toBeNull()
  await page.getByRole('button', { name: 'Page 1', exact: true }).focus()
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => page.evaluate(() => document.activeElement?.ariaLabel)).toBe('Page 2')
})

test('reads it with page sizes, shows errors at their row, and reports an unknown one', async () => {
  const { page } = lectern
  await page.getByRole('button', { name: 'Change options' }).click()
  await page.getByRole('button', { name: 'Add size' }).click()
  const row = page.getByRole('group', { name: 'Size 1' })
  await row.getByRole('textbox', { name: 'Width' }).fill('nothing')
  await page.getByRole('button', { name: 'Open', exact: true }).click()
  await row.getByRole('alert').waitFor()
  await row.getByRole('textbox', { name: 'Width' }).fill('20')
  await row.getByRole('textbox', { name: 'Height' }).fill('15')
  expect(await findings(page)).toEqual([])
  await page.getByRole('button', { name: 'Open', exact: true }).click()
  await page.getByText('page 1: 20 × 15 cm').waitFor()
  await page.getByRole('combobox', { name: 'Snapshot' }).waitFor()

  await go('')
  const form = page.getByRole('form', { name: 'Open presentation' })
  await form.getByRole('textbox', { name: 'Conversation ID' }).fill('slides-nobody-knows')
  await form.getByRole('textbox', { name: 'Conversation ID' }).press('Enter')
  await page.getByTestId('slides-state').filter({ hasText: 'Failed' }).waitFor()
  await page.getByTestId('failure').getByText('Provider: Conversation not found').waitFor()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect.poll(() => rows().count()).toBe(1)
})

test('shows the deck after a restart without requests; Chinese, dark, narrow', async () => {
  second.close()
  lectern = await lectern.restart()
  second = await secondPage(lectern.home)
  const { page } = lectern
  const requestCount = async () => (await second.call('activity.list', { limit: 200 })).calls.length
  const before = await requestCount()
  await go('')
  await rows().first().click()
  await expect.poll(drawn).toBeGreaterThan(100)
  await second.call('settings.update', { language: 'zh-CN' })
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  await page.setViewportSize({ width: 900, height: 760 })
  await page.getByRole('heading', { name: '消息' }).waitFor()
  await page.waitForTimeout(300)
  expect(await findings(page)).toEqual([])
  await go('')
  await page.getByRole('heading', { level: 1, name: '打开演示文稿' }).waitFor()
  await page.waitForTimeout(300)
  expect(await findings(page)).toEqual([])
  expect(await requestCount()).toBe(before)
  expect(lectern.trouble).toMatchObject({ violations: [], errors: [], strangers: [] })
})
