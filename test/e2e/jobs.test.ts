import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import Database from 'better-sqlite3'
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

test('continues an export after the app was killed, and offers its file until it is saved', async () => {
  const second = await secondPage(lectern.home, keyring.env)
  const { id } = await second.call('chats.create', {
    settings: {
      kind: 'assistant',
      assistantId: '65940acff94777010aa6b796',
      model: null,
      doSample: null,
      translate: null,
    },
  })
  await second.call('library.rename', { id, title: 'Bees and lamps' })
  second.close()
  // The row of an export as its first moment leaves it.
  const db = new Database(join(lectern.home, 'library.db'))
  db.prepare(
    `INSERT INTO file_jobs (id, kind, request, state, created_at) VALUES ('e1', 'chats.export', ?, 'running', 1)`,
  ).run(JSON.stringify({ id, format: 'md' }))
  db.close()
  lectern = await lectern.killed()
  const status = lectern.page.getByRole('contentinfo')
  await status.getByText('1 ready to save').click(patient)
  const panel = lectern.page.getByTestId('job-list')
  await panel.getByText('Export · Ready to save').waitFor()
  expect(await findings(lectern.page)).toEqual([])
  const saved = await lectern.saved(() =>
    panel.getByRole('button', { name: 'Save Bees and lamps.md' }).click(),
  )
  expect(saved.name).toBe('Bees and lamps.md')
  expect(await readFile(saved.path, 'utf8')).toContain('Bees and lamps')
  await status.getByText('No jobs').waitFor()
  lectern = await lectern.restart()
  await lectern.page.getByRole('contentinfo').getByText('No jobs').waitFor()
  expect(lectern.trouble.errors).toEqual([])
})
