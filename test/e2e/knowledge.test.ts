import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FaultRule } from '../../src/local-service/fault-injection/rules.ts'
import { zh } from '../../src/renderer/src/i18n/zh/index.ts'
import { startKeyringSession, type KeyringSession } from '../fixtures/keyring-session.ts'
import { makePdf } from '../local-service/fixtures/papers.ts'
import { startTestService, type TestService } from '../local-service/fixtures/service.ts'
import { findings } from './axe.ts'
import { dropFiles } from './gestures.ts'
import { openLectern, type Lectern } from './lectern.ts'
import { secondPage } from './second-page.ts'

const wait = { timeout: 20_000 }
const shots = process.env['LECTERN_SHOTS']
let keyring: KeyringSession
let service: TestService
let lectern: Lectern

beforeAll(async () => {
  keyring = await startKeyringSession()
  ;[service, lectern] = await Promise.all([
    startTestService({ faults: true }),
    openLectern({ env: keyring.env, locale: 'en-US', width: 1400, height: 900 }),
  ])
  lectern.page.setDefaultTimeout(20_000)
  await lectern.page.getByRole('button', { name: 'Skip' }).click()
  const second = await secondPage(lectern.home, keyring.env)
  const { id } = await second.call('accounts.create', {
    preset: 'custom',
    name: 'Coast service',
    baseUrl: service.url,
  })
  await second.call('accounts.setKey', { id, key: service.key })
  await second.call('accounts.activate', { id })
  second.close()
})
afterAll(async () => {
  await lectern.close()
  await service.stop()
  await keyring.stop()
})

const shot = async (name: string): Promise<void> => {
  if (shots !== undefined) await lectern.page.screenshot({ path: `${shots}/bases-${name}.png` })
}
async function misbehave(...rules: readonly FaultRule[]): Promise<void> {
  await service.call('/__faults', { method: 'DELETE' })
  if (rules.length > 0)
    await service.call('/__faults', { method: 'POST', body: JSON.stringify(rules) })
}
const documents = () => lectern.page.getByTestId('knowledge-base-document')
const uploads = () => lectern.page.getByTestId('upload')
const tab = (name: string) => lectern.page.getByRole('radiogroup', { name: 'View' }).getByText(name)
const guide = `# The pier

Ships moor at the pier from May to September.

## Tides

High water comes at noon, low water six hours later.

## Lights

The northern lamp is lit at four in winter.
`

test('creates the first knowledge base by keyboard, with its color and icon', async () => {
  const { page } = lectern
  await page.keyboard.press('Control+2')
  await page.getByRole('link', { name: 'Knowledge bases' }).press('Enter')
  await page.getByRole('heading', { name: 'Knowledge bases' }).waitFor(wait)
  expect(await findings(page)).toEqual([])
  await shot('empty')
  await page.getByTestId('new-knowledge-base').focus()
  await page.keyboard.press('Enter')
  const form = page.getByTestId('knowledge-base-form')
  await form.waitFor()
  await page.keyboard.type('Harbour')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Tides, lights and ships')
  await page.keyboard.press('Tab')
  for (let n = 0; n < 5; n++) await page.keyboard.press('ArrowRight')
  expect(await form.getByRole('radio', { name: 'Green' }).isChecked()).toBe(true)
  await page.keyboard.press('Tab')
  await page.keyboard.press('ArrowLeft')
  expect(await form.getByRole('radio', { name: 'Question' }).isChecked()).toBe(true)
  for (let n = 0; n < 6; n++) await page.keyboard.press('ArrowRight')
  expect(await form.getByRole('radio', { name: 'House' }).isChecked()).toBe(true)
  expect(await findings(page)).toEqual([])
  await shot('form')
  await page.keyboard.press('Enter')
  // A new knowledge base asks for its documents.
  await page.getByTestId('add-documents-form').waitFor(wait)
  await page.keyboard.press('Escape')
  await page.getByRole('heading', { name: 'Harbour', exact: true }).waitFor(wait)
  const list = await service.call('/llm-application/open/knowledge').then((reply) => reply.json())
  expect(list.data.list).toEqual([
    expect.objectContaining({
      name: 'Harbour',
      description: 'Tides, lights and ships',
      background: 'green',
      icon: 'house',
      embedding_id: 11,
      contextual: 0,
    }),
  ])
  await page.getByRole('meter', { name: /^Words: 0 of/ }).waitFor(wait)
  await page.getByRole('meter', { name: /^Size: 0 B of/ }).waitFor(wait)
})

test('previews the chunks of dropped files, reports a failed one, and retries it', async () => {
  const { page } = lectern
  await dropFiles(page, [
    { name: 'Guide.md', type: 'text/markdown', bytes: Buffer.from(guide) },
    { name: 'Blank.md', type: 'text/markdown', bytes: Buffer.from('   \n\n  ') },
  ])
  const form = page.getByTestId('add-documents-form')
  await expect.poll(() => form.getByTestId('chosen-source').count(), wait).toBe(2)
  await form.getByText('Chunking and preview').click()
  await form.getByRole('radio', { name: 'Preview Guide.md' }).check()
  const preview = form.getByTestId('chunk-preview')
  await preview.getByText('3 chunks').waitFor(wait)
  await preview.getByText('High water comes at noon').waitFor()
  expect(await findings(page)).toEqual([])
  await shot('add')
  await form.getByTestId('chunking-type').selectOption({ label: 'Whole document' })
  await preview.getByText('1 chunk', { exact: true }).waitFor(wait)
  await form.getByTestId('chunking-type').selectOption({ label: 'By row' })
  await preview.getByText('not a table').waitFor(wait)
  await form.getByTestId('chunking-type').selectOption({ label: 'By heading' })
  await form.getByRole('radio', { name: 'Preview Blank.md' }).check()
  await preview.getByText('No text found').waitFor(wait)
  await form.getByRole('button', { name: 'Add 2 documents', exact: true }).click()
  await expect.poll(() => uploads().getByText('Uploaded').count(), wait).toBe(2)
  await tab('Documents').click()
  await documents().filter({ hasText: 'Guide.md' }).getByText('Searchable').waitFor(wait)
  const blank = documents().filter({ hasText: 'Blank.md' })
  await blank.getByText('Unreadable, or not enough storage').waitFor(wait)
  await blank.getByText('Code 10001').waitFor()
  expect(await findings(page)).toEqual([])
  await shot('documents')
  await page.getByTestId('retry-failed').click()
  await page.getByText('Embedding 1 document again…').waitFor(wait)
  await blank.getByText('Code 10001').waitFor(wait)
  await documents().filter({ hasText: 'Guide.md' }).getByRole('button').first().focus()
  // Two files are sent in parallel: either may arrive first.
  const first = await documents().first().innerText()
  await page.keyboard.press(first.includes('Blank.md') ? 'ArrowUp' : 'ArrowDown')
  await page.keyboard.press('Delete')
  await page.getByRole('dialog').getByText('Blank.md').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByText('1 document deleted').waitFor(wait)
  await expect.poll(() => blank.getAttribute('data-state'), wait).toBe('gone')
})

test('shows the provider’s errors for URLs, chunks of a PDF by page, and texts from the Library', async () => {
  const { page } = lectern
  const second = await secondPage(lectern.home, keyring.env)
  const pdf = await makePdf([({ write }) => write('The keeper has nine goats.', 72, 720, 14)])
  const lampsPdf = await makePdf([({ write }) => write('Lamps burn oil of whales.', 72, 720, 14)])
  const saved = await second.intake('Lamps.pdf', lampsPdf)
  const { document } = await second.call('documents.create', { mediaId: saved.id })
  await second.call('documents.parse', {
    id: document.id,
    options: { pages: '', crops: false, layoutPictures: false },
  })
  await expect
    .poll(
      async () =>
        (await second.call('documents.get', { id: document.id })).document.versions[0]?.state,
      wait,
    )
    .toBe('done')
  second.close()
  await page.getByTestId('add-documents').click()
  const form = page.getByTestId('add-documents-form')
  const chooser = page.waitForEvent('filechooser')
  await form.getByRole('button', { name: 'Choose files…' }).click()
  await (
    await chooser
  ).setFiles([{ name: 'Goats.pdf', mimeType: 'application/pdf', buffer: Buffer.from(pdf) }])
  await form.getByText('Chunking and preview').click()
  await form.getByTestId('chunking-type').selectOption({ label: 'By page' })
  const preview = form.getByTestId('chunk-preview')
  await preview.getByText('The keeper has nine goats.').waitFor(wait)
  await preview.getByText('page 1').waitFor()
  await form.getByText('URLs', { exact: true }).click()
  await form.getByRole('textbox', { name: 'URLs' }).fill('not an address')
  await form.getByText('Invalid: not an address').waitFor()
  await form.getByRole('textbox', { name: 'URLs' }).fill('https://example.org/paper.pdf')
  await form.getByText('Library', { exact: true }).click()
  const lamps = form.getByTestId('library-source').filter({ hasText: 'Lamps' })
  const { y } = (await lamps.boundingBox()) ?? {}
  await lamps.click()
  await preview.getByText('Lamps burn oil of whales.').waitFor(wait)
  expect(await lamps.getAttribute('aria-pressed')).toBe('true')
  expect((await lamps.boundingBox())?.y).toBe(y)
  // Choices are not lost to a key, however often it is pressed, or to a double click.
  await lamps.focus()
  await page.keyboard.press('Escape')
  const question = page.getByRole('alertdialog', { name: 'Discard your changes?' })
  await question.waitFor()
  for (let times = 0; times < 3; times++) await page.keyboard.press('Escape')
  await question.waitFor({ state: 'detached' })
  expect(await lamps.evaluate((row) => row === row.ownerDocument.activeElement)).toBe(true)
  await page.mouse.dblclick(5, 5)
  await page.getByRole('button', { name: 'Keep editing' }).click()
  expect(await findings(page)).toEqual([])
  await form.getByRole('button', { name: 'Add 3 documents', exact: true }).click()
  await uploads().filter({ hasText: 'example.org' }).getByText('Rejected').waitFor(wait)
  await uploads()
    .getByText(/^Provider: /)
    .waitFor()
  await uploads().filter({ hasText: 'Goats.pdf' }).getByText('Uploaded').waitFor(wait)
  await shot('uploads')
  await tab('Documents').click()
  for (const name of ['Goats.pdf', 'Lamps.md'])
    await documents().filter({ hasText: name }).getByText('Searchable').waitFor(wait)
  await page.getByRole('searchbox', { name: 'Search documents' }).fill('lam')
  await expect.poll(() => documents().count(), wait).toBe(1)
  await documents().getByRole('button', { name: 'Details: Lamps.md' }).click()
  await page.getByRole('dialog').getByText('No images').waitFor(wait)
  expect(await findings(page)).toEqual([])
  await page.keyboard.press('Escape')
  await page.getByRole('searchbox', { name: 'Search documents' }).fill('')
  await page.getByRole('meter', { name: /^Words: [1-9]\d* of/ }).waitFor(wait)
})

test('edits a knowledge base with its cost, opens a chat with it, and deletes it when confirmed', async () => {
  const { page } = lectern
  await page.getByTestId('new-knowledge-base').click()
  const form = page.getByTestId('knowledge-base-form')
  await form.getByLabel('Name').fill('Weather')
  await form.getByRole('button', { name: 'Create' }).click()
  await page.getByTestId('add-documents-form').waitFor(wait)
  await page.keyboard.press('Escape')
  await page.getByRole('heading', { name: 'Weather', exact: true }).waitFor(wait)
  await page.getByRole('link', { name: /Harbour/ }).click()
  await page.getByRole('heading', { name: 'Harbour', exact: true }).waitFor(wait)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await form.getByLabel('Embedding model').selectOption({ label: 'Embedding-3-pro' })
  await form.getByText(/Embeds 3 documents/).waitFor()
  await form.getByRole('button', { name: 'Cancel' }).click()
  const search = page.getByRole('searchbox', { name: 'Search knowledge bases' })
  await search.fill('weath')
  await expect.poll(() => page.getByRole('link', { name: /Harbour/ }).count(), wait).toBe(0)
  await page.getByRole('link', { name: /Weather/ }).waitFor(wait)
  await search.press('Enter')
  await page.getByRole('heading', { name: 'Weather', exact: true }).waitFor(wait)
  await search.fill('')
  await page.getByRole('button', { name: 'Start chat' }).click()
  const composer = page.getByTestId('composer')
  await composer.getByRole('textbox').fill('When is high water?')
  await page.keyboard.press('Enter')
  await page.locator('[data-testid=answer][data-state=done]').waitFor(wait)
  await page.goBack()
  await page.getByRole('heading', { name: 'Weather', exact: true }).waitFor(wait)
  await page.getByRole('button', { name: 'Delete…', exact: true }).click()
  const dialog = page.getByTestId('delete-knowledge-base')
  await dialog.getByText('1 chat uses it.').waitFor(wait)
  const remove = dialog.getByRole('button', { name: 'Delete knowledge base' })
  expect(await remove.isDisabled()).toBe(true)
  await dialog.getByLabel('I understand its documents will be deleted').check()
  expect(await findings(page)).toEqual([])
  await shot('delete')
  await misbehave({ method: 'DELETE', answer: 'permission', times: 1 })
  await remove.click()
  await dialog.getByTestId('failure').waitFor(wait)
  await remove.click()
  await page.getByText(/^Deleted .* This is your local copy\.$/).waitFor(wait)
  await page.getByTestId('remove-knowledge-base').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove local copy' }).click()
  await page.getByRole('heading', { name: 'Choose a knowledge base' }).waitFor(wait)
  expect(await page.getByRole('link', { name: /Weather/ }).count()).toBe(0)
})

test('lists everything with its age after a restart without the provider, also in Chinese', async () => {
  await service.stop()
  lectern = await lectern.restart()
  const { page } = lectern
  page.setDefaultTimeout(20_000)
  await page.keyboard.press('Control+2')
  await page.getByRole('link', { name: 'Knowledge bases' }).press('Enter')
  await page
    .getByTestId('knowledge-bases-age')
    .filter({ hasText: 'Showing the list from' })
    .waitFor(wait)
  const row = page.getByRole('link', { name: /Harbour/ })
  await row.focus()
  await page.keyboard.press('Enter')
  await page
    .getByTestId('knowledge-base-age')
    .filter({ hasText: 'Showing the copy from' })
    .waitFor(wait)
  await expect.poll(() => documents().count(), wait).toBe(4)
  await page.getByRole('searchbox', { name: 'Search documents' }).fill('goat')
  await expect.poll(() => documents().count(), wait).toBe(1)
  await page.getByRole('searchbox', { name: 'Search documents' }).fill('')
  await tab('History').click()
  await page.getByText('Deleted: Blank.md').waitFor(wait)
  await tab('Details').click()
  await page.getByText('Embedding-3', { exact: true }).waitFor(wait)
  await shot('offline')
  const second = await secondPage(lectern.home, keyring.env)
  await second.call('settings.update', { language: 'zh-CN', theme: 'dark' })
  second.close()
  await page
    .getByRole('radiogroup', { name: zh.knowledge.tabs })
    .getByText(zh.knowledge.tab.documents)
    .click()
  await page.waitForTimeout(300)
  expect(await findings(page)).toEqual([])
  await shot('zh-dark')
  await page.setViewportSize({ width: 900, height: 900 })
  await page.evaluate(() => void (document.documentElement.style.fontSize = '200%'))
  await shot('large')
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(width).toBeLessThanOrEqual(900)
})
