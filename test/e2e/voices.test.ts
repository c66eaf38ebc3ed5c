import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../fixtures/eventually.ts'
import { startKeyringSession, type KeyringSession } from '../fixtures/keyring-session.ts'
import { startTestService, type TestService } from '../local-service/fixtures/service.ts'
import { speak } from '../local-service/fixtures/audio-samples.ts'
import { findings } from './axe.ts'
import { openLectern, type Lectern } from './lectern.ts'
import { secondPage } from './second-page.ts'

let lectern: Lectern
let keyring: KeyringSession
let service: TestService

/** Creates an account at a provider that can be stopped, with one voice that was cloned there. */
beforeAll(async () => {
  keyring = await startKeyringSession()
  service = await startTestService()
  lectern = await openLectern({ env: keyring.env })
  const { page, home } = lectern
  await page.getByRole('radio', { name: /This computer/ }).check()
  await page.getByRole('button', { name: 'Start' }).click()
  const second = await secondPage(home, keyring.env)
  const { call } = second
  const { id: accountId } = await call('accounts.create', {
    preset: 'custom',
    name: 'Remote',
    baseUrl: service.url,
  })
  await call('accounts.setKey', { id: accountId, key: service.key })
  await call('accounts.activate', { id: accountId })
  const media = await second.intake(
    'letters.wav',
    speak(
      'The old library keeps every letter that the country ever received, and nobody counts them.',
    ),
  )
  const { id } = await call('voices.createSample', { from: { mediaId: media.id }, language: 'en' })
  await call('voices.describeSample', {
    id,
    consent: { who: 'Ada', whose: 'mine', purpose: 'a test' },
  })
  await call('voices.clone', { id, voiceName: 'Morning_Ada', input: 'Good morning.' })
  await eventually(async () => {
    const [clone] = (await call('voices.sample', { id })).clones
    expect(clone?.previewId).toBeTruthy()
  })
  second.close()
})
afterAll(async () => {
  await lectern.close()
  await service.stop()
  await keyring.stop()
})

const main = () => lectern.page.getByRole('main')
const list = () => lectern.page.getByRole('region', { name: 'List' })
const names = () => list().locator('[data-item] strong').allInnerTexts()

/** Filters voices by one type. */
async function narrow(kind: string): Promise<void> {
  await list().getByRole('radio', { name: kind }).focus()
  await lectern.page.keyboard.press('Space')
}

/** Plays the open voice by keyboard alone, and returns the reached position. */
async function played(): Promise<number> {
  const { page } = lectern
  await main().getByRole('button', { name: 'Play' }).focus()
  await page.keyboard.press('Space')
  const place = main().getByRole('slider', { name: /Position in/ })
  await expect
    .poll(async () => Number(await place.inputValue()), { timeout: 10_000 })
    .toBeGreaterThan(0.2)
  return Number(await place.inputValue())
}

test('finds voices by approximate name, filters them by type, and plays them by keyboard alone', async () => {
  const { page } = lectern
  await page.keyboard.press('Control+4')
  await list().locator('[data-item]').first().waitFor()
  expect((await names()).length).toBeGreaterThan(3)
  await page.keyboard.press('Control+f')
  await page.keyboard.type('mornng')
  await expect.poll(names).toEqual(['Morning_Ada'])
  await page.keyboard.press('Escape')
  // A Chinese name is found by its pronunciation.
  await page.keyboard.type('彤彤')
  await expect.poll(names).toEqual(['Tongtong'])
  await page.keyboard.press('Escape')
  await narrow('Mine')
  await expect.poll(names).toEqual(['Morning_Ada'])
  await page.keyboard.press('Control+f')
  await page.keyboard.press('Enter')
  await main().getByRole('heading', { name: 'Morning_Ada' }).waitFor()
  expect(await played()).toBeGreaterThan(0)
  expect(await findings(page)).toEqual([])
})

test('generates a preview for a voice without one on request, and shows the provider’s error', async () => {
  await narrow('Official')
  await list()
    .getByRole('link', { name: /Tongtong/ })
    .click()
  await main().getByRole('button', { name: 'Generate preview' }).click()
  await main().getByTestId('failure').waitFor()
  expect(await main().getByRole('heading', { level: 1 }).innerText()).toBe('Tongtong')
})

test('deletes a voice at the provider after a warning, and keeps its audio and sample', async () => {
  const { page } = lectern
  await narrow('All')
  await list()
    .getByRole('link', { name: /Morning_Ada/ })
    .click()
  await main().getByRole('button', { name: 'Delete voice' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByText(/delete “Morning_Ada” permanently/).waitFor()
  await dialog.getByText(/Its sample and consent are kept/).waitFor()
  await dialog.getByRole('button', { name: 'Delete voice' }).focus()
  await page.keyboard.press('Enter')
  await list().getByText('No longer available').waitFor()
  expect(
    await main()
      .getByText(/no longer offers this voice/)
      .count(),
  ).toBe(1)
  expect(await main().getByRole('button', { name: 'Open sample' }).count()).toBe(1)
})

test('shows the age of the list and plays a voice after a restart without the provider', async () => {
  await service.stop()
  lectern = await lectern.restart()
  const { page } = lectern
  await page.getByRole('contentinfo').waitFor()
  await page.keyboard.press('Control+4')
  await list()
    .getByText(/Updated/)
    .waitFor()
  await list()
    .getByText(/Can’t reach the provider/)
    .first()
    .waitFor({ timeout: 60_000 })
  await list()
    .getByRole('link', { name: /Morning_Ada/ })
    .click()
  expect(await played()).toBeGreaterThan(0)
  await main().getByRole('button', { name: 'Open sample' }).click()
  await main()
    .getByText(/Ada’s own voice/)
    .waitFor()
  expect(await findings(page)).toEqual([])
})
