import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { meaningLibrary } from '../fixtures/meaning-library.ts'
import { findings } from './axe.ts'
import { askPalette } from './gestures.ts'
import { openLectern, type Lectern } from './lectern.ts'
import { secondPage } from './second-page.ts'

let lectern: Lectern
let base = ''
let speech = ''
const wait = { timeout: 60_000 }

beforeAll(async () => {
  const home = await mkdtemp(join(tmpdir(), 'lectern-e2e-'))
  await meaningLibrary(home)
  const db = new Database(join(home, 'library.db'))
  db.prepare('UPDATE meetings SET notes = ?').run(
    `${'A line of the notes.\n'.repeat(30)}Ask the caretaker for the key of the cellar.`,
  )
  db.prepare(
    `INSERT INTO meeting_summaries(id, item_seq, template_id, template_name, state, points, engine, at)
     VALUES ('sum', (SELECT seq FROM items WHERE id = 'house'), 'minutes', 'Minutes', 'done', ?, '', ?)`,
  ).run(
    JSON.stringify([
      { section: 'Decisions', text: 'The janitor repaints the staircase.', lineIds: [] },
    ]),
    Date.now(),
  )
  db.close()
  lectern = await openLectern({ home, locale: 'en-US', width: 1200, height: 800 })
  lectern.page.setDefaultTimeout(20_000)
  await lectern.page.getByRole('button', { name: 'Skip' }).click()
  const { call, close } = await secondPage(home)
  const made = await call('speech.create', {
    title: 'Welcome',
    text: 'Welcome to the museum.\n\nThe telescope on the roof is open at night.',
  })
  speech = made.speech.id
  const { id } = await call('knowledge.create', {
    accountId: 'this-computer',
    name: 'Harbor',
    description: 'Everything about lighthouses',
    background: 'green',
    icon: 'house',
    embeddingId: 11,
    contextual: false,
  })
  base = id
  close()
})
afterAll(() => lectern.close())

const page = () => lectern.page
const go = (hash: string) => page().evaluate((to) => void (location.hash = to), hash)
const address = () => page().evaluate(() => location.hash)
/** Opens the first result for words in the Library, or in the palette. */
const ways = {
  async library(words: string): Promise<void> {
    await go('#/library')
    await page().getByRole('searchbox', { name: 'Search Library' }).fill(words)
    await page().getByRole('list', { name: 'Search results' }).getByRole('link').first().click()
  },
  async palette(words: string): Promise<void> {
    await go('#/library')
    await askPalette(page(), words)
    await page()
      .getByRole('option', { name: new RegExp(words, 'i') })
      .first()
      .click()
  },
}
const marked = (name: string): Promise<string> =>
  page().evaluate(
    (highlight) => [...(CSS.highlights.get(highlight) ?? [])].map(String).join('|'),
    name,
  )

for (const [way, open] of Object.entries(ways)) {
  test(`opens a line of a meeting at its moment from the ${way}, with the words marked`, async () => {
    await open('plumber')
    await page()
      .getByTestId('line-text')
      .filter({ hasText: 'All the flats are without heating' })
      .locator('mark', { hasText: 'plumber' })
      .waitFor(wait)
    expect(await address()).toMatch(/#\/meetings\/house\?.*line=/)
  })

  test(`opens the notes of a meeting from the ${way}, with the words selected`, async () => {
    await open('caretaker')
    await expect
      .poll(
        () =>
          page()
            .getByTestId('meeting-notes')
            .evaluate((field: HTMLTextAreaElement) =>
              field.value.slice(field.selectionStart, field.selectionEnd),
            ),
        wait,
      )
      .toBe('caretaker')
  })

  test(`opens a summary from the ${way}, with the words marked`, async () => {
    await open('janitor')
    await page().getByTestId('summary').locator('mark', { hasText: 'janitor' }).waitFor(wait)
    expect(await address()).toMatch(/#\/meetings\/house\?summary=sum/)
  })

  test(`opens a block of a document from the ${way}, with the words marked`, async () => {
    await open('euros')
    await page()
      .getByTestId('markdown-pane')
      .locator('.chosen', { hasText: 'The rent is four hundred euros' })
      .waitFor(wait)
    await expect.poll(() => marked('lectern-find-here'), wait).toBe('euros')
  })

  test(`opens a message of a chat from the ${way}, with the words marked`, async () => {
    await open('hedge')
    await page().getByTestId('answer').getByText('The nightingale is heard').waitFor(wait)
    expect(await address()).toMatch(/#\/chats\/c\?.*at=/)
    await expect.poll(() => marked('lectern-find-here'), wait).toContain('hedge')
  })

  test(`opens a segment of a narration from the ${way}, with the words marked`, async () => {
    await open('telescope')
    await page().getByTestId('segments').getByText('The telescope on the roof').waitFor(wait)
    expect(await address()).toContain(`#/voices/speak/${speech}`)
    await expect.poll(() => marked('lectern-find-here'), wait).toBe('telescope')
  })

  test(`opens a knowledge base from the ${way}`, async () => {
    await open('lighthouses')
    await expect.poll(address, wait).toContain(`#/knowledge/bases/${base}`)
  })
}

test('lists what the user made, and data of the provider once it is asked for', async () => {
  await go('#/library')
  const rows = () => page().getByRole('list', { name: 'Library' })
  await rows().getByRole('link', { name: 'House meeting' }).waitFor(wait)
  await rows().getByRole('heading', { name: 'Today' }).waitFor()
  await rows().getByRole('link', { name: 'Harbor' }).waitFor()
  const { call, close } = await secondPage(lectern.home)
  await call('runs.start', {
    operation: 'voices.list',
    input: {},
    streamId: 'library-run',
    title: 'All my voices',
  })
  close()
  const provider = () => page().getByRole('button', { name: 'Provider data' })
  await provider().click()
  await rows().getByRole('link', { name: 'All my voices' }).waitFor(wait)
  expect(await findings(page())).toEqual([])
  lectern = await lectern.restart()
  await go('#/library')
  // The choice is remembered.
  await rows().getByRole('link', { name: 'All my voices' }).waitFor(wait)
  await provider().click()
  await rows().getByRole('link', { name: 'All my voices' }).waitFor({ state: 'detached' })
  await page().getByRole('combobox', { name: 'Sort by' }).selectOption('kind')
  const headings = () => rows().getByRole('heading').allInnerTexts()
  await expect
    .poll(async () => (await headings()).toSorted(), wait)
    .toEqual(['Chats', 'Documents', 'Knowledge bases', 'Meetings', 'Narrations'])
  await page().getByRole('combobox', { name: 'Type' }).selectOption({ label: 'Summaries' })
  await expect.poll(() => rows().getByRole('link').count(), wait).toBe(1)
  expect(await findings(page())).toEqual([])
})

test('finds passages by their meaning without any set-up, and pauses it', async () => {
  await go('#/library')
  await page().getByRole('combobox', { name: 'Type' }).selectOption('')
  const field = page().getByRole('searchbox', { name: 'Search Library' })
  const results = page().getByTestId('meaning-results').getByRole('link')
  await expect
    .poll(async () => {
      // The index grows meanwhile.
      await field.fill('')
      await field.fill('Why is it so cold at home?')
      await page().waitForTimeout(1500)
      return (await results.allInnerTexts()).join()
    }, wait)
    .toContain('boiler')
  expect(await findings(page())).toEqual([])
  await results.filter({ hasText: 'boiler' }).click()
  await page().getByText('The boiler in the basement is broken').first().waitFor(wait)
  const { call, close } = await secondPage(lectern.home)
  const [index] = await call('semantic.indexes', {})
  expect(index).toMatchObject({ accountId: 'this-computer', failed: 0 })
  await call('semantic.pause', { id: index?.id ?? 0 })
  close()
  await go('#/library')
  await field.fill('cold at home')
  const state = page().getByTestId('meaning-state')
  await state.getByText('Paused').waitFor(wait)
  await state.getByRole('button', { name: 'Resume' }).click()
  await state.getByText('Paused').waitFor({ state: 'detached' })
  expect(lectern.trouble).toMatchObject({ violations: [], errors: [], strangers: [] })
})

test('says when the index on this computer takes no more items', async () => {
  const state = page().getByTestId('meaning-state')
  await expect.poll(() => state.innerText(), wait).toBe('')
  const db = new Database(join(lectern.home, 'library.db'))
  db.exec(`DELETE FROM semantic_items WHERE item_seq = (SELECT min(item_seq) FROM semantic_items);
    UPDATE semantic_items SET chunks = 50000 WHERE item_seq = (SELECT max(item_seq) FROM semantic_items)`)
  db.close()
  await go('#/documents')
  await go('#/library')
  await page().getByRole('searchbox', { name: 'Search Library' }).fill('cold at home')
  await state.getByText('The index is full.').waitFor(wait)
  expect(await state.getByRole('button', { name: 'Pause' }).count()).toBe(0)
})
