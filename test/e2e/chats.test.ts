import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { findings } from './axe.ts'
import { openChats, patient, assistantAnswerRule, type ChatSetup } from './chat-service.ts'

let chats: ChatSetup

beforeAll(async () => {
  chats = await openChats()
  chats.lectern.page.setDefaultTimeout(60_000)
})
afterEach(() => chats.misbehave())
afterAll(() => chats.close())

const page = () => chats.lectern.page
const field = () => page().getByTestId('composer').getByRole('textbox')
const questions = () => page().getByTestId('question')
const answers = () => page().getByTestId('answer')
const spoken = () => page().getByTestId('announcement')
const ended = (state: string) =>
  page().locator(`[data-testid="answer"][data-state="${state}"]`).last().waitFor()
const ask = async (text: string): Promise<void> => {
  await field().fill(text)
  await field().press('Enter')
  await questions().filter({ hasText: text }).waitFor()
}
/** Returns pieces of an answer, each distinguishable. */
const chunks = (count: number): string[] =>
  Array.from({ length: count }, (_, at) => `Piece ${at} of the answer. `)
const whole = (count: number): string => chunks(count).join('').trim()
const go = (hash: string) => page().evaluate((to) => void (location.hash = to), hash)
const flat = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()
const words = async (): Promise<string> =>
  flat(await answers().last().locator('[data-words]').innerText())

test('shows a question at the top with its growing answer, and announces both', async () => {
  await chats.begin()
  await chats.misbehave(assistantAnswerRule(chunks(40), 60))
  await ask('What grows?')
  await answers().getByText('Piece 0').waitFor()
  await expect.poll(() => spoken().innerText(), patient).toBe('Answer started.')
  await ended('done')
  expect(await words()).toBe(whole(40))
  await expect.poll(() => spoken().innerText(), patient).toBe('Answer finished: 200 words.')
  const top = await page().evaluate(() => {
    const [box, row] = ['thread-box', 'question'].map((id) =>
      document.querySelector(`[data-testid="${id}"]`)?.getBoundingClientRect(),
    )
    return (row?.top ?? NaN) - (box?.top ?? NaN)
  })
  expect(Math.abs(top)).toBeLessThan(40)
})

test('keeps the text on Stop, adds another version, and switches between them', async () => {
  await chats.begin()
  await chats.misbehave(assistantAnswerRule(chunks(500), 60))
  await ask('How long?')
  await answers().getByText('Piece 3').waitFor()
  await answers().last().hover()
  await answers().last().getByRole('button', { name: 'Stop' }).click()
  await ended('stopped')
  const partial = await words()
  expect(partial).toContain('Piece 3 of the answer.')
  await page().getByText('Stopped. The partial answer is saved.').waitFor()
  await chats.misbehave(assistantAnswerRule(['Another answer.'], 10))
  await answers().last().getByRole('button', { name: 'Retry' }).click()
  await ended('done')
  expect(await words()).toBe('Another answer.')
  expect(await page().getByTestId('version').innerText()).toBe('2 / 2')
  await page().getByRole('button', { name: 'Previous version' }).click()
  await ended('stopped')
  expect([await words(), await page().getByTestId('version').innerText()]).toEqual([
    partial,
    '1 / 2',
  ])
})

test('starts a branch for an edited question, and keeps the first one reachable', async () => {
  await chats.begin()
  await chats.misbehave(assistantAnswerRule(['The first answer.'], 10))
  await ask('First words')
  await ended('done')
  await chats.misbehave(assistantAnswerRule(['The second answer.'], 10))
  await questions().first().hover()
  await questions().first().getByRole('button', { name: 'Edit and resend' }).click()
  const editor = page().getByTestId('question-editor').getByRole('textbox')
  await editor.fill('Second words')
  await editor.press('Enter')
  await questions().filter({ hasText: 'Second words' }).waitFor()
  await answers().getByText('The second answer.').waitFor()
  expect(await questions().count()).toBe(1)
  await page().getByRole('button', { name: 'Previous version' }).click()
  await answers().getByText('The first answer.').waitFor()
  await questions().filter({ hasText: 'First words' }).waitFor()
})

test('misses nothing after leaving and returning, or reloading, while it streams', async () => {
  const id = await chats.begin()
  await chats.misbehave(assistantAnswerRule(chunks(120), 60))
  await ask('Shall I stay?')
  await answers().getByText('Piece 5').waitFor()
  await go('#/library')
  await page().getByTestId('thread-pane').waitFor({ state: 'detached' })
  await page().waitForTimeout(1000)
  await go(`#/chats/${id}`)
  await answers().getByText('Piece 25').waitFor()
  await page().reload()
  await answers().getByText('Piece 0').waitFor()
  await ended('done')
  expect(await words()).toBe(whole(120))
})

test('keeps the text of an interrupted answer, reports it, and continues on request', async () => {
  await chats.begin()
  await chats.misbehave({ ...assistantAnswerRule(chunks(60), 20), cutAfterBytes: 9000 })
  await ask('Is it whole?')
  await ended('broken')
  expect(await words()).toContain('Piece 2 of the answer.')
  await answers().last().getByTestId('failure').waitFor()
  await chats.misbehave(assistantAnswerRule(['The rest of it.'], 10))
  await answers().last().getByTestId('failure').getByRole('button', { name: 'Continue' }).click()
  await answers().getByText('The rest of it.').waitFor()
})

test('queues a question during an answer, cancelable until the answer is done', async () => {
  await chats.begin()
  await chats.misbehave(
    assistantAnswerRule(chunks(60), 60),
    assistantAnswerRule(['An answer to the next.'], 10),
  )
  await ask('One')
  await answers().getByText('Piece 1').waitFor()
  await ask('Two')
  await page().getByText('Will be sent after the current answer').waitFor()
  await questions().last().getByRole('button', { name: 'Cancel' }).first().click()
  await expect.poll(() => field().inputValue(), patient).toBe('Two')
  expect(await questions().count()).toBe(1)
  await field().press('Enter')
  await page().getByText('Will be sent after the current answer').waitFor()
  await answers().getByText('An answer to the next.').waitFor()
  expect([await questions().count(), await answers().count()]).toEqual([2, 2])
})

test('shows an unaccepted question, allows canceling it, and sends it once when accepted', async () => {
  await chats.begin()
  await chats.misbehave(
    assistantAnswerRule(chunks(400), 60),
    assistantAnswerRule(['It came through.'], 10),
  )
  const { process } = chats.lectern.host
  process.kill('SIGSTOP')
  try {
    await field().fill('Is anybody there?')
    await field().press('Enter')
    await field().press('Enter')
    const row = page().getByTestId('pending-question')
    await row.filter({ hasText: 'Is anybody there?' }).waitFor({ timeout: 2500 })
    expect(await findings(page())).toEqual([])
    await row.getByRole('button', { name: 'Cancel' }).click()
    expect(await field().inputValue()).toBe('Is anybody there?')
    expect(await row.count()).toBe(0)
    await field().fill('And now?')
    await field().press('Enter')
    await row.filter({ hasText: 'And now?' }).waitFor({ timeout: 2500 })
  } finally {
    process.kill('SIGCONT')
  }
  await page().getByTestId('pending-question').waitFor({ state: 'detached' })
  await questions().filter({ hasText: 'And now?' }).waitFor()
  expect(await questions().filter({ hasText: 'And now?' }).count()).toBe(1)
  await answers().getByText('It came through.').waitFor()
})

test('sends an edited question once for two quick Enters', async () => {
  await chats.begin()
  await chats.misbehave(assistantAnswerRule(['The first answer.'], 10))
  await ask('First words')
  await ended('done')
  await chats.misbehave(
    assistantAnswerRule(['The second answer.'], 10),
    assistantAnswerRule(['The third answer.'], 10),
  )
  await questions().first().hover()
  await questions().first().getByRole('button', { name: 'Edit and resend' }).click()
  const editor = page().getByTestId('question-editor').getByRole('textbox')
  await editor.fill('Second words')
  await editor.evaluate((box) => {
    const init = { key: 'Enter', bubbles: true, cancelable: true }
    for (let press = 0; press < 2; press++) box.dispatchEvent(new KeyboardEvent('keydown', init))
  })
  await answers().getByText('The second answer.').waitFor()
  expect(await page().getByTestId('version').innerText()).toBe('2 / 2')
})

test('does not override scrolling while streaming, and offers a button to the end', async () => {
  await chats.begin()
  const long = Array.from({ length: 150 }, (_, at) => `Paragraph ${at} with some words.\n\n`)
  await chats.misbehave(assistantAnswerRule(long, 30))
  await ask('Tell me much')
  await answers().getByText('Paragraph 30', { exact: false }).first().waitFor()
  await page().getByTestId('scroll-to-end').click()
  await page().waitForTimeout(400)
  const gap = () =>
    page()
      .getByTestId('thread-box')
      .evaluate((box) => box.scrollHeight - box.clientHeight - box.scrollTop)
  expect(await gap()).toBeLessThanOrEqual(2)
  await page().getByTestId('thread-box').hover()
  await page().mouse.wheel(0, -300)
  await page().getByTestId('scroll-to-end').waitFor()
  await page().waitForTimeout(300)
  const top = () =>
    page()
      .getByTestId('thread-box')
      .evaluate((box) => box.scrollTop)
  const before = await top()
  await answers().getByText('Paragraph 140', { exact: false }).first().waitFor()
  expect(Math.abs((await top()) - before)).toBeLessThanOrEqual(1)
  await page().getByTestId('scroll-to-end').click()
  await ended('done')
  await expect.poll(gap, patient).toBeLessThanOrEqual(2)
})

test('runs a whole chat by keyboard alone', async () => {
  const { keyboard } = page()
  await chats.begin()
  await chats.misbehave(
    assistantAnswerRule(['By keys alone.'], 10),
    assistantAnswerRule(['And once more.'], 10),
  )
  await field().focus()
  await keyboard.type('Who needs a mouse?')
  await keyboard.press('Enter')
  await ended('done')
  // Back from the field into the chat: its last message gets the focus.
  for (let press = 0; press < 12; press++) {
    const inside = await page().evaluate(
      () => document.activeElement?.getAttribute('data-message') !== null,
    )
    if (inside) break
    await keyboard.press('Shift+Tab')
  }
  await expect
    .poll(() => page().evaluate(() => document.activeElement?.getAttribute('data-testid')), patient)
    .toBe('answer')
  await keyboard.press('ArrowUp')
  expect(await page().evaluate(() => document.activeElement?.getAttribute('data-testid'))).toBe(
    'question',
  )
  await keyboard.press('j')
  await keyboard.press('r')
  await answers().getByText('And once more.').waitFor()
  await expect.poll(() => page().getByTestId('version').innerText(), patient).toBe('2 / 2')
  await answers().last().focus()
  await keyboard.press('[')
  await answers().getByText('By keys alone.').waitFor()
  await keyboard.press('Enter')
  expect(
    await page().evaluate(() => document.activeElement?.closest('[role=toolbar]') !== null),
  ).toBe(true)
  await keyboard.press('Escape')
  await keyboard.press('Home')
  await keyboard.press('e')
  await page().getByTestId('question-editor').waitFor()
  await keyboard.press('Escape')
  await page().getByTestId('question-editor').waitFor({ state: 'detached' })
  expect(await page().evaluate(() => document.activeElement?.getAttribute('data-testid'))).toBe(
    'question',
  )
})

test('has no axe findings in a streaming answer, in light and dark', async () => {
  await chats.begin()
  await chats.misbehave(assistantAnswerRule(chunks(4000), 60))
  await ask('Is it for all?')
  await answers().getByText('Piece 2').waitFor()
  for (const colorScheme of ['light', 'dark'] as const) {
    await page().emulateMedia({ colorScheme })
    await page().waitForTimeout(400)
    expect(await findings(page())).toEqual([])
  }
  await page().emulateMedia({ colorScheme: 'light' })
  await answers().last().hover()
  await answers().last().getByRole('button', { name: 'Stop' }).click()
  await ended('stopped')
})

test('causes no errors on the page', () => {
  expect(chats.lectern.trouble).toEqual({ violations: [], errors: [], strangers: [] })
})
