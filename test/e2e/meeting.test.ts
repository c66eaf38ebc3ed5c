import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chunk, wave, waveFormat } from '../fixtures/audio-bytes.ts'
import { speakTexts } from '../fixtures/spoken.ts'
import { openLectern, type Lectern } from './lectern.ts'
import { secondPage } from './second-page.ts'

const jfk = new URL('../../../shared/samples/jfk.wav', import.meta.url)
const sentences = [
  'The old library keeps every letter that the country received.',
  'First we measure, then we change one thing, and then we measure again.',
  'Please write that down and send it to everybody after the meeting.',
]
const recordSeconds = 60
const anyWord = /library|country|measure|meeting/i
let folder: string
let lectern: Lectern
let id: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lectern-microphone-'))
  const microphone = join(folder, 'microphone.wav')
  await writeFile(microphone, existsSync(jfk) ? await readFile(jfk) : await talk())
  lectern = await openLectern({ microphone })
})
afterAll(async () => {
  await lectern.close()
  await rm(folder, { recursive: true, force: true })
})

const main = () => lectern.page.getByRole('main')

test('records a minute of microphone, with notes beside its text while recording', async () => {
  const { page } = lectern
  await page.getByRole('radio', { name: /This computer/ }).check()
  await page.getByRole('button', { name: 'Start' }).click()
  await main().getByRole('button', { name: 'New recording' }).first().click()
  await page.getByTestId('start-card').waitFor()
  await page.getByTestId('use-computer-audio').uncheck()
  await page.getByTestId('capture-title').fill('Minutes of the library')
  await page.getByTestId('record').click()
  await page.getByTestId('recording-bar').waitFor()
  const began = Date.now()
  await main().getByTestId('live-line').filter({ hasText: anyWord }).first().waitFor({
    timeout: 120_000,
  })
  const bar = page.getByTestId('recording-bar')
  expect((await bar.boundingBox())?.height).toBeLessThanOrEqual(56)
  await page.getByTestId('bookmark').click()
  await main().getByTestId('live-bookmark').waitFor()
  await bar.getByRole('button', { name: 'Recording settings' }).click()
  const settings = bar.getByRole('group', { name: 'Recording settings' })
  await settings.getByTestId('audio-check').click()
  await settings.getByTestId('verdicts').getByRole('listitem').first().waitFor()
  await settings.getByRole('textbox', { name: 'Custom vocabulary' }).fill('Lectern')
  await page.keyboard.press('Enter')
  await settings.getByText('Lectern', { exact: true }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByTestId('recording-view').getByTestId('meeting-notes').fill('Ask about the index.')
  const recorded = page.getByTestId('recorded-duration')
  await expect
    .poll(async () => Number(await recorded.getAttribute('data-ms')), {
      timeout: 120_000,
      interval: 250,
    })
    .toBeGreaterThanOrEqual(recordSeconds * 1000)
  await page.getByTestId('stop').click()
  await main().getByTestId('meeting-pane').waitFor({ timeout: 120_000 })
  console.log(`stopped ${((Date.now() - began) / 1000).toFixed(1)} s after it began`)
})

test('accounts for every frame: everything recorded was written', async () => {
  const second = await secondPage(lectern.home)
  const { items } = await second.call('library.list', {})
  const [item] = items
  expect(item).toMatchObject({ kind: 'meeting', title: 'Minutes of the library' })
  id = item?.id ?? ''
  const { meeting } = await second.call('meetings.get', { id })
  const { recordedMs, writtenMs, gapsMs } = meeting.completeness
  console.log(`recorded ${recordedMs} ms, written ${writtenMs} ms, gaps ${gapsMs} ms`)
  expect(meeting.state).toBe('stopped')
  expect(recordedMs).toBe(writtenMs)
  expect(writtenMs).toBeGreaterThanOrEqual(recordSeconds * 1000)
  expect(meeting.bookmarks).toHaveLength(1)
  expect(meeting.hotwords).toEqual(['Lectern'])
  expect(meeting.gaps).toEqual([])
  expect(meeting.notes).toBe('Ask about the index.')
  second.close()
})

test('starts the next recording in one click, with the sources used last', async () => {
  const { page } = lectern
  await page
    .getByRole('button', { name: /^New recording/ })
    .first()
    .click()
  await page.getByTestId('recording-bar').waitFor()
  expect(await page.getByTestId('start-card').count()).toBe(0)
  await page.getByTestId('stop').click()
  await main().getByTestId('meeting-pane').waitFor({ timeout: 120_000 })
})

test('shows the complete meeting, and reads, seeks and finds its text after a restart', async () => {
  lectern = await lectern.restart()
  const { page } = lectern
  const status = await page.evaluate(
    async (url) => (await fetch(url, { headers: { range: 'bytes=44-99' } })).status,
    `${lectern.mediaBase}meeting-${id}`,
  )
  expect(status).toBe(206)
  await page.goto(new URL(`/#/meetings/${id}`, page.url()).href)
  await main().getByTestId('meeting-pane').waitFor()
  await expect
    .poll(async () => main().getByTestId('completeness').innerText(), {
      timeout: 120_000,
      interval: 500,
    })
    .toMatch(/100%/)
  await main().getByTestId('line-text').filter({ hasText: anyWord }).first().waitFor()
  await main().getByTestId('line-bookmark').waitFor()
})

test('causes no policy violations, external requests or errors', () => {
  const { violations, errors, strangers } = lectern.trouble
  expect({ violations, errors, strangers }).toEqual({ violations: [], errors: [], strangers: [] })
})

/** Returns the sentences with a second of silence after each. */
async function talk(): Promise<Uint8Array> {
  const texts = await speakTexts(sentences, 16_000)
  const quiet = new Uint8Array(32_000)
  const audioParts = texts.flatMap((one) => [new Uint8Array(one.buffer), quiet])
  return wave([chunk('fmt ', waveFormat({})), chunk('data', Buffer.concat(audioParts))])
}
