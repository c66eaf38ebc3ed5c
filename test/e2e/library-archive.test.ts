import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BridgeClient } from '../fixtures/bridge-client.ts'
import { findings } from './axe.ts'
import { plainChat } from './chat-service.ts'
import { openLectern, type Lectern } from './lectern.ts'
import { secondPage } from './second-page.ts'

let here: Lectern
let there: Lectern
let client: BridgeClient
let archive = ''
const wait = { timeout: 30_000 }

beforeAll(async () => {
  ;[here, there] = await Promise.all([openLectern(), openLectern()])
  client = await secondPage(here.home)
  await client.call('settings.update', { welcomed: true })
  const other = await secondPage(there.home)
  await other.call('settings.update', { welcomed: true })
  other.close()
})
afterAll(async () => {
  client.close()
  await Promise.all([here.close(), there.close()])
})

const go = (lectern: Lectern, hash: string) =>
  lectern.page.evaluate((to) => void (location.hash = to), hash)
const rows = (lectern: Lectern) =>
  lectern.page.getByRole('list', { name: 'Library' }).locator('a[data-item]')
const titles = (lectern: Lectern) => rows(lectern).locator('strong').allInnerTexts()
const result = (lectern: Lectern) => lectern.page.getByTestId('archive-result')

async function chat(title: string): Promise<string> {
  const { id } = await client.call('chats.create', { settings: plainChat })
  await client.call('library.rename', { id, title })
  return id
}

test('exports the whole library as one file that the browser saves', async () => {
  for (const title of ['Bees', 'Lamps', '会议笔记']) await chat(title)
  const { page } = here
  await go(here, '/settings/storage')
  const saved = await here.saved(() =>
    page.getByRole('button', { name: 'Export archive' }).click(wait),
  )
  await result(here).getByText('All files match.').waitFor(wait)
  archive = saved.path
  expect(saved.name).toMatch(/^Lectern .*\.lectern\.zip$/)
  expect(readFileSync(archive).subarray(0, 2).toString()).toBe('PK')
  expect(await findings(page)).toEqual([])
})

test('rejects damaged and foreign archives with a message in both languages', async () => {
  const { page } = there
  await go(there, '/settings/storage')
  const whole = readFileSync(archive)
  const bad = join(there.home, 'bad.zip')
  writeFileSync(bad, whole.subarray(0, whole.length - 1000))
  await page.getByTestId('archive-file').setInputFiles(bad)
  await page.getByText('“bad.zip” is incomplete.').waitFor(wait)
  await page.getByRole('button', { name: 'Dismiss' }).click()
  writeFileSync(bad, 'no archive')
  await page.getByTestId('archive-file').setInputFiles(bad)
  await page.getByText('“bad.zip” isn’t a Lectern archive.').waitFor(wait)
  const other = await secondPage(there.home)
  await other.call('settings.update', { language: 'zh-CN' })
  await page.getByText('“bad.zip”不是 Lectern 归档。').waitFor(wait)
  expect(await findings(page)).toEqual([])
  await other.call('settings.update', { language: 'en' })
  other.close()
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await expect.poll(() => existsSync(join(there.home, 'archive-in'))).toBe(false)
})

test('inspects and imports the archive in another data folder, with the same content', async () => {
  const { page } = there
  await page.getByTestId('archive-file').setInputFiles(archive)
  const found = page.getByTestId('archive-contents')
  await found.waitFor(wait)
  expect(await found.locator('tbody tr').innerText()).toMatch(/^Chat\s+3\s+0\s+0$/)
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await page.getByText('3 items imported').waitFor(wait)
  await go(there, '/library')
  await expect
    .poll(async () => (await titles(there)).toSorted(), wait)
    .toEqual(['Bees', 'Lamps', '会议笔记'])
  // The second time it contains nothing new.
  await go(there, '/settings/storage')
  await page.getByTestId('archive-file').setInputFiles(archive)
  await page.getByText('Everything is already in your library.').waitFor(wait)
  await page.getByRole('button', { name: 'Discard' }).click()
})

test('inspects and restores a backup, and offers a way back', async () => {
  const { page } = here
  await go(here, '/settings/storage')
  await page.getByRole('button', { name: 'Back up now' }).click()
  await page.getByTestId('backup').filter({ hasText: 'Manual' }).waitFor(wait)
  await chat('Made later')
  await page
    .getByTestId('backup')
    .filter({ hasText: 'Manual' })
    .getByRole('button', { name: /^View contents/ })
    .click()
  const dialog = page.getByRole('dialog')
  const gone = dialog.getByRole('region', { name: '1 item will be removed:' })
  await gone.getByText('Made later').waitFor(wait)
  expect(await findings(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Restore backup' }).click()
  await page.getByTestId('backup').filter({ hasText: 'Before restore' }).waitFor(wait)
  await go(here, '/library')
  await expect.poll(async () => (await titles(here)).length, wait).toBe(3)
  await go(here, '/settings/storage')
  await page
    .getByTestId('backup')
    .filter({ hasText: 'Before restore' })
    .first()
    .getByRole('button', { name: /^View contents/ })
    .click()
  await page.getByRole('button', { name: 'Restore backup' }).click()
  await go(here, '/library')
  await expect.poll(async () => (await titles(here)).includes('Made later'), wait).toBe(true)
})

test('filters the Library by type, days, tag and text, and tags, exports and trashes by keyboard', async () => {
  const { page } = here
  await go(here, '/library')
  await page.getByRole('checkbox', { name: 'Select Bees' }).focus()
  await page.keyboard.press('Space')
  await page.getByRole('checkbox', { name: 'Select Lamps' }).press('Space')
  await page.getByRole('button', { name: 'Tags…' }).press('Enter')
  await page.getByLabel(/New tags/).fill('field, 野外')
  await page.keyboard.press('Enter')
  await page.getByRole('combobox', { name: 'Tag', exact: true }).selectOption('野外')
  await expect.poll(async () => (await titles(here)).toSorted(), wait).toEqual(['Bees', 'Lamps'])
  await page.getByRole('button', { name: 'Provider data' }).click()
  await page.getByRole('combobox', { name: 'Type' }).selectOption({ label: 'Runs' })
  await page.getByText('No matching items').waitFor(wait)
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByRole('combobox', { name: 'Date' }).selectOption({ label: 'Custom range' })
  await page.getByLabel('To', { exact: true }).fill('2020-01-01')
  await page.getByText('No matching items').waitFor(wait)
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByRole('combobox', { name: 'Sort by' }).selectOption('title')
  await expect.poll(async () => (await titles(here))[0], wait).toBe('Bees')
  await page.getByRole('searchbox', { name: 'Search Library' }).fill('lamps')
  await page.getByText('1 result').waitFor(wait)
  await page.getByRole('combobox', { name: 'Tag', exact: true }).selectOption('field')
  await page.getByText('1 result').waitFor(wait)
  // Entries other than items are found by title, tagged like items, and open in their section.
  await page.getByRole('combobox', { name: 'Tag', exact: true }).selectOption('')
  const run = await client.call('runs.start', {
    operation: 'voices.list',
    input: {},
    streamId: 'library-run',
    title: 'Old lamps',
  })
  await page.getByRole('searchbox', { name: 'Search Library' }).fill('old lamps')
  await page.getByText('Old lamps').first().waitFor(wait)
  expect(await findings(page)).toEqual([])
  await page.getByRole('searchbox', { name: 'Search Library' }).fill('')
  await page.getByRole('checkbox', { name: 'Select Old lamps' }).press('Space')
  await page.getByRole('button', { name: 'Tags…' }).press('Enter')
  await page.getByLabel(/New tags/).fill('field')
  await page.keyboard.press('Enter')
  await page.getByRole('combobox', { name: 'Tag', exact: true }).selectOption('field')
  await expect
    .poll(async () => (await titles(here)).toSorted(), wait)
    .toEqual(['Bees', 'Lamps', 'Old lamps'])
  await page.getByRole('link', { name: 'Old lamps' }).press('Enter')
  await expect.poll(() => page.url(), wait).toContain(run.id)
  await go(here, '/library')
  await page.getByRole('combobox', { name: 'Tag', exact: true }).selectOption('field')
  await page.getByRole('checkbox', { name: 'Select Bees' }).waitFor(wait)

  await page.getByRole('checkbox', { name: 'Select Bees' }).press('Space')
  const { name } = await here.saved(() =>
    page.getByRole('button', { name: 'Export as archive…', exact: true }).press('Enter'),
  )
  expect(name).toMatch(/selection/)
  await page.getByRole('checkbox', { name: 'Select Bees' }).focus()
  await page.keyboard.press('Delete')
  await expect.poll(() => titles(here), wait).toEqual(['Old lamps', 'Lamps'])
  await go(here, '/library/bin')
  await page.getByText('30 days left').waitFor(wait)
  await page.getByRole('button', { name: 'Empty Trash' }).press('Enter')
  await page.getByRole('button', { name: 'Delete permanently' }).last().press('Enter')
  await page.getByText('Trash is empty').waitFor(wait)
})
