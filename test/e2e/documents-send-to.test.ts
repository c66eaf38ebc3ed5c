import { afterAll, beforeAll, expect, test } from 'vitest'
import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib'
import { openLectern, type Lectern } from './lectern.ts'

let lectern: Lectern

beforeAll(async () => {
  lectern = await openLectern()
  await lectern.page.getByRole('button', { name: 'Skip' }).click()
})
afterAll(() => lectern.close())

const wait = { timeout: 90_000 }
const sentence = 'The keeper of the northern lighthouse keeps nine white goats.'

/** Creates three pages, one of which contains the answer. */
async function made(): Promise<Buffer> {
  const pdf = await PDFDocument.create()
  const font = await pdf.embedFont(StandardFonts.Helvetica)
  const lines = [
    'Ships that pass the cape report their cargo to the harbour.',
    sentence,
    'The library of the town is closed on Mondays.',
  ]
  for (const [at, line] of lines.entries()) {
    const page = pdf.addPage([595, 842])
    page.drawText(`Chapter ${at + 1}`, { x: 72, y: 740, size: 22, font })
    page.drawText(line, { x: 72, y: 690, size: 12, font })
  }
  return Buffer.from(await pdf.save())
}

/** Selects the document in its list. */
async function openDocument(): Promise<void> {
  const { page } = lectern
  await page.getByRole('navigation').getByRole('link', { name: 'Documents' }).click()
  await page.getByRole('link', { name: 'cape' }).first().click(wait)
}

test('adds a parsed document to a new knowledge base, and lists it there with its run', async () => {
  const { page } = lectern
  await page.getByRole('link', { name: 'Documents' }).click()
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Import…' }).first().click()
  const file = { name: 'cape.pdf', mimeType: 'application/pdf', buffer: await made() }
  await (await chooser).setFiles([file])
  await page.getByTestId('document-more').click(wait)
  await page.getByTestId('add-to-knowledge-base').click(wait)
  const form = page.getByTestId('add-to-knowledge-base-form')
  await form.getByLabel('Name').fill('Coast')
  await form.getByRole('button', { name: 'Add', exact: true }).click()
  const line = page.getByTestId('document-knowledge-base')
  await expect.poll(() => line.innerText(), wait).toMatch(/^Added to “Coast”/)
  await line.getByRole('link', { name: 'View run' }).click()
  await page.getByText('documents.upload').first().waitFor(wait)
})

test('finds the text of the document in the knowledge base', async () => {
  const { page } = lectern
  await openDocument()
  await page.getByRole('link', { name: 'Ask knowledge base' }).click(wait)
  const question = page.getByTestId('composer').getByRole('textbox', { name: 'Question' })
  await question.fill('How many goats does the keeper keep?')
  expect(await page.getByTestId('attachments').count()).toBe(0)
  await page.keyboard.press('Enter')
  await expect
    .poll(() => page.getByTestId('thread-pane').getByText('nine white goats').count(), wait)
    .toBeGreaterThan(0)
})

test('asks about the document with one press and a question, and answers with its page', async () => {
  const { page } = lectern
  await openDocument()
  await page.getByTestId('ask-document').click(wait)
  const composer = page.getByTestId('composer')
  const question = composer.getByRole('textbox', { name: 'Question' })
  await composer.getByTestId('attachments').getByText('cape').waitFor(wait)
  await composer.getByRole('button', { name: 'All pages' }).click()
  await page
    .getByTestId('text-size')
    .filter({ hasText: /^3 pages will be sent/ })
    .waitFor(wait)
  await page.keyboard.press('Escape')
  // The field has the focus: a question can be typed at once.
  await expect
    .poll(() => question.evaluate((field) => field === document.activeElement), wait)
    .toBe(true)
  await page.keyboard.insertText('How many goats does the keeper keep?')
  await page.keyboard.press('Enter')
  await page
    .getByTestId('thread-pane')
    .getByText(/nine white goats.*cape, p\. 2/s)
    .first()
    .waitFor(wait)
  // Sent: the composer is empty.
  await expect.poll(() => question.inputValue(), wait).toBe('')
  expect(await composer.getByTestId('attachments').count()).toBe(0)
})

test('opens Narration for an answer and a document with readable text, sending nothing yet', async () => {
  const { page } = lectern
  const field = page.getByRole('textbox', { name: 'Text', exact: true })
  const answer = page.getByTestId('answer').last()
  await answer.getByRole('button', { name: 'Read aloud' }).click(wait)
  await expect.poll(() => field.inputValue(), wait).toContain('nine white goats')
  expect(await field.inputValue()).not.toMatch(/\*\*|\[\d/)
  await openDocument()
  await page.getByTestId('document-more').click(wait)
  await page.getByTestId('document-speak').click(wait)
  await expect.poll(() => field.inputValue(), wait).toContain(sentence)
  expect(await field.inputValue()).toMatch(/Chapter 1\.?\n\n/)
  await page.getByText('From “cape”').waitFor(wait)
  expect(await page.locator('form button[type="submit"]').isDisabled()).toBe(true)
})
