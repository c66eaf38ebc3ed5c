import { afterEach, expect, onTestFinished, test } from 'vitest'
import type { Keychain } from '../../../src/main/platform/secrets/keychain.ts'
import { memoryKeychain, testApp, type TestApp } from '../../fixtures/app.ts'
import { startScriptedServer } from '../../fixtures/scripted-server.ts'
import { startScriptedService } from '../../fixtures/slow-service.ts'
import { sineWav } from '../../fixtures/wav.ts'

let lectern: TestApp | null = null
afterEach(async () => {
  await lectern?.remove()
  lectern = null
})

const key = 'a-key-for-one-host-0123456789'
const custom = { preset: 'custom', name: 'Mine', baseUrl: 'http://127.0.0.1:9/api' } as const

test('includes the on-device account from the start, active and not removable', async () => {
  lectern = await testApp()
  const [only, ...others] = await lectern.call('accounts.list', {})
  expect(others).toEqual([])
  expect(only).toMatchObject({ preset: 'local', active: true, key: { backend: 'built-in' } })
  expect(await lectern.raw('accounts.remove', { id: only?.id })).toMatchObject({
    error: { code: 'REFUSED' },
  })
})

test('binds a key to its origin: another origin requires it again', async () => {
  const keychain = memoryKeychain()
  lectern = await testApp({ keychain })
  const { id, profile } = await lectern.call('accounts.create', custom)
  await lectern.call('accounts.setKey', { id, key })
  const samePlace = { ...profile, baseUrl: 'http://127.0.0.1:9/other/path' }
  expect((await lectern.call('accounts.update', { id, profile: samePlace })).key.present).toBe(true)
  const elsewhere = { ...profile, baseUrl: 'https://evil.example/api' }
  expect((await lectern.call('accounts.update', { id, profile: elsewhere })).key.present).toBe(
    false,
  )
  expect(keychain.secrets.size).toBe(0)
  const check = await lectern.call('accounts.check', { id, callId: 'check-elsewhere' })
  expect(check).toMatchObject({ outcome: 'failed', error: { code: 'NO_KEY' } })
})

test('reports a base URL without the API as such', async () => {
  const server = await startScriptedServer()
  onTestFinished(() => server.close())
  server.always(() => ({ status: 404, body: '{}' }))
  lectern = await testApp()
  const { id } = await lectern.call('accounts.create', { ...custom, baseUrl: server.url })
  await lectern.call('accounts.setKey', { id, key })
  const check = await lectern.call('accounts.check', { id, callId: 'check-nothing' })
  expect(check).toMatchObject({
    outcome: 'failed',
    error: { code: 'NOT_IMPLEMENTED', params: { problem: 'api' } },
  })
})

test('accepts a base URL with the API but without voices', async () => {
  const server = await startScriptedServer()
  onTestFinished(() => server.close())
  server.always(({ url }) =>
    url.includes('/files') ? { body: '{"data":[]}' } : { status: 404, body: '{}' },
  )
  lectern = await testApp()
  const { id } = await lectern.call('accounts.create', { ...custom, baseUrl: server.url })
  await lectern.call('accounts.setKey', { id, key })
  const check = await lectern.call('accounts.check', { id, callId: 'check-no-voices' })
  expect(check).toMatchObject({ outcome: 'ok' })
})

test.each([
  'http://example.org',
  'ftp://x',
  'https://u:p@host',
  'https://host/?q',
  'nonsense',
  'https://[:]',
])('rejects the base URL %s with a reason', async (baseUrl) => {
  lectern = await testApp()
  expect(await lectern.raw('accounts.create', { ...custom, baseUrl })).toMatchObject({
    ok: false,
    error: { code: 'BASE_URL_REFUSED' },
  })
})

test('activates the on-device account and deletes the key when the active one is removed', async () => {
  const keychain = memoryKeychain()
  lectern = await testApp({ keychain })
  const { id } = await lectern.call('accounts.create', custom)
  await lectern.call('accounts.setKey', { id, key })
  await lectern.call('accounts.activate', { id })
  await lectern.call('accounts.remove', { id })
  expect(keychain.secrets.size).toBe(0)
  expect((await lectern.call('app.info', {})).connection).toMatchObject({ preset: 'local' })
})

test('stores a key for the session only without a keychain, reports that, and writes no file', async () => {
  const absent: Keychain = {
    store: 'Secret Service',
    get: async () => ({ ok: false, trouble: 'absent' }),
    set: async () => ({ ok: false, trouble: 'absent' }),
    delete: async () => ({ ok: false, trouble: 'absent' }),
  }
  lectern = await testApp({ keychain: absent })
  const { id } = await lectern.call('accounts.create', custom)
  expect(await lectern.call('accounts.setKey', { id, key })).toMatchObject({
    present: true,
    backend: 'session',
    trouble: 'absent',
  })
  await lectern.stop()
  lectern = await testApp({ home: lectern.home, keychain: absent })
  const again = (await lectern.call('accounts.list', {})).find((account) => account.id === id)
  expect(again?.key.present).toBe(false)
})

test('explains what is wrong in a check', async () => {
  const service = await startScriptedService({ words: [], totalMs: 0 })
  lectern = await testApp()
  const { id } = await lectern.call('accounts.create', { ...custom, baseUrl: service.url })
  const check = (callId: string) => lectern?.call('accounts.check', { id, callId })
  expect(await check('check-no-key')).toMatchObject({ error: { code: 'NO_KEY' } })
  await lectern.call('accounts.setKey', { id, key })
  expect(await check('check-wrong-key')).toMatchObject({ error: { code: 'KEY_REJECTED' } })
  await lectern.call('accounts.setKey', { id, key: service.key })
  expect(await check('check-good-key')).toMatchObject({ outcome: 'ok' })
  await service.stop()
  expect(await check('check-no-service')).toMatchObject({ error: { code: 'OFFLINE' } })
})

test('erases recordings, accounts and keys, even if the keychain refuses', async () => {
  const keychain = memoryKeychain()
  const refusing = { ...keychain, delete: async () => ({ ok: false, trouble: 'locked' }) as const }
  lectern = await testApp({ keychain: refusing })
  const { id } = await lectern.call('accounts.create', custom)
  await lectern.call('accounts.setKey', { id, key })
  const intake = await lectern.intake('a.wav', sineWav({ seconds: 1, hz: 90 }))
  if (!intake.ok) throw new Error(intake.error.code)
  const mediaId = intake.data.media.id
  await lectern.call('meetings.import', { mediaId })
  const reply = await lectern.raw('app.eraseAll', { confirm: 'erase everything' })
  expect(reply).toMatchObject({ ok: false, error: { code: 'KEYCHAIN_LOCKED' } })
  expect(await lectern.call('accounts.list', {})).toHaveLength(1)
  expect((await lectern.call('library.list', { limit: 5 })).total).toBe(0)
  const media = await lectern.app.fetch(new Request(`http://127.0.0.1/media/${mediaId}`))
  expect(media.status).toBe(404)
})

test('removes characters that hide or reverse text from titles, which cannot become empty', async () => {
  lectern = await testApp()
  const intake = await lectern.intake('a.wav', sineWav({ seconds: 1, hz: 91 }))
  if (!intake.ok) throw new Error(intake.error.code)
  const { meeting } = await lectern.call('meetings.import', {
    mediaId: intake.data.media.id,
    title: '\u202egnp.exe\u001b]0;x',
  })
  expect(meeting.title).toBe('gnp.exe ]0;x')
  const renamed = await lectern.raw('library.rename', { id: meeting.id, title: '\u200b\u200b' })
  expect(renamed).toMatchObject({ ok: false, error: { code: 'BAD_REQUEST' } })
})
