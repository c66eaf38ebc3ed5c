import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeJson } from '../../src/main/domains/audio/exports/json.ts'
import { meaningLibrary } from '../fixtures/meaning-library.ts'
import { makePdf } from '../local-service/fixtures/papers.ts'
import { openStore } from '../../src/main/library-database/open.ts'
import { exportSource } from '../main/domains/audio/exports/export-source.ts'
import { newChat, turn } from '../main/domains/chats/store/fixture.ts'
import { storeOptions } from '../main/platform/database/fixture.ts'
import { findings } from './axe.ts'
import { askPalette, dropFiles } from './gestures.ts'
import { openLectern, type Lectern } from './lectern.ts'
import { lockedPaper } from './papers.ts'
import { secondPage } from './second-page.ts'

let lectern: Lectern

beforeAll(async () => {
  const home = await mkdtemp(join(tmpdir(), 'lectern-e2e-'))
  await meaningLibrary(home)
  await answeredWithMarks(home)
  lectern = await openLectern({ home, locale: 'en-US' })
  await lectern.page.getByRole('button', { name: 'Skip' }).click()
  lectern.page.setDefaultTimeout(20_000)
})
afterAll(() => lectern.close())

/** Creates a chat whose answer contains citations, a table and emphasis. */
async function answeredWithMarks(home: string): Promise<void> {
  const store = await openStore(storeOptions(home))
  newChat(store, 'marked', { title: 'About the boiler' })
  turn(
    store,
    'marked',
    null,
    [
      'What about it?',
      'The **valve** leaks.<reference data-ref="1"></reference>\n\n| part | state |\n| --- | --- |\n| pump | <b>sound</b> |',
    ],
    'marked',
  )
  await store.close()
}

const go = (hash: string) => lectern.page.evaluate((to) => void (location.hash = to), hash)
const patient = { timeout: 20_000 }
const pdf = { type: 'application/pdf' }

test('sends just pasted text with the first click on Embed', async () => {
  const { page } = lectern
  await go('#/playground/embeddings')
  await page.getByTestId('texts-paste').fill('Notes about bees\nNotes about trains')
  await page.getByRole('button', { name: 'Embed', exact: true }).click()
  await page.getByTestId('run-state').filter({ hasText: 'done' }).waitFor({ timeout: 60_000 })
  expect(await page.getByTestId('cached').count()).toBe(1)
})

test('clicks the intended control when leaving a half-typed word', async () => {
  const { page } = lectern
  await go('#/meetings?record')
  const card = page.getByTestId('start-card')
  await card.getByText('Context and vocabulary').click()
  await card.getByRole('group', { name: 'Custom vocabulary' }).getByRole('textbox').fill('Kestrel')
  const silence = card.getByRole('checkbox', { name: /Stop after a long silence/ })
  await silence.scrollIntoViewIfNeeded()
  const box = await silence.boundingBox()
  await page.mouse.move((box?.x ?? 0) + 5, (box?.y ?? 0) + 5)
  await page.mouse.down()
  // A user's click takes about a tenth of a second.
  await page.waitForTimeout(120)
  await page.mouse.up()
  await expect.poll(() => silence.isChecked()).toBe(true)
  await card.getByText('Kestrel', { exact: true }).waitFor()
})

test('opens sections in rail order by number keys, and keeps the current one lit on hover', async () => {
  const { page } = lectern
  const rail = page.getByRole('navigation').first()
  const links = rail.getByRole('link')
  expect(await links.allInnerTexts()).toEqual([
    'Meetings',
    'Documents',
    'Chat',
    'Voices',
    'Library',
    'Settings',
  ])
  await page.keyboard.press('Control+6')
  await askPalette(page, 'developer')
  await page.keyboard.press('Enter')
  await links.filter({ hasText: 'Activity' }).waitFor()
  expect(page.url()).not.toContain('playground')
  const paths = await links.evaluateAll((all) => all.map((one) => one.getAttribute('href') ?? ''))
  for (const [at, path] of paths.slice(0, 7).entries()) {
    await page.keyboard.press(`Control+${at + 1}`)
    await expect.poll(() => page.url()).toContain(path)
    expect(await links.nth(at).getAttribute('title')).toMatch(new RegExp(`\\D${at + 1}\\)$`))
  }
  const lit = rail.locator('.here')
  const ground = () => lit.evaluate((one) => getComputedStyle(one).backgroundColor)
  await page.mouse.move(700, 400)
  await page.waitForTimeout(200)
  const before = await ground()
  await lit.hover()
  await page.waitForTimeout(200)
  expect(await ground()).toBe(before)
})

test('groups rejected files by reason, damaged ones separately, and dismisses them in one click', async () => {
  const { page } = lectern
  await go('#/meetings')
  const noise = Buffer.alloc(4000, 7)
  const files = ['first.mp3', 'second.mp3', 'third.mp3'].map((name, at) => ({
    name,
    type: 'audio/mpeg',
    bytes: Buffer.concat([noise, Buffer.from([at])]),
  }))
  await dropFiles(page, files)
  const imports = page.getByRole('region', { name: 'Imports' })
  const refused = imports.getByTestId('rejected-files')
  await refused.getByText('3 files not imported').waitFor()
  for (const { name } of files) await refused.getByText(name, { exact: true }).waitFor()
  expect(await imports.getByText(/damaged/).count()).toBe(1)
  expect(await imports.getByText(/must be/).count()).toBe(0)
  expect(await findings(page)).toEqual([])
  await refused.getByRole('button', { name: 'Dismiss' }).click()
  await expect.poll(() => imports.count()).toBe(0)
  await dropFiles(page, [
    { name: 'alone.mp3', type: 'audio/mpeg', bytes: Buffer.concat([noise, Buffer.from('x')]) },
  ])
  await imports.getByText(/This MP3 file is damaged at the beginning/).waitFor()
  await imports.getByRole('button', { name: 'Dismiss alone.mp3' }).click()
  const broken = ['one.pdf', 'two.pdf'].map((name) => ({
    name,
    type: 'application/pdf',
    bytes: Buffer.from(`%PDF ${name}`),
  }))
  await dropFiles(page, broken)
  await refused.getByText(/^These PDFs are damaged\. Download them again/).waitFor()
  await refused.getByRole('button', { name: 'Dismiss' }).click()
})

test('explains locked PDFs only next to the document list, until they are dismissed', async () => {
  const { page } = lectern
  const { file } = await lockedPaper()
  const bytes = (end: string) => Buffer.concat([Buffer.from(file.bytes), Buffer.from(end)])
  await go('#/documents')
  await dropFiles(page, [
    { ...pdf, name: 'one.pdf', bytes: bytes('\n%1\n') },
    { ...pdf, name: 'two.pdf', bytes: bytes('\n%2\n') },
  ])
  const card = page.getByTestId('batch')
  await card.getByText('2 documents not ready').waitFor()
  await card.getByText('Password required').first().waitFor()
  // Notices about imported files are shown for a few seconds.
  await expect.poll(() => page.getByText('Imported', { exact: true }).count(), patient).toBe(0)
  expect(await findings(page)).toEqual([])
  for (const place of ['#/library', '#/meetings', '#/chats']) {
    await go(place)
    await page.waitForTimeout(200)
    expect(await card.count()).toBe(0)
  }
  await go('#/documents')
  await card.getByRole('button', { name: 'Dismiss', exact: true }).click()
  await expect.poll(() => card.count()).toBe(0)
})

test('shows search results as plain text in the chat list, the Library and the palette', async () => {
  const { page } = lectern
  const reads = 'The valve leaks. part state pump sound'
  await go('#/chats')
  await page.getByRole('searchbox', { name: 'Search chats' }).fill('valve')
  await page.getByTestId('message-result').getByText(reads).waitFor()
  await go('#/library')
  await page.getByRole('searchbox', { name: 'Search', exact: false }).first().fill('valve')
  await page.getByRole('main').getByText(reads).first().waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').fill('valve')
  await page.getByRole('dialog').getByText(reads).waitFor()
  expect(await page.getByText(/<reference|\*\*valve/).count()).toBe(0)
  await page.keyboard.press('Escape')
})

test('marks the word written by the user as the added one in the version comparison', async () => {
  const { page, home } = lectern
  const source = exportSource([{ text: 'The boat is quick today', startMs: 0, endMs: 4000 }])
  await go('#/meetings')
  await dropFiles(page, [
    { name: 'talk.json', type: 'application/json', bytes: Buffer.from(writeJson(source)) },
  ])
  const words = page.getByTestId('line-text').filter({ hasText: 'quick' })
  await words.waitFor()
  const id = /meetings\/(\w+)/.exec(page.url())?.[1] ?? ''
  const second = await secondPage(home)
  const { lines } = await second.call('meetings.lines', { id })
  await second.call('meetings.edit', {
    id,
    edit: { type: 'text', lineId: lines[0]?.id ?? '', text: 'The boat is slow today' },
  })
  second.close()
  await page.getByTestId('line-text').filter({ hasText: 'slow' }).click()
  await page.getByTestId('meeting-details').getByText('Versions', { exact: true }).click()
  const versions = page.getByRole('region', { name: 'Versions' })
  await versions.locator('ins').filter({ hasText: 'slow' }).waitFor()
  expect(await versions.locator('del').allInnerTexts()).toEqual(['quick'])
})

test('indexes the Library with the first click while counting, and shows engine notes once', async () => {
  const { page } = lectern
  await go('#/playground/search/new')
  await page.getByRole('button', { name: 'Create index', exact: true }).click()
  await page
    .getByTestId('index-state')
    .filter({ hasText: /Chunks: \d+ · Items: \d+/ })
    .waitFor({ timeout: 60_000 })
  const question = page.getByRole('textbox', { name: 'Semantic search' })
  await question.fill('Why is it so cold at home?')
  await question.press('Enter')
  await page.getByTestId('semantic-result-count').waitFor()
  expect(await page.getByText(/were projected from 512 to 1024/).count()).toBe(1)
})

test('previews a complete chunk before it is added to a knowledge base', async () => {
  const { page } = lectern
  await go('#/knowledge')
  await page.getByTestId('new-knowledge-base').click()
  await page.getByTestId('knowledge-base-form').getByRole('textbox').first().fill('Harbor')
  await page.keyboard.press('Enter')
  await page.getByTestId('add-documents-form').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('heading', { name: 'Harbor', exact: true }).waitFor()
  const text = `# Tides\n\n${'High water comes at noon. '.repeat(12)}Low water ends the page.`
  await dropFiles(page, [{ name: 'Tides.md', type: 'text/markdown', bytes: Buffer.from(text) }])
  await page.getByTestId('add-documents-form').getByText('Chunking and preview').click()
  const end = page.getByTestId('chunk-preview').getByText(/Low water ends the page\.$/)
  await end.waitFor()
  expect(await end.evaluate((one) => one.scrollHeight - one.clientHeight)).toBeLessThanOrEqual(1)
  await page.keyboard.press('Escape')
})

test('separates sentences about the pages of a question with a space', async () => {
  const { page } = lectern
  const bytes = await makePdf(
    ['One goat.', 'Two goats.'].map(
      (words) =>
        ({ flow }) =>
          void flow(words, 72, 700, 400),
    ),
  )
  await go('#/documents')
  // Only some of the pages are parsed, as no document is on arrival while This computer is active.
  const second = await secondPage(lectern.home)
  const { id } = await second.call('accounts.create', {
    preset: 'custom',
    name: 'Elsewhere',
    baseUrl: 'http://127.0.0.1:9',
  })
  await second.call('accounts.activate', { id })
  await dropFiles(page, [{ ...pdf, name: 'goats.pdf', bytes }])
  await page.getByTestId('parse-offer').getByRole('button', { name: 'Options…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByTestId('parse-engine').getByRole('combobox').selectOption('This computer')
  await dialog.getByRole('textbox', { name: 'Pages', exact: true }).fill('1')
  await dialog.getByRole('button', { name: 'Parse', exact: true }).click()
  await second.call('accounts.activate', { id: 'this-computer' })
  second.close()
  await page.getByTestId('markdown-pane').getByText('One goat.').waitFor({ timeout: 60_000 })
  await page.getByTestId('ask-document').click()
  await page.getByTestId('attachments').getByRole('button', { name: 'All pages' }).click()
  const size = page.getByTestId('text-size')
  await size.filter({ hasText: 'will be sent' }).waitFor()
  expect(await size.innerText()).toMatch(/will be sent\. 1 page has/)
})
