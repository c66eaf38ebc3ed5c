import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { paraphrasedQuestion, meaningLibrary } from '../fixtures/meaning-library.ts'
import { findings } from './axe.ts'
import { openLectern, type Lectern } from './lectern.ts'
import { secondPage } from './second-page.ts'

let lectern: Lectern

beforeAll(async () => {
  const home = await mkdtemp(join(tmpdir(), 'lectern-e2e-'))
  await meaningLibrary(home)
  lectern = await openLectern({ home, locale: 'en-US', width: 1200, height: 800 })
  await lectern.page.getByRole('button', { name: 'Skip' }).click()
  lectern.page.setDefaultTimeout(20_000)
})
afterAll(() => lectern.close())

const wait = { timeout: 60_000 }
const page = () => lectern.page
const go = (hash: string) => page().evaluate((to) => void (location.hash = to), hash)
const hits = () => page().getByRole('list', { name: 'Results' }).getByRole('link')
const question = () => page().getByRole('textbox', { name: 'Semantic search' })
const indexStatus = () => page().getByTestId('index-state')
async function ask(text: string): Promise<void> {
  await question().fill(text)
  await question().press('Enter')
  await page().locator('.results:not(.busy)').waitFor()
  await page().getByTestId('semantic-result-count').waitFor()
}
const first = async (text: string): Promise<string> => {
  await ask(text)
  return hits().first().innerText()
}

test('shows the cost first, and indexes the Library on-device by keyboard alone', async () => {
  // Without an index, or with the automatic one.
  await go('#/playground/search/new')
  const cost = page().getByTestId('cost')
  await cost.getByText('3 items (3 new, 0 changed)').waitFor()
  for (const part of ['8 chunks', '0 cached', /^8 to embed, about \d+ tokens/])
    await cost.getByText(part).waitFor()
  expect(await findings(page())).toEqual([])
  await page().getByRole('checkbox', { name: 'Document' }).focus()
  await page().keyboard.press('Space')
  await cost.getByText('2 items (').waitFor()
  await page().keyboard.press('Space')
  await cost.getByText('3 items (').waitFor()
  await page().getByRole('combobox', { name: 'Dimensions' }).selectOption('2048')
  await cost.getByText('8 to embed').waitFor()
  await page().keyboard.press('Tab')
  await page().getByRole('button', { name: 'Create index', exact: true }).press('Enter')
  await indexStatus().filter({ hasText: 'Chunks: 8 · Items: 3' }).waitFor(wait)
})

test('finds a passage by meaning without a common word, and opens it at its location', async () => {
  const { call, close } = await secondPage(lectern.home)
  const text = 'Why is it so cold at home?'
  const { hits: byWords } = await call('library.search', { query: text, limit: 5 })
  expect(byWords).toEqual([])
  close()
  expect(await first(text)).toMatch(/House meeting[^]*boiler[^]*meaning/)
  expect(await findings(page())).toEqual([])
  await question().press('Tab')
  await hits().first().focus()
  await page().keyboard.press('Enter')
  await page()
    .getByText('The boiler in the basement is broken since Monday.', { exact: true })
    .first()
    .waitFor()
  expect(page().url()).toMatch(/#\/meetings\/house\?.*line=/)
  await page().goBack()
  // The results are still there, and so is the question.
  await hits().first().waitFor()
  expect(await question().inputValue()).toBe(text)
  expect(await first('What is paid for the room?')).toMatch(
    /Contract of the hall[^]*four hundred euros/,
  )
  await hits().first().click()
  await page().waitForURL(/#\/documents\/contract\?.*block=/)
  await page().goBack()
})

test('finds nothing for meaningless words, and reports no close match', async () => {
  await ask('xqzv plomp grindle frabjous')
  await page().getByText('No close match').waitFor(wait)
  expect(await hits().count()).toBe(0)
})

test('merges and labels results of both types, and shows how reranking moves them', async () => {
  await ask('sign evening lamps')
  const before = await hits().allInnerTexts()
  expect(before.some((text) => /meaning and keywords/.test(text))).toBe(true)
  await page()
    .getByRole('combobox', { name: 'Sort by' })
    .selectOption({ label: 'Reranking: This computer' })
  await page()
    .getByText(/Relevance 0\.\d{3}/)
    .first()
    .waitFor(wait)
  const after = await hits().allInnerTexts()
  expect(after.map(title)).not.toEqual(before.map(title))
  expect(after.some((text) => /\b(up|down) \d/.test(text))).toBe(true)
  expect(await findings(page())).toEqual([])
  await page().getByRole('combobox', { name: 'Search in' }).selectOption('conversation')
  await expect
    .poll(async () => new Set((await hits().allInnerTexts()).map(title)))
    .toEqual(new Set(['About birds']))
  await page().getByRole('combobox', { name: 'Search in' }).selectOption('')
  await page().getByRole('combobox', { name: 'Sort by' }).selectOption('')
})
const title = (text: string): string => text.split('\n').find((line) => /[a-z]{3}/.test(line)) ?? ''

test('does not embed a renamed item again, and does not find items in Trash', async () => {
  const { call, close } = await secondPage(lectern.home)
  const embedded = async () =>
    (await call('activity.list', { limit: 100 })).calls.filter(
      ({ operation }) => operation === 'embeddings.create',
    )
  const sentBefore = (await embedded()).length
  await call('library.rename', { id: 'house', title: 'Meeting about the house' })
  // A new name does not change the content: there is nothing to embed.
  await page().waitForTimeout(600)
  expect(await page().getByText('new or changed').count()).toBe(0)
  await indexStatus().filter({ hasText: 'Chunks: 8 · Items: 3' }).waitFor(wait)
  // Its text is the same: nothing was sent.
  const sent = await embedded()
  expect(sent.length).toBe(sentBefore)
  await call('library.remove', { ids: ['c'] })
  await ask(paraphrasedQuestion)
  expect((await hits().allInnerTexts()).join()).not.toContain('About birds')
  await call('library.restore', { ids: ['c'] })
  close()
})

test('answers on-device after a restart without a network; semantic search in the Library', async () => {
  lectern = await lectern.restart()
  await go('#/playground/search')
  await indexStatus().waitFor()
  expect(await first('an animal that makes music in the dark')).toContain('About birds')
  await go('#/library')
  await page().getByRole('searchbox').fill('Why is it so cold at home?')
  const meaning = page().getByTestId('meaning-results').getByRole('link')
  await meaning.first().waitFor(wait)
  expect(await meaning.first().innerText()).toContain('boiler')
  expect(await findings(page())).toEqual([])
  await page().getByRole('searchbox').focus()
  await page().keyboard.press('ArrowDown')
  await page().keyboard.press('Enter')
  await page().waitForURL(/#\/meetings\/house/)
})

test('falls back to keyword search and reports it without a network; Chinese, dark, narrow', async () => {
  const { call, close } = await secondPage(lectern.home)
  const { id } = await call('accounts.create', {
    preset: 'custom',
    name: 'Far away',
    baseUrl: 'http://127.0.0.1:9',
  })
  await go('#/playground/search/new')
  await page().getByRole('combobox', { name: 'Account' }).selectOption(id)
  await page().getByRole('textbox', { name: 'Price per 1M tokens' }).fill('0,5')
  await page()
    .getByTestId('cost')
    .getByText(/^about 0\.0\d+/)
    .waitFor()
  await page().getByRole('button', { name: 'Create index', exact: true }).click()
  await indexStatus().filter({ hasText: 'Waiting' }).waitFor(wait)
  await page().getByRole('button', { name: 'Stop', exact: true }).click()
  await indexStatus().filter({ hasText: 'Waiting' }).waitFor({ state: 'detached' })
  await ask('boiler')
  await page().getByText('Showing keyword results only').waitFor()
  expect(await hits().first().innerText()).toMatch(/boiler[^]*keywords/)
  expect(await findings(page())).toEqual([])
  await page().getByRole('button', { name: 'Delete index' }).click()
  await page().getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await indexStatus().filter({ hasText: 'Chunks: 8 · Items: 3' }).waitFor()
  await call('settings.update', { language: 'zh-CN' })
  await page().emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  await page().setViewportSize({ width: 900, height: 760 })
  await page().getByRole('heading', { level: 1, name: '语义搜索' }).waitFor()
  await page().waitForTimeout(300)
  expect(await findings(page())).toEqual([])
  await go('#/playground/search/new')
  // Everything is embedded: the content of the restored item is unchanged.
  await page().getByTestId('cost').getByText('全部内容已建立索引。').waitFor()
  expect(await findings(page())).toEqual([])
  expect(lectern.trouble).toMatchObject({ violations: [], errors: [], strangers: [] })
  close()
})
