import { afterAll, beforeAll, expect, test } from 'vitest'
import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib'
import { openLectern, type Lectern } from './lectern.ts'

let lectern: Lectern

beforeAll(async () => {
  lectern = await openLectern()
  await lectern.page.getByRole('button', { name: 'Skip' }).click()
})
afterAll(() => lectern.close())

const pages = 30

/** Creates thirty pages, each with a heading and a paragraph that names it. */
async function made(): Promise<Buffer> {
  const pdf = await PDFDocument.create()
  const font = await pdf.embedFont(StandardFonts.Helvetica)
  for (let number = 1; number <= pages; number++) {
    const page = pdf.addPage([595, 842])
    page.drawText(`Chapter ${number}`, { x: 72, y: 740, size: 22, font })
    page.drawText(`The lighthouse of page ${number} looks over a quiet sea,`, {
      x: 72,
      y: 690,
      size: 11,
      font,
    })
    page.drawText('and its keeper writes one letter a day.', { x: 72, y: 676, size: 11, font })
  }
  return Buffer.from(await pdf.save())
}
const wait = { timeout: 120_000 }

test('parses an imported PDF on arrival, in parts, and receives every page', async () => {
  const { page } = lectern
  await page.getByRole('link', { name: 'Documents' }).click()
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Import…' }).first().click()
  const file = { name: 'sea.pdf', mimeType: 'application/pdf', buffer: await made() }
  await (await chooser).setFiles([file])
  await page.getByTestId('document-reader').waitFor(wait)
  const through = page.getByTestId('parse-progress').filter({ hasText: '30 of 30 pages parsed' })
  await through.waitFor(wait)
  expect(await through.count()).toBe(1)
})

test.each([1440, 1000, 700])(
  'shows title, status and actions in one line, %i pixels wide',
  async (width) => {
    const { page } = lectern
    await page.setViewportSize({ width, height: 700 })
    const pane = page.getByTestId('document-pane')
    const line = [
      pane.getByRole('heading', { level: 1, name: 'sea' }),
      pane.getByTestId('parse-progress'),
      pane.getByTestId('ask-document'),
      pane.getByTestId('document-export-open'),
      pane.getByTestId('document-more'),
    ]
    const boxes = await Promise.all(line.map((one) => one.boundingBox()))
    const middles = boxes.map((box) => (box ? box.y + box.height / 2 : Number.NaN))
    expect(Math.max(...middles) - Math.min(...middles)).toBeLessThan(6)
    // Nothing but the toolbar is between this line and the pages.
    const top = (await page.getByTestId('document-reader').boundingBox())?.y ?? Number.NaN
    expect(top - Math.max(...middles)).toBeLessThan(40)
    await pane.getByTestId('document-more').click()
    await pane.getByRole('button', { name: 'Parse again…' }).waitFor()
    await pane.getByRole('button', { name: 'Move to Trash' }).waitFor()
    await page.keyboard.press('Escape')
    await page.setViewportSize({ width: 1280, height: 800 })
  },
)

test('highlights the page for hovered text, and vice versa', async () => {
  const { page } = lectern
  const block = page.locator('[data-testid="markdown-pane"] [data-b]', { hasText: 'page 1 looks' })
  await block.waitFor(wait)
  await block.hover()
  const lit = page.getByRole('region', { name: 'Pages', exact: true }).locator('.lit')
  await lit.waitFor({ ...wait, state: 'attached' })
  const place = await lit.boundingBox()
  if (!place) throw new Error('the block has no box')
  await page.mouse.move(2, 2)
  await expect.poll(() => lit.count()).toBe(0)
  await expect.poll(() => block.evaluate((one) => one.classList.contains('lit'))).toBe(false)
  await page.mouse.move(place.x + place.width / 2, place.y + place.height / 2)
  await expect.poll(() => block.evaluate((one) => one.classList.contains('lit'))).toBe(true)
})

test('finds a block by its words and opens its page, also after a restart without the provider', async () => {
  lectern = await lectern.restart()
  const { page } = lectern
  await page.getByRole('link', { name: 'Documents' }).click()
  await page.getByRole('searchbox', { name: 'Search documents' }).fill('"page 27 looks"')
  await page.getByRole('list', { name: 'Results' }).getByRole('link').first().click()
  await page
    .locator('[data-testid="markdown-pane"] .chosen', { hasText: 'page 27 looks' })
    .waitFor(wait)
  await expect
    .poll(() => page.getByRole('textbox', { name: 'Go to page' }).inputValue(), wait)
    .toBe('27')
})
