import type { Locator } from 'playwright-core'
import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startScriptedServer, type ScriptedServer } from '../fixtures/scripted-server.ts'
import { dropFiles } from './gestures.ts'
import { openLectern, type Lectern } from './lectern.ts'
import { secondPage } from './second-page.ts'

const wait = { timeout: 60_000 }
const pages = 8
/** Points; each page is one point wider than the previous one, which identifies the pages of a part. */
const firstWidth = 500

let lectern: Lectern
let service: ScriptedServer
/** Number of replies so far: the text of a page depends on it. */
let replies = 0

async function made(): Promise<Uint8Array> {
  const pdf = await PDFDocument.create()
  const font = await pdf.embedFont(StandardFonts.Helvetica)
  for (let number = 1; number <= pages; number += 1) {
    const page = pdf.addPage([firstWidth + number, 700])
    page.drawText(`Sheet ${number}`, { x: 60, y: 620, size: 20, font })
  }
  return pdf.save()
}

/** Returns the blocks of a page from the server: each parse of the same page has a different text. */
const blocksOf = (page: number, time: number) =>
  [
    { label: 'title', content: `# Sheet ${page}` },
    { label: 'text', content: `The ferry of sheet ${page} leaves at ${time} in the morning.` },
    ...(time > 1 ? [{ label: 'text', content: 'It comes back at night.' }] : []),
  ].map((block, index) => ({
    ...block,
    index,
    bbox_2d: [100, 100 + index * 200, 900, 250 + index * 200],
  }))

/** Starts a server that omits the last page of its first reply. */
async function startForgetful(): Promise<ScriptedServer> {
  const server = await startScriptedServer()
  server.always(async ({ body }) => {
    const { file } = JSON.parse(body.toString('utf8')) as { readonly file: string }
    const pdf = await PDFDocument.load(Buffer.from(file.slice(file.indexOf(',') + 1), 'base64'))
    const all = pdf.getPages().map((page) => Math.round(page.getWidth()) - firstWidth)
    replies += 1
    const held = replies === 1 ? all.slice(0, -1) : all
    return {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        id: `layout-${replies}`,
        created: 1,
        model: 'ferry-ocr',
        md_results: held.map((page) => `Ferry list, sheet ${page}`).join('\n\n'),
        layout_details: held.map((page) => blocksOf(page, replies)),
        data_info: {
          num_pages: held.length,
          pages: held.map(() => ({ width: 1000, height: 1400 })),
        },
      }),
    }
  })
  return server
}

beforeAll(async () => {
  service = await startForgetful()
  lectern = await openLectern({ width: 1400, height: 900 })
  await lectern.page.getByRole('button', { name: 'Skip' }).click()
  const second = await secondPage(lectern.home)
  const { id } = await second.call('accounts.create', {
    preset: 'custom',
    name: 'Ferry',
    baseUrl: service.url,
  })
  await second.call('accounts.setKey', { id, key: 'a-key-for-the-ferry' })
  await second.call('accounts.activate', { id })
  second.close()
})
afterAll(async () => {
  await lectern.close()
  await service.close()
})

const get = (id: string): Locator => lectern.page.getByTestId(id)
const progress = (text: string): Locator => get('parse-progress').filter({ hasText: text })
const words = (text: string): Locator =>
  get('markdown-pane').locator('[data-b]', { hasText: text }).first()
const head = (page: number): Locator =>
  get('markdown-pane')
    .locator(`[data-page="${page}"]`)
    .filter({ has: get('page-menu') })
const dialog = (): Locator => lectern.page.getByRole('dialog')

test('marks pages not requested, reports a failed page, and sends it again in place', async () => {
  const { page } = lectern
  await dropFiles(page, [{ name: 'ferry.pdf', type: 'application/pdf', bytes: await made() }])
  await get('parse-offer')
    .filter({ hasText: /8 pages .* will be sent to Ferry/ })
    .getByRole('button', { name: 'Options…' })
    .click()
  await dialog().getByRole('textbox', { name: 'Pages' }).fill('1-6')
  await get('parse-plan')
    .filter({ hasText: /^6 pages/ })
    .waitFor(wait)
  await dialog().getByRole('button', { name: 'Parse', exact: true }).click()
  await progress('5 of 6 pages parsed').waitFor(wait)
  await progress('Page 6 failed').waitFor(wait)
  await progress('5 of 8 parsed in total').waitFor(wait)

  await get('markdown-pane').locator('[data-state=failed]').getByText('Retry').click()
  await progress('6 of 6 pages parsed').waitFor(wait)
  await words('sheet 6 leaves at 2').waitFor(wait)

  const unasked = get('markdown-pane').locator('[data-state=none]').first()
  await unasked.getByText('Not parsed yet').waitFor(wait)
  await unasked.getByRole('button', { name: 'Parse page…' }).click()
  expect(await dialog().getByRole('textbox', { name: 'Pages' }).inputValue()).toBe('7')
  await page.keyboard.press('Escape')
  expect(replies).toBe(2)
})

test('parses a page again as a new version, keeping its text until the new one is ready', async () => {
  const { page } = lectern
  await page.getByRole('textbox', { name: 'Go to page' }).fill('2')
  await page.keyboard.press('Enter')
  await words('sheet 2 leaves at 1').waitFor(wait)
  await head(2).getByTestId('page-menu').click()
  await page.getByRole('menuitem', { name: 'Parse page 2 again…' }).click()
  await get('parse-plan')
    .filter({ hasText: /^1 page, .*about 1 request/ })
    .waitFor(wait)
  await dialog().getByRole('button', { name: 'Parse', exact: true }).click()
  await progress('1 of 1 page parsed').waitFor(wait)
  await words('sheet 2 leaves at 3').waitFor(wait)
  await head(2).getByText('Version 2').waitFor(wait)
  await head(1).getByText('Version 1').waitFor(wait)
  expect(replies).toBe(3)
})

test('compares two versions by block, also by keyboard, and restores the older one', async () => {
  const { page } = lectern
  await head(2).getByTestId('page-version').click()
  await page.getByRole('menuitem', { name: 'Compare versions' }).click()
  const compare = get('compare')
  await compare.getByText('1 changed · 1 only on right · 1 unchanged').waitFor(wait)
  const changed = compare.locator('[data-kind=changed]')
  expect(await changed.locator('del').allInnerTexts()).toEqual(['1'])
  expect(await changed.locator('ins').allInnerTexts()).toEqual(['3'])
  await compare.locator('[data-kind=right-only]').getByText('Only in Version 2').waitFor(wait)
  await page.keyboard.press('n')
  await expect.poll(() => changed.evaluate((row) => row === document.activeElement)).toBe(true)
  expect(await compare.getByText('# Sheet 2').count()).toBe(0)
  await get('unchanged-blocks').click()
  expect(await compare.getByText('# Sheet 2').count()).toBe(2)

  await compare.locator('[data-side=left]').getByTestId('use-page').click()
  await compare.locator('[data-side=left]').getByText('Used for this page').waitFor(wait)
  await page.keyboard.press('Escape')
  await compare.waitFor({ ...wait, state: 'detached' })
  await words('sheet 2 leaves at 1').waitFor(wait)
  await head(2).getByText('Version 1, selected').waitFor(wait)
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await words('sheet 2 leaves at 3').waitFor(wait)
  await head(2).getByText('Version 2', { exact: true }).waitFor(wait)
})

test('shows one version alone, with a way back next to it', async () => {
  await get('version-select').selectOption({ label: 'Version 1 · pages 1-6' })
  await get('single-version').getByText('Showing version 1').waitFor(wait)
  await words('sheet 2 leaves at 1').waitFor(wait)
  await get('version-select').selectOption({ label: 'Version 2 · page 2' })
  await words('sheet 2 leaves at 3').waitFor(wait)
  await get('markdown-pane').getByText('Not in this version').first().waitFor(wait)
  await get('single-version').getByRole('button', { name: 'Show current version' }).click()
  await words('sheet 1 leaves at 1').waitFor(wait)
  expect(await get('single-version').count()).toBe(0)
})

test('shows the raw output of a page, and that it differs from its blocks', async () => {
  await head(2).getByTestId('page-raw-output').click()
  await dialog().getByRole('heading', { name: 'Raw output of page 2' }).waitFor(wait)
  await get('raw-output-differs').waitFor(wait)
  expect(await dialog().getByTestId('block-source').innerText()).toBe('Ferry list, sheet 2')
  await lectern.page.keyboard.press('Escape')
})

test('opens source and editor of a block by keyboard, and reaches its buttons', async () => {
  const { page } = lectern
  const block = words('sheet 2 leaves at 3')
  await block.click()
  await get('markdown-pane').focus()
  await page.keyboard.press('s')
  await block.getByTestId('block-source').waitFor(wait)
  await page.keyboard.press('s')
  const named = (): Promise<string | null> =>
    page.evaluate(() => document.activeElement?.getAttribute('data-testid') ?? null)
  const met: (string | null)[] = []
  for (let step = 0; step < 12 && met.at(-1) !== 'block-edit'; step += 1) {
    await page.keyboard.press('Tab')
    met.push(await named())
  }
  expect(met).toContain('block-source-toggle')
  expect(met.at(-1)).toBe('block-edit')
  await page.keyboard.press('Enter')
  await get('block-editor').fill('My own ferry.')
  await page.keyboard.press('Control+Enter')
  await words('My own ferry.').waitFor(wait)
  expect(await named()).toBe('markdown-pane')
  await head(2).getByTestId('page-edits').waitFor(wait)
  expect(await head(1).getByTestId('page-edits').count()).toBe(0)

  await head(2).getByTestId('page-menu').click()
  await page.getByRole('menuitemradio', { name: 'Version 1' }).click()
  await head(2).getByText('Your edits are in version 2').waitFor(wait)
  await head(2).getByTestId('page-menu').click()
  await page.getByRole('menuitemradio', { name: 'Latest version' }).click()
  await words('My own ferry.').waitFor(wait)
})

test('shows one side in a small window, and keeps the width of the pages', async () => {
  const { page } = lectern
  const handle = page.getByRole('separator', { name: 'Resize pages' })
  const before = Number(await handle.getAttribute('aria-valuenow'))
  await handle.focus()
  await page.keyboard.press('ArrowLeft')
  const sides = {
    pages: page.getByRole('region', { name: 'Pages', exact: true }),
    text: get('markdown-pane'),
  }
  await page.setViewportSize({ width: 900, height: 800 })
  await page.getByRole('radio', { name: 'Text', exact: true }).check({ force: true })
  await expect.poll(() => sides.text.isVisible()).toBe(true)
  expect(await sides.pages.isVisible()).toBe(false)
  await page.getByRole('radio', { name: 'Pages', exact: true }).check({ force: true })
  await expect.poll(() => sides.pages.isVisible()).toBe(true)
  expect(await sides.text.isVisible()).toBe(false)
  await page.setViewportSize({ width: 1400, height: 900 })
  await page.reload()
  await handle.waitFor(wait)
  await expect
    .poll(async () => Number(await handle.getAttribute('aria-valuenow')), wait)
    .toBe(before - 16)
  expect(await sides.text.isVisible()).toBe(true)
})
