import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chunk, wave, waveFormat } from '../fixtures/audio-bytes.ts'
import { speakTexts } from '../fixtures/spoken.ts'
import { dropFiles } from './gestures.ts'
import { openLectern, overElectron, type Lectern } from './lectern.ts'

const sentences = [
  'Good morning. Let us begin with the plan for the spring release.',
  'The search index needs one more week before it is finished.',
  'Then we move the release to the end of the month.',
  'Please send the report about the servers to everybody after the meeting.',
  'The office in the old harbor will be painted during the summer.',
  'There is no cheaper way to heat the building.',
  'The new colleague starts on Monday and needs a desk near the window.',
  'We should order more coffee before the visitors arrive.',
  'The train to the conference leaves early in the morning.',
  'Last year the garden party was a great success.',
  'The printer on the second floor is broken again.',
  'Our partners in the north have asked for a longer contract.',
  'The kitchen needs a bigger table and six more chairs.',
]
/** Pixels that the header, the waveform and the tabs may take of a window that is 900 pixels high. */
const maxChrome = 160
let lectern: Lectern

beforeAll(async () => {
  lectern = await openLectern({ width: 1440, height: 900 })
  const { page } = lectern
  await page.getByRole('radio', { name: /This computer/ }).check()
  await page.getByRole('button', { name: 'Start' }).click()
  await dropFiles(page, [{ name: 'planning.wav', type: 'audio/wav', bytes: await talk() }])
  await page.getByTestId('completeness').getByText('100% transcribed').waitFor({ timeout: 120_000 })
  page.setDefaultTimeout(30_000)
}, 180_000)
afterAll(() => lectern.close())

const lines = () => lectern.page.getByTestId('line-text')
const spokenLine = () => lectern.page.locator('[data-row][aria-current=time]')

/** Returns the top of an element in the window, in pixels. */
async function topOf(testId: string): Promise<number> {
  const box = await lectern.page.getByTestId(testId).boundingBox()
  if (!box) throw new Error(`${testId} is not shown`)
  return box.y
}

test('suggests a title from the transcript, and takes it back', async () => {
  const { page } = lectern
  const suggestion = page.getByTestId('title-suggestion')
  const title = page.getByTestId('meeting-pane').getByRole('heading', { level: 1 })
  const idea = suggestion.getByText(/^Suggested title: ./)
  await idea.waitFor()
  const first = await idea.innerText()
  const top = await topOf('meeting-transcript')
  await suggestion.getByRole('button', { name: 'Another' }).click()
  expect(await idea.innerText()).not.toBe(first)
  await suggestion.getByRole('button', { name: /^Use/ }).click()
  await suggestion.waitFor({ state: 'detached' })
  expect(first).not.toContain(await title.innerText())
  expect(await topOf('meeting-transcript')).toBe(top)
  await page
    .getByText(/^Renamed to “/)
    .first()
    .waitFor()
  await page.getByRole('button', { name: 'Undo', exact: true }).last().click()
  await expect.poll(() => title.innerText()).toBe('planning')
  await suggestion.getByRole('button', { name: 'Dismiss' }).click()
  await suggestion.waitFor({ state: 'detached' })
})

test.each([1440, 1000])('leaves the window to the transcript, %i pixels wide', async (width) => {
  await lectern.page.setViewportSize({ width, height: 900 })
  await expect
    .poll(async () => (await topOf('meeting-transcript')) - (await topOf('meeting-pane')))
    .toBeLessThanOrEqual(maxChrome)
})

test('keeps the notes in place when a line is selected, and shows its versions in a tab', async () => {
  const { page } = lectern
  await page.setViewportSize({ width: 1440, height: 900 })
  const panel = page.getByTestId('meeting-details')
  await panel.getByTestId('meeting-notes').fill('Ask about the index.')
  const before = await topOf('meeting-notes')
  await lines().nth(1).click()
  expect(await topOf('meeting-notes')).toBe(before)
  expect(await page.getByRole('region', { name: 'Versions' }).count()).toBe(0)
  await panel.getByText('Versions', { exact: true }).click()
  await page
    .getByRole('region', { name: 'Versions' })
    .getByText('Current', { exact: true })
    .waitFor()
  expect(await topOf('meeting-notes')).toBe(before)
})

test('marks the line that is played, and follows it again after scrolling away', async () => {
  const { page } = lectern
  await page.setViewportSize({ width: 1440, height: 400 })
  const player = page.getByTestId('meeting-player')
  await lines().first().click()
  await spokenLine()
    .filter({ hasText: /morning/i })
    .waitFor()
  await player.getByRole('button', { name: 'Play' }).click()
  await page.getByTestId('meeting-transcript').hover()
  await page.mouse.wheel(0, 2000)
  const follow = page.getByRole('button', { name: 'Follow', exact: true })
  await follow.click()
  expect(await spokenLine().count()).toBe(1)
  await expect.poll(() => spokenLine().isVisible()).toBe(true)
  expect(await follow.count()).toBe(0)
  const pause = player.getByRole('button', { name: 'Pause' })
  await pause.click()
  // The time of a line plays from there, as it does in an answer about the meeting.
  await page.getByTestId('line-time').first().click()
  await pause.click()
})

test('replaces words in the whole meeting, and undoes it as one change', async () => {
  const { page } = lectern
  await page.setViewportSize({ width: 1440, height: 900 })
  const bar = page.getByTestId('replace-bar')
  const withWords = (words: RegExp) => lines().filter({ hasText: words }).count()
  await lines().first().click()
  await page.keyboard.press('Control+h')
  await page.getByRole('searchbox', { name: 'Search this meeting' }).fill('RELEASE')
  await bar.getByRole('textbox', { name: 'Replace with' }).fill('launch')
  const all = bar.getByRole('button', { name: /^Replace all \([1-9]/ })
  await all.waitFor()
  const before = await withWords(/release/i)
  await bar.getByRole('button', { name: 'Match case' }).click()
  await bar.getByRole('button', { name: 'Replace all (0)' }).waitFor()
  await bar.getByRole('button', { name: 'Match case' }).click()
  await all.click()
  await expect.poll(() => withWords(/launch/)).toBe(before)
  expect(await withWords(/release/i)).toBe(0)
  await page
    .getByRole('status')
    .getByText(/^Replaced \d+ match/)
    .first()
    .waitFor()
  await page.getByRole('button', { name: 'Undo', exact: true }).last().click()
  await expect.poll(() => withWords(/release/i)).toBe(before)
  await page.keyboard.press('Escape')
})

test('shares a summary, and prints the meeting with it', async () => {
  const { page } = lectern
  await page.getByText('Summary', { exact: true }).first().click()
  await page.getByTestId('summarize').click()
  await page.locator('[data-testid=summary][data-state=done]').waitFor()
  const { name, path } = await lectern.saved(async () => {
    await page.getByTestId('share-summary').click()
    await page.getByRole('menuitem', { name: 'Save as Markdown…' }).click()
  })
  expect(name).toMatch(/^planning – .*\.md$/)
  expect(await readFile(path, 'utf8')).toMatch(
    /^# planning: [^]*^- .*end of the month.* \(0:\d\d\)$/m,
  )
  await page.getByTestId('export').click()
  const exportPdf = () => page.getByRole('menuitem', { name: /^PDF/ }).click()
  if (overElectron) {
    const pdf = await lectern.saved(exportPdf)
    expect((await readFile(pdf.path)).subarray(0, 5).toString()).toBe('%PDF-')
  } else {
    await page.evaluate(
      () => (window.print = () => void (document.body.dataset['printed'] = 'yes')),
    )
    await exportPdf()
    await page.waitForFunction(() => document.body.dataset['printed'] === 'yes')
    const texts = await page
      .locator('.paper')
      .evaluate((paper) => paper.shadowRoot?.querySelector('main')?.textContent ?? '')
    expect(texts).toContain('end of the month')
    await page.getByTestId('print-back').click()
    await page.getByTestId('print-view').waitFor({ state: 'detached' })
  }
  await page.getByText('Transcript', { exact: true }).first().click()
})

test('shows text in the size, and summarizes by the template, of the settings', async () => {
  const { page } = lectern
  const meeting = new URL(page.url()).hash
  const goTo = (hash: string) => page.evaluate((to) => void (location.hash = to), hash)
  const choose = async (size: string): Promise<void> => {
    await goTo('#/settings/general')
    await page.getByText(size, { exact: true }).click()
    await goTo('#/settings/meetings')
    await page.getByLabel('Summary template').selectOption('Summary by topic')
    await goTo(meeting)
    await lines().first().waitFor()
  }
  const sizeOf = () =>
    lines()
      .first()
      .evaluate((line) => getComputedStyle(line).fontSize)
  await choose('Extra large')
  expect(Math.round(Number.parseFloat(await sizeOf()))).toBe(20)
  await choose('Normal')
  expect(await sizeOf()).toBe('15px')
  await page.getByText('Summary', { exact: true }).first().click()
  expect(await page.getByTestId('summary-template').locator(':checked').innerText()).toBe(
    'Summary by topic',
  )
  await page.getByText('Transcript', { exact: true }).first().click()
})

test('answers a question about the meeting with times that play it from there', async () => {
  const { page } = lectern
  await page.setViewportSize({ width: 1440, height: 900 })
  const ask = page.getByTestId('ask-meeting')
  await ask.getByText(/quotes from the transcript and their times/).waitFor()
  await ask.getByRole('textbox').fill('When do we move the release?')
  await page.keyboard.press('Enter')
  const answer = page.locator('[data-testid=answer][data-state=done]')
  const quotes = answer.getByRole('listitem').filter({ hasText: /end of the month/ })
  const time = quotes
    .first()
    .getByRole('button', { name: /^Play from 0:/ })
    .first()
  await time.waitFor({ timeout: 60_000 })
  const [, seconds = ''] = /0:(\d\d)/.exec(await time.innerText()) ?? []
  await time.click()
  await page.getByTestId('meeting-player').getByRole('button', { name: 'Pause' }).click()
  const position = page.getByTestId('meeting-pane').getByRole('slider', { name: /position/i })
  expect(Number(await position.inputValue())).toBeGreaterThanOrEqual(Number(seconds) * 1000)
  await spokenLine()
    .filter({ hasText: /end of the month/i })
    .waitFor()
  // Said once; the next question continues the chat.
  expect(await ask.getByText(/quotes from the transcript/).count()).toBe(0)
  const before = await quotes.count()
  await ask.getByRole('textbox').fill('Until when do we move the release?')
  await page.keyboard.press('Enter')
  await expect.poll(() => page.getByTestId('question').count()).toBe(2)
  await expect.poll(() => quotes.count(), { timeout: 60_000 }).toBeGreaterThan(before)
})

test('causes no policy violations, external requests or errors', () => {
  const { violations, errors, strangers } = lectern.trouble
  expect({ violations, errors, strangers }).toEqual({ violations: [], errors: [], strangers: [] })
})

/** Returns the sentences with two seconds of silence after each: a line for each. */
async function talk(): Promise<Uint8Array> {
  const texts = await speakTexts(sentences, 16_000)
  const quiet = new Uint8Array(64_000)
  const parts = texts.flatMap((one) => [new Uint8Array(one.buffer), quiet])
  return wave([chunk('fmt ', waveFormat({})), chunk('data', Buffer.concat(parts))])
}
