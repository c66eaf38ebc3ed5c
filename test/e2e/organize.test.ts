import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BridgeClient } from '../fixtures/bridge-client.ts'
import { findings } from './axe.ts'
import { openLectern, type Lectern } from './lectern.ts'
import { secondPage } from './second-page.ts'

let lectern: Lectern
let second: BridgeClient
const wait = { timeout: 60_000 }
const titles = ['bees', 'harbor', 'lamps', 'tides']

beforeAll(async () => {
  lectern = await openLectern()
  second = await secondPage(lectern.home)
  await second.call('settings.update', { welcomed: true })
  await page().getByRole('navigation').getByRole('link', { name: 'Documents' }).click()
  for (const title of titles) {
    const chooser = page().waitForEvent('filechooser')
    await page().getByRole('button', { name: 'Import…' }).first().click()
    const buffer = Buffer.from(`# About ${title}\n\nText about ${title}.\n`)
    await (await chooser).setFiles([{ name: `${title}.md`, mimeType: 'text/markdown', buffer }])
    await row(title).waitFor(wait)
  }
})
afterAll(async () => {
  second.close()
  await lectern.close()
})

const page = () => lectern.page
const list = () => page().locator('section.list')
const row = (title: string) => list().locator('a[data-item]').filter({ hasText: title })
const folder = (name: string) => list().getByRole('button', { name: new RegExp(`^${name}`) })
const bar = () => list().getByRole('group', { name: 'Selected items' })
const shown = async () => (await list().locator('a[data-item] strong').allInnerTexts()).toSorted()
const undo = () => page().getByRole('button', { name: 'Undo' }).last().click()
const choose = (label: string) =>
  list().getByRole('combobox', { name: 'Show' }).selectOption({ label })

test('offers no filters until something is organized, then stars come first', async () => {
  expect(await list().getByRole('combobox', { name: 'Show' }).count()).toBe(0)
  await row('bees').focus()
  await page().keyboard.press('Shift+F10')
  await page().getByRole('menuitem', { name: 'Star', exact: true }).click()
  await list().getByRole('heading', { name: 'Starred' }).waitFor(wait)
  await expect
    .poll(() => list().locator('a[data-item] strong').first().innerText(), wait)
    .toBe('bees')
  await choose('Starred')
  await expect.poll(shown, wait).toEqual(['bees'])
  await choose('All items')
  await expect.poll(shown, wait).toEqual(titles)
})

test('selects rows with the pointer and keys, and files them in a folder', async () => {
  const address = await page().evaluate(() => location.hash)
  await row('harbor').click({ modifiers: ['Control'] })
  await row('lamps').click({ modifiers: ['Control'] })
  await bar().getByText('2 selected').waitFor(wait)
  // Selecting opens nothing.
  expect(await page().evaluate(() => location.hash)).toBe(address)
  expect(await findings(page())).toEqual([])
  await bar().getByRole('button', { name: 'Move to folder…' }).click()
  await page().getByRole('dialog').getByRole('textbox').fill('Coast')
  await page().keyboard.press('Enter')
  await folder('Coast').filter({ hasText: '2' }).waitFor(wait)
  await expect.poll(shown, wait).toEqual(['bees', 'tides'])
  await row('tides').dragTo(folder('Coast'))
  await folder('Coast').filter({ hasText: '3' }).waitFor(wait)
  await folder('Coast').focus()
  await page().keyboard.press('ArrowRight')
  await expect.poll(shown, wait).toEqual(titles)
  expect(await folder('Coast').getAttribute('aria-expanded')).toBe('true')
  // Another page shows the same.
  const { folders } = await second.call('library.facets', { kind: 'document' })
  expect(folders).toMatchObject([{ name: 'Coast', items: 3 }])
})

test('tags all selected rows, and moves them to Trash with undo', async () => {
  await row('bees').focus()
  await page().keyboard.press('Control+a')
  await bar().getByText('4 selected').waitFor(wait)
  await bar().getByRole('button', { name: 'Tags…' }).click()
  await page().getByLabel('New tags').fill('field work')
  await page().keyboard.press('Enter')
  await row('bees').getByText('field work').waitFor(wait)
  await choose('field work')
  await expect.poll(shown, wait).toEqual(titles)
  await choose('All items')
  await row('tides').click({ modifiers: ['Control'] })
  await bar().getByRole('button', { name: 'Move to Trash' }).click()
  await expect.poll(shown, wait).not.toContain('tides')
  await undo()
  await expect.poll(shown, wait).toEqual(titles)
  expect(await findings(page())).toEqual([])
})

test('deletes a folder without its items, and restores it', async () => {
  await folder('Coast').focus()
  await page().keyboard.press('Delete')
  await folder('Coast').waitFor({ state: 'detached' })
  await expect.poll(shown, wait).toEqual(titles)
  await undo()
  await folder('Coast').filter({ hasText: '3' }).waitFor(wait)
})

test('shows folders again after the list was left with a filter', async () => {
  const waiting = list().getByRole('radio', { name: 'Needs attention' })
  await list().getByText('Needs attention').click()
  await folder('Coast').waitFor({ state: 'detached' })
  expect(await waiting.isChecked()).toBe(true)
  await page().evaluate(() => void (location.hash = '#/library'))
  await page().getByRole('main', { name: 'Library' }).waitFor(wait)
  await page().evaluate(() => void (location.hash = '#/documents'))
  await folder('Coast').filter({ hasText: '3' }).waitFor(wait)
})

test('takes rows out of a folder by dragging, with undo, but not while no folder is shown', async () => {
  await choose('field work')
  await folder('Coast').waitFor({ state: 'detached' })
  await row('harbor').dragTo(row('bees'))
  await choose('All items')
  await folder('Coast').filter({ hasText: '3' }).waitFor(wait)
  if ((await folder('Coast').getAttribute('aria-expanded')) !== 'true')
    await folder('Coast').click()
  await row('harbor').dragTo(row('bees'))
  await folder('Coast').filter({ hasText: '2' }).waitFor(wait)
  await page().getByText('1 item moved').waitFor(wait)
  await undo()
  await folder('Coast').filter({ hasText: '3' }).waitFor(wait)
  expect(await findings(page())).toEqual([])
})

test('ends a selection when a search hides its rows', async () => {
  await row('bees').click({ modifiers: ['Control'] })
  await bar().getByText('1 selected').waitFor(wait)
  const search = list().getByRole('searchbox')
  await search.fill('tides')
  await bar().waitFor({ state: 'detached' })
  await search.fill('')
  await row('bees').waitFor(wait)
  expect(await bar().count()).toBe(0)
})

test('filters the Library by star', async () => {
  await page().evaluate(() => void (location.hash = '#/library'))
  const rows = page().getByRole('main').getByRole('list', { name: 'Library' }).getByRole('link')
  await expect.poll(() => rows.count(), wait).toBe(4)
  await page().getByRole('button', { name: 'Starred', exact: true }).click()
  await expect.poll(() => rows.count(), wait).toBe(1)
  await rows.filter({ hasText: 'bees' }).waitFor(wait)
  await page().getByRole('checkbox', { name: 'Select bees' }).check()
  await page().getByRole('button', { name: 'Remove star' }).click()
  await page().getByText('No matching items').waitFor(wait)
})

test('says why rows could not be moved to Trash, where that was tried', async () => {
  await page().evaluate(() => void (location.hash = '#/documents'))
  await row('bees').waitFor(wait)
  const database = new Database(join(lectern.home, 'library.db'))
  database.exec('BEGIN IMMEDIATE')
  await row('bees').focus()
  await page().keyboard.press('Delete')
  const failure = page().getByRole('alert').filter({ hasText: 'Another program is using' })
  await failure.waitFor(wait)
  database.exec('ROLLBACK')
  database.close()
  await row('bees').waitFor(wait)
  expect(await findings(page())).toEqual([])
  await failure.getByRole('button', { name: 'Dismiss' }).click()
  await row('bees').focus()
  await page().keyboard.press('Delete')
  await expect.poll(() => row('bees').count(), wait).toBe(0)
})
