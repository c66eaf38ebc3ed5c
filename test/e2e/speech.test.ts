import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { startKeyringSession, type KeyringSession } from '../fixtures/keyring-session.ts'
import {
  inputOf,
  startSpeakingService,
  type SpeakingService,
} from '../fixtures/speaking-service.ts'
import { findings } from './axe.ts'
import { openLectern, type Lectern } from './lectern.ts'
import { secondPage } from './second-page.ts'

const patient = { timeout: 60_000 }
const sentences = [
  'The quick brown fox jumps over the lazy dog.',
  'Seven silent ships sail south every summer.',
  'Please bring the old wooden chair back home.',
] as const
const text = `${sentences[0]} ${sentences[1]}\n\n${sentences[2]}`

let keyring: KeyringSession
let service: SpeakingService
let lectern: Lectern

beforeAll(async () => {
  keyring = await startKeyringSession()
  service = await startSpeakingService()
  lectern = await openLectern({ locale: 'en-US', env: keyring.env, width: 1200, height: 800 })
  await lectern.page.getByRole('button', { name: 'Skip' }).click()
  const second = await secondPage(lectern.home, keyring.env)
  const account = await second.call('accounts.create', {
    preset: 'custom',
    name: 'Speaker',
    baseUrl: service.server.url,
  })
  const profile = { ...account.profile, concurrency: 1 }
  await second.call('accounts.update', { id: account.id, profile })
  await second.call('accounts.setKey', { id: account.id, key: 'speaking-service-key' })
  await second.call('accounts.activate', { id: account.id })
  second.close()
}, 60_000)
afterAll(async () => {
  await lectern.close()
  await service.server.close()
  await keyring.stop()
})

const segments = (page: Page) => page.getByRole('list', { name: 'Segments' }).getByRole('listitem')
const counts = (page: Page) => page.getByTestId('narration-counts')

/** Returns duration, tags and loudest sample of a saved file, as read by ffmpeg. */
function decoded(path: string): { seconds: number; tags: Record<string, string>; loudest: number } {
  const probeOutput = execFileSync('ffprobe', ['-v', 'error', '-show_format', '-of', 'json', path])
  const { format } = JSON.parse(probeOutput.toString()) as {
    format: { duration: string; tags: Record<string, string> }
  }
  const pcm = execFileSync('ffmpeg', ['-v', 'error', '-i', path, '-f', 's16le', '-ac', '1', '-'], {
    maxBuffer: 1 << 28,
  })
  const samples = new Int16Array(pcm.buffer.slice(pcm.byteOffset, pcm.byteOffset + pcm.length))
  const loudest = samples.reduce((max, one) => Math.max(max, Math.abs(one)), 0)
  return { seconds: Number(format.duration), tags: format.tags, loudest }
}

test('opens a new voice while there is none, and later the tab that was open last', async () => {
  const { page } = lectern
  const view = page.getByRole('radiogroup', { name: 'View' })
  await page.keyboard.press('Control+4')
  await page.getByTestId('sample-record').waitFor()
  expect(await view.getByRole('radio', { name: 'Clone' }).isChecked()).toBe(true)
  await view.getByText('Voices').click()
  await page.keyboard.press('Control+1')
  await page.keyboard.press('Control+4')
  await expect.poll(() => view.getByRole('radio', { name: 'Voices' }).isChecked()).toBe(true)
})

test('plans, generates, verifies and marks a text with a chosen voice by keyboard alone', async () => {
  const { page } = lectern
  await page.keyboard.press('Control+4')
  await page.getByText('Narration', { exact: true }).click()
  const field = page.getByRole('textbox', { name: 'Text', exact: true })
  await field.fill(text)
  await page.getByTestId('plan').filter({ hasText: '2 segments' }).waitFor(patient)
  expect(await findings(page)).toEqual([])
  await page.getByRole('button', { name: /Voice/ }).press('Enter')
  await page.getByRole('searchbox', { name: 'Search voices' }).last().fill('tong')
  await page.getByRole('button', { name: /^Tongtong/ }).press('Enter')
  await page.locator('summary').press('Enter')
  const length = page.getByRole('slider', { name: 'Maximum segment length' })
  await length.focus()
  await length.press('Home')
  await page.keyboard.press('ArrowRight')
  await page.getByTestId('plan').filter({ hasText: '3 segments' }).waitFor(patient)
  const retries = page.getByRole('slider', { name: 'Automatic retries' })
  await retries.focus()
  await retries.press('Home')
  service.transcripts.push(sentences[0], 'Seven ships sail north every summer', sentences[2])
  await field.press('Control+Enter')
  await counts(page).filter({ hasText: '3 of 3' }).waitFor(patient)
  expect(service.spoken()).toHaveLength(3)
  const rows = segments(page)
  await rows.nth(0).getByText('Matches the text').waitFor(patient)
  await rows.nth(1).getByText('1 missing, 1 different').waitFor(patient)
  await rows.nth(1).locator('.missing', { hasText: 'silent' }).waitFor()
  await rows.nth(1).locator('.changed', { hasText: 'south' }).waitFor()
  expect(await rows.nth(1).locator('.changed').getAttribute('title')).toBe('transcribed: north')
  await page.getByRole('region', { name: 'Full audio' }).waitFor(patient)
  expect(await findings(page)).toEqual([])
})

test('regenerates a segment, selects its take, and marks only an edited one as out of date', async () => {
  const { page } = lectern
  const main = (n: number) => segments(page).nth(n).locator('[data-item]')
  await main(0).focus()
  await page.keyboard.press('ArrowDown')
  service.transcripts.push(sentences[1])
  await page.keyboard.press('r')
  await segments(page).nth(1).getByText('Matches the text').waitFor(patient)
  expect(service.spoken()).toHaveLength(4)
  await main(1).press('t')
  const takes = page.getByRole('dialog').getByTestId('take')
  await takes.nth(1).waitFor(patient)
  await takes.nth(1).getByRole('button', { name: 'Favorite' }).press('Enter')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: 'Favorite', pressed: true })
    .waitFor(patient)
  expect(await findings(page)).toEqual([])
  await page.keyboard.press('Escape')
  await main(2).press('e')
  await page.getByRole('textbox', { name: 'Text of segment 3' }).fill('Please bring it home.')
  await page.keyboard.press('Control+Enter')
  await counts(page).filter({ hasText: '1 out of date' }).waitFor(patient)
  expect(await segments(page).evaluateAll((all) => all.map((one) => one.dataset['state']))).toEqual(
    ['done', 'done', 'stale'],
  )
  await page.getByRole('button', { name: 'Generate 1 segment' }).press('Enter')
  await counts(page).filter({ hasText: '3 of 3' }).waitFor(patient)
  await page.getByText('out of date').waitFor({ state: 'detached', ...patient })
  expect(service.spoken()).toHaveLength(5)
})

test('saves the joined audio as tagged WAV and MP3 of the same duration', async () => {
  const { page } = lectern
  // Joined again automatically, because all segments are generated.
  await page.getByRole('button', { name: /^Join/ }).waitFor({ state: 'detached', ...patient })
  const shown = await page.getByRole('slider', { name: /position/i }).getAttribute('max')
  for (const format of ['WAV', 'MP3']) {
    const { name, path } = await lectern.saved(() =>
      page.getByRole('button', { name: `Save as ${format}` }).press('Enter'),
    )
    expect(name).toMatch(/^The quick brown fox.*\.(wav|mp3)$/)
    const file = decoded(path)
    expect(Math.abs(file.seconds - Number(shown))).toBeLessThan(0.1)
    expect(file.loudest).toBeGreaterThan(1000)
    expect(file.tags).toMatchObject({ artist: 'Tongtong', genre: 'Synthetic speech' })
    expect(file.tags['comment']).toContain('Synthetic speech')
  }
})

/** Shows a voice of the library. */
const showVoice = (voice: string): Promise<void> =>
  lectern.page.evaluate((id) => void (location.hash = `#/voices/library/${id}`), voice)

test('generates a sentence for an official voice without a preview once, and saves it', async () => {
  const { page } = lectern
  const hash = new URL(page.url()).hash
  await showVoice('jam')
  await page.getByRole('button', { name: 'Generate preview' }).press('Enter')
  await page.getByRole('main').getByRole('button', { name: 'Play' }).waitFor(patient)
  await page.evaluate((to) => void (location.hash = to), hash)
  await counts(page).filter({ hasText: '3 of 3' }).waitFor(patient)
  expect(service.spoken().map(inputOf)).toContain(
    'Hello! This is how I sound when I read something to you.',
  )
})

test('plays everything after a restart without the provider, and queues new requests', async () => {
  await service.server.close()
  const hash = new URL(lectern.page.url()).hash
  lectern = await lectern.restart()
  const { page } = lectern
  await page.evaluate((to) => void (location.hash = to), hash)
  await counts(page).filter({ hasText: '3 of 3' }).waitFor(patient)
  const slider = page.getByRole('slider', { name: /position/i })
  await segments(page).nth(1).locator('[data-item]').press('Enter')
  await expect.poll(async () => Number(await slider.inputValue()), patient).toBeGreaterThan(2.5)
  await segments(page).nth(1).and(page.locator('.current')).waitFor(patient)
  await segments(page).nth(0).locator('[data-item]').press('r')
  await segments(page)
    .nth(0)
    .getByText(/^Offline/)
    .waitFor(patient)
  await page.getByRole('button', { name: 'Stop' }).press('Enter')
  await counts(page).filter({ hasText: '3 of 3' }).waitFor(patient)
  // To Trash, and restored with the action of the toast.
  await page.getByRole('button', { name: 'Move to Trash' }).press('Enter')
  await page.getByRole('textbox', { name: 'Text', exact: true }).waitFor(patient)
  await page.getByRole('button', { name: 'Undo' }).press('Enter')
  await page.getByRole('link', { name: /The quick brown fox/ }).waitFor(patient)
  // The official voice that was used here plays, too.
  await showVoice('jam')
  await page.getByRole('main').getByRole('button', { name: 'Play' }).press('Enter')
  const place = page.getByRole('slider', { name: 'Position in Jam' })
  await expect.poll(async () => Number(await place.inputValue()), patient).toBeGreaterThan(0.2)
  expect(lectern.trouble.violations).toEqual([])
})
