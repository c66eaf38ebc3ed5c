import { afterEach, beforeEach, expect, test } from 'vitest'
import { memoryKeychain, testApp, type TestApp } from '../../fixtures/app.ts'
import { eventually } from '../../fixtures/eventually.ts'
import { speakTexts } from '../../fixtures/spoken.ts'
import { accountAt, hangMs, transcribedMeeting, waveOf } from './meeting-setup.ts'
import {
  serviceKey,
  startTranscriptionService,
  transcriptReply,
  type TranscriptionService,
} from './meeting-service.ts'

const sentence = 'Please write that down and send it to everybody after the meeting.'
const words = 'And so my fellow Americans 请问'

let service: TranscriptionService
let app: TestApp
let accountId: string
const keychain = memoryKeychain()

beforeEach(async () => {
  service = await startTranscriptionService()
  service.answer = () => transcriptReply(words)
  app = await testApp({ keychain })
  accountId = await accountAt(app, service.url, serviceKey)
  await app.call('accounts.activate', { id: accountId })
})
afterEach(async () => {
  await app.remove()
  await service.close()
})

async function save(name: string): Promise<string> {
  const [samples] = await speakTexts([sentence], 16_000)
  const taken = await app.intake(name, waveOf([samples ?? new Int16Array()], 16_000))
  if (!taken.ok) throw new Error(taken.error.code)
  return taken.data.media.id
}
const drop = async (): Promise<string> =>
  (await app.call('meetings.import', { mediaId: await save('talk.wav') })).meeting.id
const stateOf = async (id: string) => {
  const { segments, lines } = await app.call('meetings.lines', { id })
  return { states: segments.map(({ state }) => state), text: lines.map(({ text }) => text).join() }
}

test(
  'a short file becomes one meeting, named after it, searchable, with the raw response',
  async () => {
    const mediaId = await save('talk 7.wav')
    const imported = await app.call('library.import', { mediaId })
    expect(imported).toMatchObject({ kind: 'meeting', known: false, error: null })
    const { itemId: id } = imported
    const done = await transcribedMeeting(app, id)
    expect(done).toMatchObject({ title: 'talk 7', originalMediaId: mediaId, state: 'stopped' })
    expect(done).toMatchObject({ originalName: 'talk 7.wav', originalMime: 'audio/wav' })
    expect(done.originalBytes).toBeGreaterThan(10_000)
    expect(service.requests).toHaveLength(1)
    for (const query of ['americ', '请']) {
      const { hits } = await app.call('library.search', { query, limit: 10 })
      expect(hits.map(({ itemId }) => itemId)).toEqual([id])
    }
    const again = await app.call('library.import', { mediaId })
    expect(again).toMatchObject({ kind: 'meeting', known: true, itemId: id })
    expect(service.requests).toHaveLength(1)
  },
  hangMs,
)

test(
  'waits for an unreachable provider, and continues automatically',
  async () => {
    await service.down()
    const id = await drop()
    await eventually(async () => {
      const { connection } = await app.call('app.info', {})
      expect(connection).toMatchObject({ state: 'offline', waiting: 1 })
    })
    await service.back()
    await transcribedMeeting(app, id)
    expect((await stateOf(id)).text).toContain('fellow Americans')
  },
  hangMs,
)

test(
  'a missing key is reported, and the transcription continues once it is set',
  async () => {
    await app.call('accounts.clearKey', { id: accountId })
    const id = await drop()
    await eventually(async () => {
      const { meeting } = await app.call('meetings.get', { id })
      expect(meeting.error?.code).toBe('NO_KEY')
    })
    expect(service.requests).toEqual([])
    await app.call('accounts.setKey', { id: accountId, key: serviceKey })
    await transcribedMeeting(app, id)
  },
  hangMs,
)

test(
  'Stop ends a transcription, and Retry completes it',
  async () => {
    service.answer = () => ({ ...transcriptReply(words), delayMs: 30_000 })
    const id = await drop()
    await eventually(() => expect(service.requests).toHaveLength(1))
    const { meeting } = await app.call('meetings.stopTranscription', { id })
    expect(meeting.completeness).toMatchObject({ waiting: 0, failed: 1 })
    expect(await app.call('work.list', {})).toEqual({ work: [] })
    service.answer = () => transcriptReply(words)
    await app.call('meetings.fill', { id })
    await transcribedMeeting(app, id)
    expect(await stateOf(id)).toMatchObject({ states: ['done'] })
  },
  hangMs,
)

test('other files are rejected by type, and create no item', async () => {
  const taken = await app.intake('paper.pdf', Buffer.from('%PDF-1.7\n%âãÏÓ\n1 0 obj\n'))
  if (!taken.ok) throw new Error(taken.error.code)
  const reply = await app.raw('meetings.import', { mediaId: taken.data.media.id })
  expect(reply).toMatchObject({ ok: false, error: { code: 'UNSUPPORTED_FORMAT' } })
  expect((await app.call('library.list', { limit: 10 })).total).toBe(0)
})
