import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { VoiceSample } from '../../../src/shared/model/sample.ts'
import { localAccountId } from '../../../src/shared/provider/profiles.ts'
import { testApp, type TestApp } from '../../fixtures/app.ts'
import { startScriptedServer } from '../../fixtures/scripted-server.ts'
import { eventually } from '../../fixtures/eventually.ts'
import { speakTexts } from '../../fixtures/spoken.ts'
import { waveOf } from '../../../src/main/domains/voices/worker/sample/read-sample.ts'

let app: TestApp
let wav: Uint8Array

const words =
  'Good morning everyone, let us begin with the plan for the spring version. The import pipeline is finished, but the search index needs one more week.'

beforeAll(async () => {
  app = await testApp()
  const [speech = new Int16Array(0)] = await speakTexts([words], 24_000)
  wav = waveOf({ samples: Float32Array.from(speech, (sample) => sample / 32_768), rate: 24_000 })
})
afterAll(() => app.remove())

const sampleWhen = (id: string, is: (sample: VoiceSample) => boolean): Promise<VoiceSample> =>
  eventually(async () => {
    const sample = await app.call('voices.sample', { id })
    if (!is(sample)) throw new Error('the sample has not become what is awaited')
    return sample
  })

const createSample = async (bytes: Uint8Array, name = 'morning.wav'): Promise<VoiceSample> => {
  const reply = await app.intake(name, bytes)
  if (!reply.ok) throw new Error(reply.error.message)
  return app.call('voices.createSample', { from: { mediaId: reply.data.media.id }, language: 'en' })
}

test('turns a file into a sample, transcribes and fixes it, and clones it with consent', async () => {
  const taken = await createSample(wav)
  expect(taken).toMatchObject({ title: 'morning', state: 'draft', source: { kind: 'file' } })
  const { id } = taken
  const transcribed = await sampleWhen(id, ({ text }) => text.state === 'heard')
  expect(transcribed.text.text).toMatch(/spring version/i)
  // Its text is found like any other transcript.
  const found = await app.call('library.search', { query: 'spring version' })
  expect(found.hits[0]).toMatchObject({ itemId: id, kind: 'voice' })

  const fix = { type: 'trim', startMs: 0, endMs: 5000 } as const
  const trimmed = await app.call('voices.fixSample', { id, fix })
  expect(trimmed.versions).toHaveLength(2)
  expect(trimmed.report.durationMs).toBe(5000)
  const back = await app.call('voices.useVersion', { id, versionId: taken.versionId })
  expect(back.report.durationMs).toBe(taken.report.durationMs)
  // The same fix again produces the same audio: no unnecessary version.
  const again = await app.call('voices.fixSample', { id, fix: { type: 'offset' } })
  expect(again.versions.length).toBeLessThanOrEqual(3)

  // A wrong sample transcript is detected, and stays as entered by the user.
  const other = await app.call('voices.describeSample', { id, text: 'Nobody has seen the sea.' })
  expect(other.text).toMatchObject({ state: 'edited', heard: expect.stringMatching(/spring/i) })
  expect(other.text.fit).toBeLessThan(0.5)
  await app.call('voices.transcribeSample', { id })
  const same = await sampleWhen(id, ({ text }) => text.state !== 'hearing')
  expect(same.text).toMatchObject({ state: 'edited', text: 'Nobody has seen the sea.' })

  const order = { id, voiceName: 'Morning_1', input: 'Hello, this is my voice.' }
  expect(await app.raw('voices.clone', order)).toMatchObject({
    ok: false,
    error: { code: 'REFUSED', params: { what: 'consent' } },
  })
  const described = await app.call('voices.describeSample', {
    id,
    text: words,
    consent: { who: 'Ada', whose: 'mine', purpose: 'reading minutes aloud' },
  })
  expect(described.text.fit).toBeGreaterThan(0.8)
  await app.call('voices.clone', order)
  const cloned = await sampleWhen(id, ({ clones }) => clones[0]?.previewId !== null)
  expect(cloned.clones[0]).toMatchObject({ state: 'done', voiceName: 'Morning_1', text: words })
  // The on-device service can’t clone, and says so.
  expect(cloned.clones[0]?.notice).toMatch(/Cloning isn’t available/)
  expect(cloned.consent).toMatchObject({ who: 'Ada', whose: 'mine' })

  const list = await app.call('voices.list', { from: 'kept' })
  const mine = list.voices.find(({ name }) => name === 'Morning_1')
  expect(mine).toMatchObject({ type: 'PRIVATE', itemId: id, previewKind: 'service' })
  expect(await app.raw('voices.clone', { ...order, voiceName: 'morning_1' })).toMatchObject({
    ok: false,
    error: { code: 'REFUSED', params: { what: 'voice-name' } },
  })
  const gone = await app.call('voices.remove', { voice: mine?.voice ?? '' })
  expect(gone.goneAt).not.toBeNull()
  expect(gone.previewId).toBe(mine?.previewId)
  // All of it is exported as one archive, including consent.
  const { media } = await app.call('voices.exportSample', { id })
  const archive = await app.app.fetch(new Request(`http://127.0.0.1/media/${media.id}`), app.page)
  const packed = Buffer.from(await archive.arrayBuffer()).toString('latin1')
  for (const part of [
    'voice.json',
    'sample.wav',
    'words.txt',
    'clones/1-Morning_1.wav',
    '"who": "Ada"',
  ])
    expect(packed).toContain(part)

  // Its name is free again, and the sample can be cloned again.
  await app.call('voices.clone', order)
  const second = await sampleWhen(
    id,
    ({ clones }) => clones.length === 2 && clones[0]?.state === 'done',
  )
  expect(second.clones[0]?.voice).not.toBe(cloned.clones[0]?.voice)
})

test('rejects files other than audio, and leaves nothing behind', async () => {
  const reply = await app.intake('words.wav', new TextEncoder().encode('these are words'))
  const mediaId = reply.ok ? reply.data.media.id : ''
  const before = (await app.call('voices.samples', {})).length
  const refused = await app.raw('voices.createSample', { from: { mediaId }, language: 'en' })
  expect(refused).toMatchObject({ ok: false, error: { code: 'UNSUPPORTED_FORMAT' } })
  expect(await app.call('voices.samples', {})).toHaveLength(before)
})

test('moves an own voice to Trash and restores it unchanged', async () => {
  const { id, report } = await createSample(wav, 'binned.wav')
  await app.call('library.remove', { ids: [id] })
  expect((await app.call('voices.samples', {})).map((sample) => sample.id)).not.toContain(id)
  await app.call('library.restore', { ids: [id] })
  const back = await app.call('voices.sample', { id })
  expect(back.report).toEqual(report)
  await app.call('library.purge', { ids: [id] })
  expect(await app.raw('voices.sample', { id })).toMatchObject({
    ok: false,
    error: { code: 'NOT_FOUND' },
  })
})

test('turns a range of a meeting into a sample with its origin', async () => {
  const saved = await app.intake('council.wav', wav)
  const mediaId = saved.ok ? saved.data.media.id : ''
  const { meeting } = await app.call('meetings.import', { mediaId, title: 'Council' })
  await eventually(async () => {
    const now = await app.call('meetings.get', { id: meeting.id })
    expect(now.meeting.state).toBe('stopped')
  })
  const from = { meetingId: meeting.id, channel: 0, startMs: 1000, endMs: 5000 }
  const sample = await app.call('voices.createSample', { from, language: 'en' })
  expect(sample).toMatchObject({ title: 'Council', source: { kind: 'meeting', startMs: 1000 } })
  // Audio of imported meetings is 16 kHz: samples have at least 24.
  expect(sample.report).toMatchObject({ durationMs: 4000, sampleRate: 24_000 })
  // The lines of the range are its text.
  const text = 'Good morning everyone, let us begin.'
  const spoken = await app.call('voices.createSample', { from, language: 'en', text })
  expect(spoken.text).toMatchObject({ text, state: 'edited' })
  expect(
    await app.raw('voices.createSample', { from: { ...from, channel: 5 }, language: 'en' }),
  ).toMatchObject({
    ok: false,
    error: { code: 'BAD_REQUEST' },
  })
})

test('transcribes a sample on this computer if the active account cannot transcribe', async () => {
  const server = await startScriptedServer()
  onTestFinished(() => server.close())
  const transcripts = [{ status: 404, body: '{}' }, { body: JSON.stringify({ text: '' }) }]
  server.always(({ url }) =>
    url.endsWith('/audio/transcriptions')
      ? (transcripts.shift() ?? { status: 404, body: '{}' })
      : { status: 404, body: '{}' },
  )
  const { id: accountId } = await app.call('accounts.create', {
    preset: 'custom',
    name: 'Speech only',
    baseUrl: server.url,
  })
  await app.call('accounts.setKey', { id: accountId, key: 'scripted-key-0123456789' })
  await app.call('accounts.activate', { id: accountId })
  onTestFinished(async () => void (await app.call('accounts.activate', { id: localAccountId })))
  const { id } = await createSample(wav)
  const isDone = ({ text }: VoiceSample): boolean => text.state === 'heard'
  expect((await sampleWhen(id, isDone)).text.text).toMatch(/spring version/i)
  // Neither an empty text is taken for the text of the sample.
  await app.call('voices.transcribeSample', { id })
  expect((await sampleWhen(id, isDone)).text.text).toMatch(/spring version/i)
  expect(transcripts).toEqual([])
})
