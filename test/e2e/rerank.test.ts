import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findings } from './axe.ts'
import { askPalette } from './gestures.ts'
import { openLectern, type Lectern } from './lectern.ts'
import { secondPage } from './second-page.ts'

let lectern: Lectern

beforeAll(async () => {
  lectern = await openLectern()
  await lectern.page.getByRole('button', { name: 'Skip' }).click()
})
afterAll(() => lectern.close())

const go = (hash: string) =>
  lectern.page.evaluate((to) => void (location.hash = to), `#/playground/rerank${hash}`)
const done = () =>
  lectern.page.getByTestId('run-state').filter({ hasText: 'done' }).waitFor({ timeout: 120_000 })
/** Returns the original positions of the candidates, in row order. */
const order = () =>
  lectern.page
    .getByTestId('ranked-results')
    .locator('[data-index]')
    .evaluateAll((rows) =>
      rows
        .map((row) => ({ row, top: row.getBoundingClientRect().top }))
        .toSorted((a, b) => a.top - b.top)
        .map(({ row }) => Number(row.getAttribute('data-index'))),
    )

test('ranks candidates by keyboard alone, and settles the bars at their scores', async () => {
  const { page } = lectern
  await go('')
  await page.getByRole('textbox', { name: 'Question' }).focus()
  await page.keyboard.type('how do bees find their way home')
  await page.getByTestId('texts-paste').focus()
  await page.keyboard.insertText(
    'The train leaves at noon.\nBees use the sun as a compass to find their way home.',
  )
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  const second = page.getByRole('button', { name: /^Candidate 2:/ })
  await second.focus()
  await page.keyboard.press('Alt+ArrowUp')
  await page.getByRole('button', { name: /^Candidate 1: Bees/ }).waitFor()
  await page.keyboard.press('Alt+ArrowDown')
  await page.getByRole('button', { name: /^Candidate 2: Bees/ }).waitFor()
  // Text in the field counts even if it was not added.
  await page.getByTestId('texts-paste').focus()
  await page.keyboard.insertText('A hive stands in the garden.')
  await page.keyboard.press('Control+Enter')
  await done()
  await expect.poll(order).toEqual([1, 2, 0])
  await page.getByRole('button', { name: /^Rank 1 of 3, score .*up 1.*originally 2/ }).focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('group', { name: 'Text', exact: true }).getByText('A hive stands').waitFor()
  await page.getByRole('radio', { name: 'New order' }).focus()
  await page.keyboard.press('ArrowRight')
  await expect.poll(order).toEqual([0, 1, 2])
  await page.getByRole('slider', { name: 'Minimum score' }).focus()
  await page.keyboard.press('End')
  await page.getByText(/^0 at 1/).waitFor()
  expect(await findings(page)).toEqual([])
})

test('runs again with another question, compares both, and saves the visible data', async () => {
  const { page } = lectern
  await page.getByRole('button', { name: 'Edit and run' }).click()
  await page.getByRole('textbox', { name: 'Question' }).fill('a hive in the garden')
  await page.getByRole('button', { name: 'Rerank', exact: true }).click()
  await page.getByRole('heading', { name: 'a hive in the garden' }).waitFor()
  await done()
  const compare = page.getByTestId('compare')
  await compare.getByRole('combobox').selectOption({ index: 1 })
  await compare.getByText('Shared texts').waitFor()
  await compare.getByText(/^-?[01]\.\d{3} \(/).waitFor()
  const { path } = await lectern.saved(() =>
    page.getByRole('button', { name: 'Export csv' }).click(),
  )
  const text = await readFile(path, 'utf8')
  expect(text).toMatch(/^\uFEFFRank,Before,Change,Score,Text,Source\r\n1,3,2,0\.\d+,A hive/)
})

test('finds rankings by their content, in the Library and in the palette', async () => {
  const { page } = lectern
  await page.evaluate(() => void (location.hash = '#/library'))
  await page.getByRole('button', { name: 'Provider data' }).click()
  await page.getByRole('searchbox', { name: 'Search Library' }).fill('compass')
  const hit = page.getByRole('list', { name: 'Results' }).getByRole('link', { name: /how do bees/ })
  await hit.getByText('compass').waitFor()
  expect(await findings(page)).toEqual([])
  await askPalette(page, 'compass')
  await page.getByRole('option', { name: /ranking how do bees/i }).click()
  await page.getByRole('heading', { name: 'how do bees find their way home' }).waitFor()
})

test('reports too many or too long candidates, also from a file, before sending', async () => {
  const { page } = lectern
  await go('')
  await page.getByRole('button', { name: 'Clear candidates' }).click()
  await page.getByRole('radio', { name: 'File' }).check({ force: true })
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Choose file…' }).click()
  const rows = Array.from({ length: 129 }, (_, at) => `${at},"Note ${at}, about bees"`)
  await (
    await chooser
  ).setFiles({
    name: 'notes.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`id,text\n${rows.join('\n')}\n`),
  })
  await page.getByRole('button', { name: 'Add 129 texts' }).click()
  await page.getByText('Use up to 128 candidates on-device.').waitFor()
  await page.getByRole('button', { name: /^Candidate 1: Note 0, about bees/ }).press('Delete')
  await page.getByRole('button', { name: /^Candidate 1: Note 1, / }).press('Enter')
  await page.getByRole('dialog').getByRole('textbox').fill('x'.repeat(4097))
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await page.getByText('1 candidate is over 4,096 characters.').waitFor()
  expect(await page.getByText('4,097 / 4,096').count()).toBe(1)
})

test('shows everything after a restart without requests; undo; Chinese, dark, narrow', async () => {
  lectern = await lectern.restart()
  const { page, home } = lectern
  const second = await secondPage(home)
  const requestCount = async () => (await second.call('activity.list', { limit: 100 })).calls.length
  const before = await requestCount()
  await go('')
  const list = page.getByRole('list', { name: 'Rerankings' })
  await list.getByRole('link', { name: /how do bees/ }).click()
  await expect.poll(order).toEqual([1, 2, 0])
  await page.getByRole('button', { name: 'Move to Trash' }).click()
  await expect.poll(() => list.getByRole('link').count()).toBe(1)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => list.getByRole('link').count()).toBe(2)
  await second.call('settings.update', { language: 'zh-CN' })
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  await page.setViewportSize({ width: 900, height: 760 })
  await page.getByRole('heading', { level: 1, name: '重排序' }).waitFor()
  await page.waitForTimeout(300)
  expect(await findings(page)).toEqual([])
  await page.getByRole('list', { name: '重排序' }).getByRole('link').first().click()
  await page.getByRole('heading', { name: '对比' }).waitFor()
  await page.waitForTimeout(300)
  expect(await findings(page)).toEqual([])
  expect(await requestCount()).toBe(before)
  expect(lectern.trouble).toMatchObject({ violations: [], errors: [], strangers: [] })
  second.close()
})
