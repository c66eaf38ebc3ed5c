import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findings } from './axe.ts'
import { openLectern, type Lectern } from './lectern.ts'
import { secondPage } from './second-page.ts'

let lectern: Lectern

beforeAll(async () => {
  lectern = await openLectern()
  await lectern.page.getByRole('button', { name: 'Skip' }).click()
})
afterAll(() => lectern.close())

const go = (hash: string) =>
  lectern.page.evaluate((to) => void (location.hash = to), `#/playground/embeddings${hash}`)
const heat = () => lectern.page.locator('[data-testid=heatmap][data-ready=true]')
const neighborsRadio = (name: string) =>
  lectern.page
    .getByRole('radiogroup')
    .filter({ hasText: 'Neighbors' })
    .getByRole('radio', { name, exact: true })
const subjects = ['bees and honey', 'trains and stations', 'bread and ovens']
const lines = Array.from({ length: 66 }, (_, at) => `Note ${at} about ${subjects[at % 3]}`)

test('runs by keyboard alone: texts, cost before sending, vectors, and an announced heat map', async () => {
  const { page } = lectern
  await go('')
  await page.getByTestId('texts-paste').focus()
  await page.keyboard.insertText(lines.join('\n'))
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('checkbox', { name: 'embedding-3 · 256' }).focus()
  await page.keyboard.press('Space')
  await page
    .getByTestId('cost')
    .getByRole('row', { name: /256.*0 of 66 66 2/ })
    .waitFor()
  expect(await findings(page)).toEqual([])
  await page.keyboard.press('Control+Enter')
  await page.getByTestId('run-state').filter({ hasText: 'done' }).waitFor({ timeout: 120_000 })
  await heat().waitFor()
  await page.getByTestId('heatmap').focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await page
    .getByTestId('heatmap-announcement')
    .getByText(/^Row 1, column 2: 0\.\d{3}\. Note \d+ about/)
    .waitFor()
  await page.keyboard.press('ArrowLeft')
  await page.getByTestId('heatmap-value').getByText('1.000').waitFor()
  // The diagonal has the last color of the scale.
  const colour = await page.getByTestId('heatmap').evaluate((canvas: HTMLCanvasElement) => {
    const side = canvas.width / Number(canvas.dataset['cells'])
    const at = Math.round(side * 10.5)
    return [...(canvas.getContext('2d')?.getImageData(at, at, 1, 1).data ?? [])]
  })
  expect(colour).toEqual([0x23, 0x30, 0x7f, 255])
  expect(await findings(page)).toEqual([])
})

test('shows the map, nearest neighbors, pairs and two compared sets, and saves files', async () => {
  const { page } = lectern
  await neighborsRadio('Map').check({ force: true })
  await page.locator('[data-testid=points][data-ready=true]').waitFor()
  expect(await findings(page)).toEqual([])
  const points = page.getByRole('list', { name: 'Points' })
  await points.getByRole('button').first().focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Clear selection (1)' }).click()
  await neighborsRadio('Neighbors').check({ force: true })
  await page.getByRole('textbox', { name: 'Nearest to' }).fill('a loaf of bread from the oven')
  await page.keyboard.press('Enter')
  const nearest = page.getByTestId('nearest').getByRole('button')
  await nearest.first().getByText('bread and ovens').waitFor()
  await neighborsRadio('Pairs').check({ force: true })
  await page.getByText(/^\d+ pairs/).waitFor()
  await neighborsRadio('Compare').check({ force: true })
  await page.getByTestId('compare-sets').getByRole('combobox').selectOption({ index: 1 })
  await page.getByText('Shared neighbors (top 10, average)').waitFor()
  const { path } = await lectern.saved(() =>
    page.getByRole('button', { name: 'Export npy' }).click(),
  )
  const file = await readFile(path)
  expect(file.subarray(1, 6).toString()).toBe('NUMPY')
  // The original numbers, which 32 bits cannot represent.
  expect(file.subarray(0, 128).toString()).toContain("'<f8'")
  expect(file.length).toBe(128 + 66 * 1024 * 8)
})

test('sends nothing for the same texts, and one text for a file with one more', async () => {
  const { page, home } = lectern
  const second = await secondPage(home)
  const requestCount = async () => (await second.call('activity.list', { limit: 200 })).calls.length
  const before = await requestCount()
  await page.getByRole('button', { name: 'Run again' }).click()
  await expect
    .poll(() => page.getByTestId('cached').allInnerTexts())
    .toEqual(['66 cached', '66 cached'])
  expect(await requestCount()).toBe(before)
  second.close()
  await go('')
  await page.getByRole('button', { name: 'Clear texts' }).click()
  await page.getByRole('radio', { name: 'File' }).check({ force: true })
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Choose file…' }).click()
  const rows = [...lines, 'Something new'].map((text) => JSON.stringify({ id: 1, body: text }))
  await (
    await chooser
  ).setFiles({
    name: 'notes.jsonl',
    mimeType: 'application/x-ndjson',
    buffer: Buffer.from(rows.join('\n')),
  })
  await page.getByRole('button', { name: 'Add 67 texts' }).click()
  await page
    .getByTestId('cost')
    .getByRole('row', { name: /1,024 66 of 67 1 1/ })
    .waitFor()
})

test('shows everything after a restart without requests; remove and undo; Chinese, dark, narrow', async () => {
  lectern = await lectern.restart()
  const { page, home } = lectern
  const second = await secondPage(home)
  const requestCount = async () => (await second.call('activity.list', { limit: 200 })).calls.length
  const before = await requestCount()
  await go('')
  const list = page.getByRole('list', { name: 'Embeddings' })
  await list.getByRole('link').first().click()
  await heat().waitFor()
  await page.getByRole('button', { name: 'Move to Trash' }).click()
  await expect.poll(() => list.getByRole('link').count()).toBe(1)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => list.getByRole('link').count()).toBe(2)
  await second.call('settings.update', { language: 'zh-CN' })
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  await page.setViewportSize({ width: 900, height: 760 })
  await page.getByRole('heading', { level: 1, name: '向量' }).waitFor()
  await page.waitForTimeout(300)
  expect(await findings(page)).toEqual([])
  await page.getByRole('list', { name: '向量' }).getByRole('link').first().click()
  await heat().waitFor()
  await page.waitForTimeout(300)
  expect(await findings(page)).toEqual([])
  expect(await requestCount()).toBe(before)
  expect(lectern.trouble).toMatchObject({ violations: [], errors: [], strangers: [] })
  second.close()
})
