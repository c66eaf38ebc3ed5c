import { afterAll, beforeAll, expect, test } from 'vitest'
import { findings } from './axe.ts'
import { openLectern, type Lectern } from './lectern.ts'

let lectern: Lectern

beforeAll(async () => {
  lectern = await openLectern({ locale: 'en-US', width: 1200, height: 800 })
  lectern.page.setDefaultTimeout(60_000)
  await lectern.page.getByRole('button', { name: 'Skip' }).click()
})
afterAll(() => lectern.close())

const page = () => lectern.page
const note = () => page().getByTestId('on-device-note')
const answers = () => page().locator('[data-testid="answer"][data-state="done"]')
const field = () => page().getByTestId('composer').getByRole('textbox')
const go = (hash: string) => page().evaluate((to) => void (location.hash = to), hash)
/** Asks a question; resolves when it is the nth that has an answer. */
const ask = async (text: string, nth: number): Promise<void> => {
  await field().fill(text)
  await field().press('Enter')
  await answers()
    .nth(nth - 1)
    .waitFor()
}

test('says once in a chat that this computer has no language model, and offers an account', async () => {
  await go('#/chats?new')
  await note().getByText('This computer has no language model').waitFor()
  await ask('Who found penicillin?', 1)
  await answers().getByTestId('on-device-note').waitFor()
  await ask('And when?', 2)
  expect(await note().count()).toBe(1)
  for (const words of await answers().locator('[data-words]').allInnerTexts())
    expect(words).not.toContain('language model')
  await note().getByRole('button', { name: 'Add account' }).click()
  await page().waitForURL(/#\/settings\/accounts/)
  await page().goBack()
})

test('shows the engine, the times and the notice of an answer in its details only', async () => {
  const answer = answers().last()
  await answer.waitFor()
  expect(await answer.innerText()).not.toMatch(/Encoder|\d ms|tokens/)
  await answer.hover()
  // The last one of its actions.
  const buttons = answer.locator('.foot').getByRole('button')
  expect(await buttons.last().getAttribute('aria-label')).toBe('Details')
  await buttons.last().click()
  const details = answer.getByTestId('answer-details')
  await details.getByText('Engine').waitFor()
  const text = await details.innerText()
  expect(text).toMatch(/Encoder/)
  expect(text).toMatch(/\d in, \d+ out/)
  expect(text).toMatch(/Duration\s+\d/)
  expect(text).toContain('No on-device language model.')
  expect(await findings(page())).toEqual([])
  await page().keyboard.press('Escape')
})

test('starts a new chat from the choice of the last one, also after a reload', async () => {
  const chosen = () => page().getByTestId('choose-assistant').innerText()
  await go('#/chats?new')
  await page().getByTestId('choose-assistant').click()
  await page().getByTestId('gallery').getByRole('searchbox').fill('mind map')
  await page().getByTestId('assistant-card').getByRole('button', { name: 'Choose' }).click()
  await ask('Bees\n- Honey\n- Wax', 1)
  await go('#/chats?new')
  await expect.poll(chosen).toBe('Mind maps')
  await page().reload()
  await expect.poll(chosen, { timeout: 30_000 }).toBe('Mind maps')
})

test('keeps no chat of a question that was deleted before it was asked', async () => {
  const rows = () => page().getByRole('link', { name: /New chat/ })
  await go('#/chats?new')
  await field().fill('Half a thought')
  await rows().waitFor()
  await field().fill('')
  await rows().waitFor({ state: 'detached' })
  // Typed again, it is saved again; a chat that was opened from the list goes when it is left.
  await field().fill('Another thought')
  await rows().waitFor()
  await go('#/library')
  await go('#/chats')
  await rows().click()
  await expect.poll(() => field().inputValue()).toBe('Another thought')
  await field().fill('')
  await go('#/chats?new')
  await rows().waitFor({ state: 'detached' })
  expect(await field().inputValue()).toBe('')
})

test('causes no errors on the page', () => {
  expect(lectern.trouble).toEqual({ violations: [], errors: [], strangers: [] })
})
