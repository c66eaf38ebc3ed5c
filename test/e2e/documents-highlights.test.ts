import { readFile } from 'node:fs/promises'
import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib'
import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pageOf, readPdf } from '../../src/main/domains/documents/worker/pdf/library.ts'
import { findings } from './axe.ts'
import { askPalette, dropFiles } from './gestures.ts'
import { openLectern, type Lectern } from './lectern.ts'

const wait = { timeout: 60_000 }
let lectern: Lectern

/** Two pages, each with two lines of one sentence. */
async function paper(): Promise<Uint8Array> {
  const pdf = await PDFDocument.create()
  const font = await pdf.embedFont(StandardFonts.Helvetica)
  for (const name of ['Anchor', 'Beacon']) {
    const page = pdf.addPage([595, 842])
    page.drawText(`The ${name} looks over a quiet sea,`, { x: 72, y: 700, size: 12, font })
    page.drawText('and its keeper writes one letter a day.', { x: 72, y: 684, size: 12, font })
  }
  return pdf.save()
}

beforeAll(async () => {
  lectern = await openLectern({ width: 1400, height: 900 })
  await lectern.browser.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await lectern.page.getByRole('button', { name: 'Skip' }).click()
  await dropFiles(lectern.page, [
    { name: 'sea.pdf', type: 'application/pdf', bytes: await paper() },
  ])
  await lectern.page
    .getByTestId('parse-progress')
    .filter({ hasText: '2 of 2 pages parsed' })
    .waitFor(wait)
})
afterAll(() => lectern.close())

const pages = (): Locator => lectern.page.getByRole('region', { name: 'Pages', exact: true })
const bar = (): Locator => lectern.page.getByTestId('highlight-bar')
const list = (): Locator => lectern.page.getByTestId('highlight-list')
const marks = (): Locator => pages().locator('[data-highlight]')

/** Selects from the middle of one text to the middle of another by dragging. */
async function drag(from: Locator, to: Locator): Promise<void> {
  await from.waitFor(wait)
  const [start, end] = [await from.boundingBox(), await to.boundingBox()]
  if (!start || !end) throw new Error('the text is not shown')
  const { mouse } = lectern.page
  await mouse.move(start.x + 1, start.y + start.height / 2)
  await mouse.down()
  await mouse.move(end.x + end.width / 2, end.y + end.height / 2, { steps: 5 })
  await mouse.move(end.x + end.width - 1, end.y + end.height / 2, { steps: 5 })
  await mouse.up()
}
const line = (page: number, text: string): Locator =>
  pages().locator(`[data-page="${page}"] .layer span`, { hasText: text }).first()

test('highlights selected lines of a page in a chosen color, and shows them where they are', async () => {
  await drag(line(1, 'The Anchor looks'), line(1, 'and its keeper'))
  await bar().getByRole('button', { name: 'Green' }).click()
  await bar().waitFor({ state: 'detached', ...wait })
  const mark = pages().getByRole('button', {
    name: /^Green highlight: The Anchor looks over a quiet sea, and its keeper writes one letter a day\.?$/,
  })
  await mark.waitFor({ state: 'attached', ...wait })
  expect(await mark.locator('.line').count()).toBe(2)
  const [drawn, words] = [
    await mark.locator('.line').first().boundingBox(),
    await line(1, 'The Anchor looks').boundingBox(),
  ]
  expect(Math.abs((drawn?.y ?? 0) - (words?.y ?? 99))).toBeLessThan(3)
  expect(Math.abs((drawn?.x ?? 0) - (words?.x ?? 99))).toBeLessThan(3)
  // In the text beside it, too.
  const marked = () =>
    lectern.page.evaluate(() =>
      Array.from(CSS.highlights.get('lectern-marked-green') ?? [], (range) =>
        String(range as Range).replaceAll(/\s+/g, ' '),
      ),
    )
  await expect
    .poll(marked, wait)
    .toEqual([expect.stringContaining('The Anchor looks over a quiet sea,')])
})

test('writes a note on words selected in the text, on the lines of the page', async () => {
  const { page } = lectern
  const block = page.locator('[data-testid="markdown-pane"] [data-b]', {
    hasText: 'The Beacon looks',
  })
  await block.scrollIntoViewIfNeeded()
  await line(2, 'The Beacon looks').waitFor(wait)
  await block.evaluate((row) => {
    const walker = document.createTreeWalker(row, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const at = node.textContent?.indexOf('Beacon looks') ?? -1
      if (at < 0) continue
      const range = document.createRange()
      range.setStart(node, at)
      range.setEnd(node, at + 'Beacon looks'.length)
      getSelection()?.removeAllRanges()
      getSelection()?.addRange(range)
    }
  })
  await bar().getByRole('button', { name: 'Note' }).click()
  const note = bar().getByRole('textbox', { name: 'Note' })
  await note.fill('Which beacon is this?')
  await page.keyboard.press('Escape')
  const mark = pages().getByRole('button', {
    name: 'Green highlight: Beacon looks. Note: Which beacon is this?',
  })
  await mark.waitFor({ state: 'attached', ...wait })
  // Only the words of the line, not the whole block.
  const [drawn, words] = [await mark.boundingBox(), await line(2, 'The Beacon looks').boundingBox()]
  expect(drawn?.width ?? 0).toBeGreaterThan(10)
  expect(drawn?.width ?? 999).toBeLessThan((words?.width ?? 0) * 0.7)
})

test('lists them by page, goes to one, and changes its color from the keyboard', async () => {
  const { page } = lectern
  await page.getByTestId('highlights-open').click()
  await expect
    .poll(() => list().getByRole('listitem').allInnerTexts(), wait)
    .toEqual([
      expect.stringMatching(/Page 1[^]*The Anchor looks/),
      expect.stringMatching(/Page 2[^]*Beacon looks[^]*Which beacon is this\?/),
    ])
  expect(await findings(page)).toEqual([])
  await list()
    .getByRole('button', { name: /The Anchor looks/ })
    .click()
  await pages()
    .locator('[data-page="1"] .mark.chosen')
    .waitFor({ state: 'attached', ...wait })
  await page.keyboard.press('Escape')
  const mark = pages().getByRole('button', { name: /^Green highlight: The Anchor/ })
  await mark.focus()
  await page.keyboard.press('Enter')
  await bar().getByRole('button', { name: 'Yellow' }).and(page.locator(':focus')).waitFor(wait)
  await bar().getByRole('button', { name: 'Blue' }).press('Enter')
  await pages()
    .getByRole('button', { name: /^Blue highlight: The Anchor/ })
    .waitFor({
      state: 'attached',
      ...wait,
    })
  expect(await findings(page)).toEqual([])
  await page.keyboard.press('Escape')
})

test('deletes a highlight that is clicked, and restores it', async () => {
  const { page } = lectern
  const place = await pages().locator('[data-page="1"] .mark .line').first().boundingBox()
  if (!place) throw new Error('the highlight is not shown')
  await page.mouse.click(place.x + place.width / 2, place.y + place.height / 2)
  await bar().getByRole('button', { name: 'Delete highlight' }).click()
  await expect.poll(() => list().getByRole('listitem').count(), wait).toBe(1)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => list().getByRole('listitem').count(), wait).toBe(2)
  await pages()
    .getByRole('button', { name: /^Blue highlight: The Anchor/ })
    .waitFor({
      state: 'attached',
      ...wait,
    })
})

test('highlights the block that is chosen from the keyboard', async () => {
  const { page } = lectern
  await pages().focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('h')
  await expect.poll(() => list().getByRole('listitem').count(), wait).toBe(3)
  await list().getByRole('listitem').first().getByRole('button').first().press('Delete')
  await expect.poll(() => list().getByRole('listitem').count(), wait).toBe(2)
})

test('finds a note in the document and in the Library, also after a restart', async () => {
  lectern = await lectern.restart()
  const { page } = lectern
  await askPalette(page, 'which beacon')
  const found = page.getByRole('option').filter({ hasText: 'Which beacon is this?' })
  await found.waitFor(wait)
  await found.click()
  await pages()
    .locator('[data-page="2"] .mark.chosen')
    .waitFor({ state: 'attached', ...wait })
  await expect
    .poll(() => bar().getByRole('textbox', { name: 'Note' }).inputValue(), wait)
    .toBe('Which beacon is this?')
  await page.keyboard.press('Escape')
  await page.keyboard.press('ControlOrMeta+f')
  await page.keyboard.type('which')
  await page
    .getByTestId('find-bar')
    .getByRole('status')
    .filter({ hasText: /^1 of 1$/ })
    .waitFor(wait)
  await bar().waitFor(wait)
  await page.keyboard.press('Escape')
})

test('saves a copy of the PDF that contains them', async () => {
  const { page } = lectern
  await page.getByTestId('highlights-open').click()
  await list().getByRole('button', { name: 'Export highlights' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.locator('input[type=radio][value=pdf]').check()
  expect(await findings(page)).toEqual([])
  const { name, path } = await lectern.saved(() =>
    dialog.getByRole('button', { name: 'Save' }).click(),
  )
  expect(name).toBe('sea – Highlights.pdf')
  expect((await readFile(path)).subarray(0, 5).toString()).toBe('%PDF-')
  const pdf = await readPdf(path, null)
  try {
    const found: readonly unknown[] = await (await pageOf(pdf.document, 2)).getAnnotations()
    expect(found).toMatchObject([
      { subtype: 'Highlight', contentsObj: { str: 'Which beacon is this?' } },
    ])
  } finally {
    await pdf.close()
  }
  expect(await marks().count()).toBeGreaterThan(0)
})

test('highlights a block, writes a note and asks about it from its margin, which covers no text', async () => {
  const { page } = lectern
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  const block = page.getByTestId('markdown-pane').locator('[data-b]').nth(1)
  await block.hover()
  const note = block.getByTestId('block-note')
  const [tools, text] = [
    await note.boundingBox(),
    await block.locator('.row > :first-child').boundingBox(),
  ]
  expect(tools?.x ?? 0).toBeGreaterThanOrEqual((text?.x ?? 0) + (text?.width ?? 0))
  expect(await findings(page)).toEqual([])
  const before = await list().getByRole('listitem').count()
  await note.click()
  await bar().getByRole('textbox', { name: 'Note' }).fill('Which harbor?')
  await page.keyboard.press('Escape')
  await expect.poll(() => list().getByRole('listitem').count(), wait).toBe(before + 1)
  // The note on the same block is opened again.
  await block.hover()
  await note.click()
  await expect
    .poll(() => bar().getByRole('textbox', { name: 'Note' }).inputValue(), wait)
    .toBe('Which harbor?')
  await page.keyboard.press('Escape')
  expect(await list().getByRole('listitem').count()).toBe(before + 1)
  await block.hover()
  await block.getByTestId('block-ask').click()
  // A new chat has the page attached, and a quote of the block as the beginning of the question.
  const field = page.getByTestId('composer').getByRole('textbox', { name: 'Question' })
  await expect.poll(() => field.inputValue(), wait).toMatch(/^> \S/)
  await page
    .getByTestId('attachments')
    .getByRole('button', { name: /^pages? \d+$/ })
    .waitFor(wait)
  await page.goBack()
  await page.getByTestId('document-reader').waitFor(wait)
})

test('remembers the width of the pane with the highlights', async () => {
  const handle = () => lectern.page.getByRole('separator', { name: 'Resize side panel' })
  if (!(await handle().isVisible())) await lectern.page.getByTestId('highlights-open').click(wait)
  await handle().focus()
  await lectern.page.keyboard.press('End')
  expect(await handle().getAttribute('aria-valuenow')).toBe('480')
  const address = await lectern.page.evaluate(() => location.hash)
  lectern = await lectern.restart()
  await lectern.page.evaluate((to) => void (location.hash = to), address)
  await lectern.page.getByTestId('highlights-open').click(wait)
  expect(await handle().getAttribute('aria-valuenow')).toBe('480')
})
