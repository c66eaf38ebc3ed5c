import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BridgeClient } from '../fixtures/bridge-client.ts'
import { findings } from './axe.ts'
import { openChats, plainChat, assistantAnswerRule, type ChatSetup } from './chat-service.ts'
import { askPalette } from './gestures.ts'
import { secondPage } from './second-page.ts'

let setup: ChatSetup
let second: BridgeClient
const wait = { timeout: 90_000 }

beforeAll(async () => {
  setup = await openChats()
  second = await secondPage(setup.lectern.home)
})
afterAll(async () => {
  second.close()
  await setup.close()
})

const page = () => setup.lectern.page
const go = (hash: string) => page().evaluate((to) => void (location.hash = to), hash)
const list = () => page().locator('section.list')
const row = (title: string) => list().locator('a[data-item]').filter({ hasText: title })
const dialog = () => page().getByRole('dialog')
const address = () => page().evaluate(() => location.hash)

/** Creates a chat with one question and its answer. */
async function createChat(question: string, answer: string): Promise<string> {
  await setup.misbehave(assistantAnswerRule([answer], 0))
  const { id } = await second.call('chats.create', { settings: plainChat })
  await second.call('chats.ask', {
    id,
    text: question,
    attachments: [],
    streamId: crypto.randomUUID(),
  })
  await expect
    .poll(async () => (await second.call('chats.window', { id })).messages.at(-1)?.state, wait)
    .toBe('done')
  await setup.misbehave()
  return id
}
async function menu(title: string, entry: string): Promise<void> {
  await row(title).click({ button: 'right' })
  await page().getByRole('menuitem', { name: entry }).click()
}
const folder = () => list().getByRole('button', { name: /^Reading/ })
/** Returns the titles in the order of the list, including headings. */
const order = () => list().locator('h2, a[data-item] strong').allInnerTexts()

test('starts with the field to type in, and lists the chat of the question', async () => {
  await page().getByRole('link', { name: 'Chat', exact: true }).click()
  await setup.misbehave(assistantAnswerRule(['Much.'], 0))
  const field = page().getByTestId('composer').getByRole('textbox', { name: 'Question' })
  await field.fill('What can you do?')
  await field.press('Enter')
  await row('What can you do').waitFor(wait)
  await page().getByText('Much.').first().waitFor(wait)
  await setup.misbehave()
  expect(await order()).toEqual(['Today', 'What can you do?'])
})

test('files chats into folders by menu and by pointer, and restores a removed folder', async () => {
  await createChat('How do bees find their way?', 'They take the sun as a compass.')
  await createChat('Who keeps the lamp?', 'The keeper of the northern lighthouse does.')
  await menu('How do bees', 'Move to folder…')
  await dialog().getByRole('textbox').fill('Reading')
  await page().keyboard.press('Enter')
  await folder().filter({ hasText: '1' }).waitFor(wait)
  await row('Who keeps').dragTo(folder())
  await folder().filter({ hasText: '2' }).waitFor(wait)
  expect(await order()).toEqual(['Today', 'What can you do?'])
  await folder().click()
  await expect.poll(async () => (await order()).length, wait).toBe(4)

  await list().getByRole('button', { name: 'Actions for Reading' }).click()
  await page().getByRole('menuitem', { name: 'Delete folder' }).click()
  await folder().waitFor({ state: 'detached' })
  await expect.poll(async () => (await order()).length, wait).toBe(4)
  await page().getByRole('button', { name: 'Undo' }).click()
  await folder().filter({ hasText: '2' }).waitFor(wait)
})

test('adds, shows and filters by tags, lists starred chats first, and renames in the row', async () => {
  await menu('What can you do', 'Star')
  await expect
    .poll(async () => (await order()).slice(0, 2), wait)
    .toEqual(['Starred', 'What can you do?'])
  await folder().click()
  await menu('How do bees', 'Tags…')
  await page().getByLabel('New tags').fill('insects, sky')
  await page().keyboard.press('Enter')
  await row('How do bees').getByText('insects').waitFor(wait)
  const filter = list().getByRole('combobox', { name: 'Show' })
  await filter.selectOption({ label: 'sky' })
  await row('Who keeps').waitFor({ state: 'detached' })
  await filter.selectOption({ label: 'All items' })
  await row('Who keeps').waitFor(wait)
  await row('Who keeps').focus()
  await page().keyboard.press('F2')
  await list().getByRole('textbox', { name: 'Title' }).fill('Lighthouses')
  await page().keyboard.press('Enter')
  await row('Lighthouses').waitFor(wait)
})

test('moves a chat to Trash and restores it, and lists it by type in the Library', async () => {
  await row('Lighthouses').click()
  await page().getByRole('heading', { name: 'Lighthouses' }).waitFor(wait)
  await row('Lighthouses').focus()
  await page().keyboard.press('Delete')
  await page().getByRole('heading', { name: 'How do bees' }).waitFor(wait)
  expect(await row('Lighthouses').count()).toBe(0)
  await go('#/library/bin')
  await page().getByRole('combobox', { name: 'Type' }).selectOption('conversation')
  await page().getByRole('link', { name: 'Lighthouses' }).click(wait)
  await page().getByText('This chat is in Trash.').waitFor(wait)
  await page().getByText('The keeper of the northern').waitFor(wait)
  await page().getByRole('button', { name: 'Restore' }).click()
  await row('Lighthouses').waitFor(wait)
  await go('#/library')
  await page().getByRole('combobox', { name: 'Type' }).selectOption('document')
  await page().getByText('No items of this type').waitFor(wait)
  await page().getByRole('combobox', { name: 'Type' }).selectOption('conversation')
  await page().getByRole('link', { name: 'Lighthouses' }).waitFor(wait)
  const rows = page().getByRole('list', { name: 'Library' }).getByRole('link')
  expect(await rows.count()).toBe(3)

  // The menu of a row acts on it without selecting it first.
  const entry = async (name: string): Promise<void> => {
    await page().getByRole('link', { name: 'Lighthouses' }).click({ button: 'right' })
    await page().getByRole('menuitem', { name }).click()
  }
  await entry('Star')
  await page().getByRole('link', { name: 'Lighthouses' }).getByRole('img').waitFor(wait)
  await entry('Remove star')
  await entry('Move to Trash')
  await page().getByRole('link', { name: 'Lighthouses' }).waitFor({ state: 'detached' })
  await go('#/library/bin')
  await entry('Restore')
  await page().getByRole('link', { name: 'Lighthouses' }).waitFor({ state: 'detached' })
  await go('#/chats')
  await row('Lighthouses').waitFor(wait)
})

test('filters the search over all chats, and opens a result at its message', async () => {
  await go('#/chats')
  const field = page().getByRole('searchbox', { name: 'Search chats' })
  await field.fill('lighthouse')
  const hits = page().getByTestId('message-result')
  await expect.poll(() => hits.count(), wait).toBe(1)
  await field.fill('keep')
  await expect.poll(() => hits.count(), wait).toBe(2)
  const narrow = (name: string, to: string) =>
    list().getByRole('combobox', { name }).selectOption({ label: to })
  await narrow('From', 'My questions')
  await expect.poll(() => hits.allInnerTexts(), wait).toEqual([expect.stringContaining('the lamp')])
  await narrow('Assistant', 'Chat assistant')
  await narrow('Date', 'Today')
  await narrow('Sort by', 'Best match first')
  const note = list().getByText('Ranks the newest 3,000 matches.')
  await expect.poll(() => note.count(), wait).toBe(1)
  await expect.poll(() => hits.count(), wait).toBe(1)
  await narrow('From', 'Answers')
  await field.fill('compass')
  await expect.poll(() => hits.locator('mark').allInnerTexts(), wait).toEqual(['compass'])
  await field.press('ArrowDown')
  await page().keyboard.press('Enter')
  await page().getByRole('heading', { name: 'How do bees' }).waitFor(wait)
  expect(await address()).toMatch(/^#\/chats\/\w+\?at=\w+&q=compass$/)
  await page().getByRole('main').getByText('They take the sun as a compass.').waitFor(wait)

  await narrow('From', 'My questions')
  await field.fill('zebra')
  await list().getByText('No messages match “zebra” with these filters.').waitFor(wait)
  await list().getByRole('button', { name: 'Clear filters' }).click()
  await list().getByText('No messages match “zebra”.').waitFor(wait)
  await field.press('Escape')
})

test('opens a chat from the palette at the matching message', async () => {
  await go('#/library')
  await askPalette(page(), 'compass')
  await page()
    .getByRole('option', { name: /compass/ })
    .click(wait)
  await page().getByRole('heading', { name: 'How do bees' }).waitFor(wait)
  expect(await address()).toMatch(/at=\w+/)
})

test('keeps a temporary chat out of lists and across navigation until another is started', async () => {
  await askPalette(page(), 'temporary')
  await page().keyboard.press('Enter')
  await page().getByTestId('temporary-chat-banner').waitFor(wait)
  await page().getByRole('textbox', { name: 'Question', exact: true }).fill('Who is there?')
  await page().keyboard.press('Enter')
  await page().getByTestId('temporary-chat-note').waitFor(wait)
  const opened = await address()
  const id = /chats\/(\w+)/.exec(opened)?.[1] ?? ''
  await page().keyboard.press('Control+2')
  await page().waitForURL(/documents/)
  await page().keyboard.press('Control+3')
  await page().getByTestId('temporary-chat-note').waitFor(wait)
  expect(await address()).toBe(opened)
  expect((await second.call('chats.list', {})).conversations.map((chat) => chat.id)).not.toContain(
    id,
  )
  await page().keyboard.press('Control+n')
  await expect.poll(async () => (await second.raw('chats.get', { id })).ok, wait).toBe(false)
})

test('reads and finds answers without the provider', async () => {
  await setup.service.stop()
  await go('#/chats')
  await row('Lighthouses').click()
  await page().getByTestId('answer').getByText('The keeper of the northern').waitFor(wait)
  const composer = page().getByTestId('composer').getByRole('textbox')
  await composer.fill('And now?')
  await composer.press('Enter')
  await page().getByRole('main').getByTestId('failure').first().waitFor(wait)
  await page().getByRole('searchbox', { name: 'Search chats' }).fill('compass')
  await page().getByTestId('message-result').first().click(wait)
  await page().getByRole('main').getByText('They take the sun as a compass.').waitFor(wait)
  expect(await address()).toContain('q=compass')
  await page().getByRole('searchbox', { name: 'Search chats' }).press('Escape')
})

test.each(['en', 'zh-CN'] as const)(
  '%s: has no accessibility findings on its screens',
  async (language) => {
    await second.call('settings.update', { language })
    const axeFindings = async (): Promise<string[]> => {
      await page().waitForTimeout(300)
      return findings(page())
    }
    for (const [width, colorScheme] of [
      [1200, 'light'],
      [900, 'dark'],
    ] as const) {
      await page().emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page().setViewportSize({ width, height: 760 })
      await go('#/chats?new&temporary')
      await page().getByTestId('temporary-chat-banner').waitFor(wait)
      expect(await axeFindings()).toEqual([])
      const field = page().locator('[data-search]').first()
      await field.fill('the')
      await page().getByTestId('message-result').first().waitFor(wait)
      expect(await axeFindings()).toEqual([])
      await field.fill('')
      await row('Lighthouses').click({ button: 'right' })
      await page().getByRole('menu').waitFor(wait)
      expect(await axeFindings()).toEqual([])
      await page().getByRole('menuitem').nth(3).click()
      await dialog().waitFor(wait)
      expect(await axeFindings()).toEqual([])
      await page().keyboard.press('Escape')
      await row('Lighthouses').click()
      await page().getByTestId('chat-settings-open').click(wait)
      await page().getByTestId('chat-settings').waitFor(wait)
      expect(await axeFindings()).toEqual([])
      // As an overlay it closes with Escape, as a side panel with its button.
      await page().keyboard.press(width === 900 ? 'Escape' : 'Control+.')
      await page().getByTestId('chat-settings').waitFor({ state: 'detached' })
    }
  },
)
