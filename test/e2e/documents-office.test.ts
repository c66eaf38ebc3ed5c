import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openLectern, type Lectern } from './lectern.ts'

let lectern: Lectern

beforeAll(async () => {
  lectern = await openLectern()
  await lectern.page.getByRole('button', { name: 'Skip' }).click()
})
afterAll(() => lectern.close())

const wait = { timeout: 90_000 }
const fixture = (name: string) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: readFileSync(new URL(`../fixtures/text-files/${name}`, import.meta.url)),
})

async function importFile(file: ReturnType<typeof fixture>): Promise<void> {
  const { page } = lectern
  await page.getByRole('navigation').getByRole('link', { name: 'Documents' }).click()
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Import…' }).first().click()
  await (await chooser).setFiles([file])
}

test('shows the sections of a Word file as text, without page images', async () => {
  const { page } = lectern
  await importFile(fixture('report.docx'))
  const text = page.getByTestId('markdown-pane')
  await text.getByRole('heading', { name: 'Harbor report' }).waitFor(wait)
  await text.getByRole('heading', { name: 'Section 1', exact: true }).waitFor(wait)
  expect(await text.locator('strong', { hasText: '412 ships' }).count()).toBe(1)
  expect(await page.getByRole('region', { name: 'Pages', exact: true }).count()).toBe(0)
  expect(await page.getByRole('button', { name: 'Zoom in' }).count()).toBe(0)
  expect(await page.getByTestId('parse-again').count()).toBe(0)
  // Highlights are on page images.
  expect(await page.getByTestId('highlights-open').count()).toBe(0)
})

test('goes to a section from the contents, and reopens the document there', async () => {
  const { page } = lectern
  await importFile(fixture('letter.docx'))
  const text = page.getByTestId('markdown-pane')
  await text.getByText('Dear keeper,').waitFor(wait)
  await page.getByRole('button', { name: 'Contents' }).click()
  await page.getByRole('treeitem', { name: 'Section 3' }).click()
  await text.getByRole('heading', { name: 'Section 3', exact: true }).waitFor(wait)
  const number = page.getByRole('textbox', { name: 'Go to page' })
  await expect.poll(() => number.inputValue(), wait).toBe('3')
  // The position is saved shortly after scrolling ended.
  await page.waitForTimeout(1000)
  await page.getByRole('link', { name: 'report' }).first().click()
  await text.getByRole('heading', { name: 'Harbor report' }).waitFor(wait)
  await page.getByRole('link', { name: 'letter' }).first().click()
  await expect.poll(() => number.inputValue(), wait).toBe('3')
})

test('opens a search result at its slide, with the block highlighted', async () => {
  const { page } = lectern
  await importFile(fixture('deck.pptx'))
  await page.getByTestId('markdown-pane').getByText('Harbor in autumn').waitFor(wait)
  await page.getByRole('searchbox', { name: 'Search documents' }).fill('"photo of the crane"')
  await page.getByRole('list', { name: 'Results' }).getByRole('link').first().click()
  const chosen = page.locator('[data-testid="markdown-pane"] .chosen')
  await chosen.filter({ hasText: 'Show the photo of the crane.' }).waitFor(wait)
  const slide = page.getByTestId('markdown-pane').getByRole('heading', { name: 'Slide 2' })
  await expect.poll(() => slide.count(), wait).toBe(1)
})

test('answers a question about a Word file from its text', async () => {
  const { page } = lectern
  await page.getByRole('searchbox', { name: 'Search documents' }).fill('')
  await importFile(fixture('report.docx'))
  await page.getByTestId('ask-document').click(wait)
  const field = page.getByTestId('composer').getByRole('textbox', { name: 'Question' })
  await field.fill('When did the old crane fail?')
  await page.keyboard.press('Enter')
  await expect
    .poll(() => page.getByTestId('thread-pane').getByText('old one in October').count(), wait)
    .toBeGreaterThan(0)
})

test('says that a broken or old file cannot be read, and how to save it', async () => {
  const { page } = lectern
  await importFile({ ...fixture('report.docx'), name: 'broken.docx', buffer: Buffer.from('PK no') })
  await page.getByText('This file is damaged or not a Word file.').waitFor(wait)
  const old = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0])
  await importFile({ ...fixture('report.docx'), name: 'old.doc', buffer: old })
  // Both are in one notice, with the advice for the old one.
  const advice = page
    .getByTestId('rejected-files')
    .getByText('Save it as DOCX, then import it again.')
  await expect.poll(() => advice.count(), wait).toBe(1)
})
