import { afterAll, beforeAll, expect, test } from 'vitest'
import { chunk, wave, waveFormat } from '../fixtures/audio-bytes.ts'
import { startKeyringSession, type KeyringSession } from '../fixtures/keyring-session.ts'
import { startScriptedServer } from '../fixtures/scripted-server.ts'
import { speakTexts } from '../fixtures/spoken.ts'
import { findings } from './axe.ts'
import { openLectern, type Lectern } from './lectern.ts'
import { secondPage } from './second-page.ts'

const patient = { timeout: 90_000 }
let keyring: KeyringSession
let lectern: Lectern

beforeAll(async () => {
  keyring = await startKeyringSession()
  lectern = await openLectern({ env: keyring.env, locale: 'en-US' })
  lectern.page.setDefaultTimeout(30_000)
  await lectern.page.getByRole('button', { name: 'Skip' }).click()
})
afterAll(async () => {
  await lectern.close()
  await keyring.stop()
})

test('counts a waiting meeting in the status bar, and continues it with another account', async () => {
  const gone = await startScriptedServer()
  await gone.close()
  const second = await secondPage(lectern.home, keyring.env)
  const { id: accountId } = await second.call('accounts.create', {
    preset: 'custom',
    name: 'Silent service',
    baseUrl: gone.url,
  })
  await second.call('accounts.setKey', { id: accountId, key: 'a-key-for-nobody-0123' })
  const [speech] = await speakTexts(['Ask not what your country can do for you.'], 16_000)
  const samples = Buffer.from((speech ?? new Int16Array()).buffer)
  const talk = wave([chunk('fmt ', waveFormat({})), chunk('data', samples)])
  const media = await second.intake('talk.wav', talk)
  const status = lectern.page.getByRole('contentinfo')
  await status.getByText('No jobs').waitFor()
  await second.call('meetings.import', { mediaId: media.id, accountId, channels: 'auto' })
  await status.getByText('1 waiting').click(patient)
  const panel = lectern.page.getByTestId('job-list')
  await panel.getByText('Silent service').waitFor()
  expect(await findings(lectern.page)).toEqual([])
  await panel.getByRole('button', { name: 'Run on This computer' }).click()
  await status.getByText('No jobs').waitFor(patient)
  expect(lectern.trouble.errors).toEqual([])
  second.close()
})

test('moves a meeting that the provider may have processed only after a confirmation', async () => {
  const gateway = await startScriptedServer()
  gateway.always(() => ({ status: 502, body: 'Bad gateway' }))
  const second = await secondPage(lectern.home, keyring.env)
  const { id: accountId } = await second.call('accounts.create', {
    preset: 'custom',
    name: 'Gateway',
    baseUrl: gateway.url,
  })
  await second.call('accounts.setKey', { id: accountId, key: 'a-key-for-nobody-0123' })
  const [speech] = await speakTexts(['The lamp is lit at dusk.'], 16_000)
  const samples = Buffer.from((speech ?? new Int16Array()).buffer)
  const talk = wave([chunk('fmt ', waveFormat({})), chunk('data', samples)])
  const media = await second.intake('lamp.wav', talk)
  await second.call('meetings.import', { mediaId: media.id, accountId, channels: 'auto' })
  const status = lectern.page.getByRole('contentinfo')
  await status.getByText('1 waiting').waitFor(patient)
  const panel = lectern.page.getByTestId('job-list')
  if (!(await panel.isVisible())) await status.getByText('1 waiting').click()
  const run = panel.getByRole('button', { name: 'Run on This computer' })
  await run.click()
  const dialog = lectern.page.getByRole('dialog', { name: 'Run again?' })
  await dialog.getByText('you may pay twice').waitFor()
  expect(await findings(lectern.page)).toEqual([])
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await run.click()
  await dialog.getByRole('button', { name: 'Run again' }).click()
  await status.getByText('No jobs').waitFor(patient)
  second.close()
  await gateway.close()
})
