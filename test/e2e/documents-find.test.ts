import { afterAll, beforeAll, expect, test } from 'vitest'
import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib'
import type { Locator, Page } from 'playwright-core'
import type { BridgeClient } from '../fixtures/bridge-client.ts'
import { startTestService, type TestService } from '../local-service/fixtures/service.ts'
import { dropFiles } from './gestures.ts'
import { openLectern, type Lectern } from './lectern.ts'
import { secondPage } from './second-page.ts'

let lectern: Lectern
let service: TestService
let second: BridgeClient

beforeAll(async () => {
  ;[service, lectern] = await Promise.all([startTestService(), openLectern()])
  await lectern.page.getByRole('button', { name: 'Skip' }).click()
  second = await secondPage(lectern.home)
  // Documents are not parsed on arrival while an account is active that the user has not chosen for them.
  const { id } = await second.call('accounts.create', {
    preset: 'custom',
    name: 'Coast service',
    baseUrl: service.url,
  })
  await second.call('accounts.setKey', { id, key: service.key })
  await second.call('accounts.activate', { id })
})
afterAll(async () => {
  second.close()
  await lectern.close()
  await service.stop()
})

const wait = { timeout: 120_000 }

/** Creates pages with a heading and three lines; "lighthouse" occurs twice on each, once capitalized. */
async function made(pages: number, about: string): Promise<Buffer> {
  const pdf = await PDFDocument.create()
  const font = await pdf.embedFont(StandardFonts.Helvetica)
  for (let number = 1; number <= pages; number++) {
    const page = pdf.addPage([595, 842])
    const lines = [
      `The ${about} of page ${number} looks over a quiet sea,`,
      `and its keeper writes letter ${number} a day.`,
    ]
    page.drawText(`Chapter ${number}`, { x: 72, y: 760, size: 22, font })
    for (const [at, line] of lines.entries())
      page.drawText(line, { x: 72, y: 700 - at * 14, size: 11, font })
    page.drawText(`Below, a second ${about.toUpperCase()} stands dark.`, {
      x: 72,
      y: 120,
      size: 11,
      font,
    })
  }
  return Buffer.from(await pdf.save())
}

async function importFiles(page: Page, files: readonly { name: string; buffer: Buffer }[]) {
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Import…' }).first().click()
  await (await chooser).setFiles(files.map((file) => ({ ...file, mimeType: 'application/pdf' })))
}
const bar = (page: Page): Locator => page.getByTestId('find-bar')
const searchStatus = (page: Page): Locator => bar(page).getByRole('status')
/** Returns the highlighted words that are visible on their side. */
const marked = (page: Page, name: string): Promise<readonly string[]> =>
  page.evaluate(
    (key) =>
      Array.from(CSS.highlights.get(key) ?? [], (range) => String(range as Range)).toSorted(),
    name,
  )

test('searches an unparsed PDF by its own text, and reports this', async () => {
  const { page } = lectern
  await page.getByRole('link', { name: 'Documents' }).click()
  await importFiles(page, [{ name: 'sea.pdf', buffer: await made(12, 'lighthouse') }])
  await page.getByTestId('document-reader').waitFor(wait)
  await page
    .getByRole('region', { name: 'Pages', exact: true })
    .locator('canvas')
    .first()
    .waitFor(wait)
  await page.keyboard.press('ControlOrMeta+f')
  await page.keyboard.type('LIGHTHOUSE')
  await searchStatus(page)
    .filter({ hasText: /^1 of 24$/ })
    .waitFor(wait)
  expect(await page.getByTestId('find-source').textContent()).toContain('in file text')
  await expect.poll(() => marked(page, 'lectern-find-page-here'), wait).toEqual(['lighthouse'])
  // The mark covers the word as it is drawn, though its font is not in the file.
  const font = await (await PDFDocument.create()).embedFont(StandardFonts.Helvetica)
  const [left, right] = await page.evaluate(() => {
    const [range] = CSS.highlights.get('lectern-find-page-here') ?? []
    const node = range?.startContainer.parentElement?.closest('.page')
    const [word, whole] = [(range as Range).getBoundingClientRect(), node?.getBoundingClientRect()]
    if (!whole) throw new Error('no page around the mark')
    const points = 595 / whole.width
    return [(word.left - whole.left) * points, (word.right - whole.left) * points]
  })
  expect(Math.abs((left ?? 0) - 72 - font.widthOfTextAtSize('The ', 11))).toBeLessThan(1.5)
  expect(Math.abs((right ?? 0) - 72 - font.widthOfTextAtSize('The lighthouse', 11))).toBeLessThan(
    1.5,
  )
  for (let at = 0; at < 22; at++) await page.keyboard.press('Enter')
  await searchStatus(page)
    .filter({ hasText: /^23 of 24$/ })
    .waitFor(wait)
  await expect
    .poll(() => page.getByRole('textbox', { name: 'Go to page' }).inputValue(), wait)
    .toBe('12')
  await page.keyboard.press('Escape')
  expect(await bar(page).count()).toBe(0)
})

test('counts all matches of a parsed document and steps through them, marked on both sides', async () => {
  const { page } = lectern
  await page.getByRole('button', { name: 'Parse', exact: true }).click()
  await page.getByTestId('parse-progress').filter({ hasText: '12 of 12 pages' }).waitFor(wait)
  await page.getByTestId('find-open').click()
  await page.keyboard.type('lighthouse')
  await searchStatus(page)
    .filter({ hasText: /^\d+ of 24$/ })
    .waitFor(wait)
  expect(await page.getByTestId('find-source').textContent()).toContain('in parsed text')
  const first = Number(/^\d+/.exec((await searchStatus(page).textContent()) ?? '')?.[0])
  await page.keyboard.press('F3')
  await page.keyboard.press('Shift+F3')
  await page.keyboard.press('Shift+Enter')
  await searchStatus(page)
    .filter({ hasText: `${first - 1} of 24` })
    .waitFor(wait)
  for (let at = first - 1; at > 8; at--) await page.keyboard.press('Shift+Enter')
  await searchStatus(page)
    .filter({ hasText: /^8 of 24$/ })
    .waitFor(wait)
  const text = page.getByTestId('markdown-pane')
  await text.locator('[data-page="4"].chosen', { hasText: 'LIGHTHOUSE' }).waitFor(wait)
  await page.locator('.box.chosen').waitFor(wait)
  await expect.poll(() => marked(page, 'lectern-find-here'), wait).toEqual(['LIGHTHOUSE'])
  await expect.poll(() => marked(page, 'lectern-find-page-here'), wait).toEqual(['LIGHTHOUSE'])
  expect((await marked(page, 'lectern-find')).length).toBeGreaterThan(1)
  // A match differs from a highlight of the user by more than its color.
  const lines = await page.evaluate(() =>
    ['lectern-find', 'lectern-find-page', 'lectern-marked-yellow'].map(
      (name) => getComputedStyle(document.body, `::highlight(${name})`).textDecorationLine,
    ),
  )
  expect(lines).toEqual(['underline', 'underline', 'none'])
})

test('finds words written by the user immediately, and Chinese by a single character', async () => {
  const { page } = lectern
  const text = page.getByTestId('markdown-pane')
  const block = text.locator('[data-page="4"].chosen')
  await block.hover()
  await block.getByTestId('block-edit').click()
  await page.getByTestId('block-editor').fill('守望者在灯塔上写信，灯塔很安静。')
  await page.getByTestId('block-save').click()
  await searchStatus(page)
    .filter({ hasText: / of 23$/ })
    .waitFor(wait)
  const field = bar(page).getByRole('searchbox')
  await field.fill('塔')
  await searchStatus(page)
    .filter({ hasText: /^1 of 2$/ })
    .waitFor(wait)
  await expect.poll(() => marked(page, 'lectern-find-here'), wait).toEqual(['塔'])
  await field.fill('灯塔')
  await searchStatus(page)
    .filter({ hasText: /^1 of 2$/ })
    .waitFor(wait)
  await field.fill('nowhere to be found')
  await searchStatus(page).filter({ hasText: 'No matches' }).waitFor(wait)
  expect(await marked(page, 'lectern-find')).toEqual([])
})

test('closes the search with Escape and restores the focus', async () => {
  const { page } = lectern
  await bar(page).getByRole('searchbox').press('Escape')
  const text = page.getByTestId('markdown-pane')
  await text.focus()
  await page.keyboard.press('ControlOrMeta+f')
  await bar(page).waitFor(wait)
  await page.keyboard.press('Escape')
  expect(await bar(page).count()).toBe(0)
  expect(await text.evaluate((one) => one === document.activeElement)).toBe(true)
})

test('creates a document named by its time from a pasted image, and parses it as chosen', async () => {
  const { page } = lectern
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.evaluate(async () => {
    const canvas = new OffscreenCanvas(320, 200)
    const pen = canvas.getContext('2d')
    pen?.fillRect(20, 20, 200, 100)
    const png = await canvas.convertToBlob({ type: 'image/png' })
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': png })])
  })
  await page.keyboard.press('ControlOrMeta+v')
  const title = page.getByTestId('document-pane').getByRole('heading', { level: 1 })
  await title.filter({ hasText: /^Pasted image \d{4}-\d\d-\d\d \d\d\.\d\d\.\d\d$/ }).waitFor(wait)
  await page.getByTestId('parse-progress').filter({ hasText: '1 of 1 page parsed' }).waitFor(wait)
  expect(await page.locator('[data-item][aria-current]').textContent()).toMatch(
    /Pasted image .*1 page/s,
  )
})

test('plans documents imported together in one line, reorders them and starts them at once', async () => {
  const { page } = lectern
  const files = await Promise.all(
    [
      ['part 10', 5],
      ['part 2', 3],
      ['annex', 2],
    ].map(async ([name, pages]) => ({
      name: `${name}.pdf`,
      type: 'application/pdf',
      bytes: await made(Number(pages), String(name)),
    })),
  )
  await second.call('settings.update', { parseOnArrival: {} })
  await dropFiles(page, files)
  const batch = page.getByTestId('batch')
  await batch
    .getByTestId('batch-plan')
    .filter({ hasText: /^\s*3 documents, 10 pages, about 3 requests\s*$/ })
    .waitFor(wait)
  await batch.getByRole('button', { name: 'Show list' }).click()
  const rows = batch.getByRole('listitem').getByRole('link')
  expect(await rows.allTextContents()).toEqual(['part 10', 'part 2', 'annex'])
  await batch.getByRole('combobox', { name: 'Order' }).selectOption('By name')
  expect(await rows.allTextContents()).toEqual(['annex', 'part 2', 'part 10'])
  await batch.getByRole('button', { name: 'Move part 10 up' }).click()
  expect(await rows.allTextContents()).toEqual(['annex', 'part 10', 'part 2'])
  await batch.getByRole('button', { name: 'Parse all' }).click()
  await batch.waitFor({ ...wait, state: 'detached' })
  for (const name of ['annex', 'part 10', 'part 2']) {
    await page
      .getByRole('link', { name: new RegExp(`^${name}\\b`) })
      .first()
      .click()
    const pages = new RegExp(`(\\d+) of \\1 pages? parsed`)
    await page.getByTestId('parse-progress').filter({ hasText: pages }).waitFor(wait)
  }
  const row = page.locator('[data-item]', { hasText: 'part 10' }).first()
  await expect.poll(() => row.textContent(), wait).toContain('Chapter 1 The part 10 of page 1')
})
