import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { memoryKeychain, testApp, type TestApp } from '../../fixtures/app.ts'
import { startScriptedService, type ScriptedService } from '../../fixtures/slow-service.ts'
import { sineWav } from '../../fixtures/wav.ts'
import type { RecordingItem } from '../../../src/shared/model/library.ts'

const words = ['And ', 'so ', 'my ', 'fellow ', 'Americans, ', '请 ', '问']
const whole = words.join('')
let service: ScriptedService
let lectern: TestApp
const keychain = memoryKeychain()

beforeEach(async () => {
  service = await startScriptedService({ words, totalMs: 350 })
  lectern = await testApp({ keychain })
  const account = await lectern.call('accounts.create', {
    preset: 'custom',
    name: 'Scripted',
    baseUrl: service.url,
  })
  await lectern.call('accounts.setKey', { id: account.id, key: service.key })
  await lectern.call('accounts.activate', { id: account.id })
})
afterEach(async () => {
  await lectern.remove()
  await service.stop()
})

let serial = 0
async function start(streamId = `stream-${++serial}-test`) {
  const intake = await lectern.intake(
    `talk ${serial}.wav`,
    sineWav({ seconds: 1, hz: 200 + serial }),
  )
  if (!intake.ok) throw new Error(intake.error.code)
  const mediaId = intake.data.media.id
  return {
    streamId,
    mediaId,
    ...(await lectern.call('transcriptions.start', { mediaId, streamId })),
  }
}
const terminal = (streamId: string) =>
  lectern.until(
    (e) => e.channel === 'stream' && e.event.streamId === streamId && e.event.type !== 'delta',
  )
const delta = (streamId: string) =>
  lectern.until((e) => e.channel === 'stream' && e.event.streamId === streamId)
const item = (id: string): Promise<RecordingItem> => lectern.call('library.get', { id })
const jobState = async (id: string): Promise<string | undefined> => (await item(id)).job?.state

async function untilState(id: string, state: string): Promise<void> {
  await expect.poll(() => jobState(id)).toBe(state)
}

test('transcribes a dropped recording, named after its file, searchable, with raw response', async () => {
  const { streamId, item: made } = await start()
  expect(made.title).toMatch(/^talk \d+$/)
  expect(await terminal(streamId)).toMatchObject({ event: { type: 'end', text: whole } })
  const done = await item(made.id)
  expect(done).toMatchObject({ duration: 1, job: { state: 'done' } })
  expect(done.transcripts).toMatchObject([
    { text: whole, state: 'complete', model: 'gen-asr-2512' },
  ])
  const found = await lectern.call('library.search', { query: 'americ', limit: 10 })
  expect(found.hits.map((hit) => hit.itemId)).toEqual([made.id])
  const chinese = await lectern.call('library.search', { query: '请', limit: 10 })
  expect(chinese.hits.map((hit) => hit.itemId)).toEqual([made.id])
})

test('creates one recording and one call for the same content twice', async () => {
  const first = await start()
  await terminal(first.streamId)
  const again = await lectern.call('transcriptions.start', {
    mediaId: first.mediaId,
    streamId: 'stream-same-content',
  })
  expect(again).toMatchObject({ known: true, item: { id: first.item.id } })
  expect(service.calls()).toBe(1)
})

test('keeps the partial text on Stop, and completes it on Retry', async () => {
  const { streamId, item: made, job } = await start()
  await delta(streamId)
  await lectern.call('transcriptions.stop', { jobId: job.id })
  const stopped = await item(made.id)
  expect(stopped.job).toMatchObject({ state: 'cancelled', error: { code: 'CANCELLED' } })
  expect(whole.startsWith(stopped.transcripts[0]?.text ?? 'x')).toBe(true)
  expect(stopped.transcripts[0]).toMatchObject({ state: 'partial' })
  await lectern.call('transcriptions.retry', { jobId: job.id, streamId: 'stream-retry-it' })
  expect(await terminal('stream-retry-it')).toMatchObject({ event: { type: 'end', text: whole } })
  expect((await item(made.id)).transcripts).toHaveLength(1)
})

test('lets a job wait for an unreachable service, and continues automatically', async () => {
  const { port } = new URL(service.url)
  await service.stop()
  const { item: made } = await start()
  await untilState(made.id, 'waiting')
  expect((await lectern.call('app.info', {})).connection).toMatchObject({
    state: 'offline',
    waiting: 1,
  })
  service = await startScriptedService({ words, totalMs: 20, port: Number(port) })
  await untilState(made.id, 'done')
  expect((await item(made.id)).transcripts[0]?.text).toBe(whole)
  expect((await lectern.call('app.info', {})).connection).toMatchObject({
    state: 'online',
    waiting: 0,
  })
})

test('continues a job that was interrupted by quitting at the next start, losing nothing', async () => {
  const { streamId, item: made } = await start()
  await delta(streamId)
  await lectern.stop()
  lectern = await testApp({ home: lectern.home, keychain })
  await untilState(made.id, 'done')
  expect((await item(made.id)).transcripts).toMatchObject([{ text: whole, state: 'complete' }])
})

test('reports a missing key, and continues the job once it is set', async () => {
  const account = (await lectern.call('accounts.list', {})).find((a) => a.active)
  if (!account) throw new Error('no active account')
  await lectern.call('accounts.clearKey', { id: account.id })
  const { item: made } = await start()
  await untilState(made.id, 'failed')
  expect((await item(made.id)).job?.error?.code).toBe('NO_KEY')
  await lectern.call('accounts.setKey', { id: account.id, key: service.key })
  await untilState(made.id, 'done')
})

test('creates a new version next to the old one when run again', async () => {
  const { streamId, item: made } = await start()
  await terminal(streamId)
  await lectern.call('transcriptions.again', { itemId: made.id, streamId: 'stream-version-2' })
  await terminal('stream-version-2')
  expect((await item(made.id)).transcripts).toHaveLength(2)
})

test('keeps audio of 31 seconds in the library with the reason and the limit', async () => {
  const intake = await lectern.intake('long.wav', sineWav({ seconds: 31, hz: 100 }))
  if (!intake.ok) throw new Error(intake.error.code)
  const { item: made } = await lectern.call('transcriptions.start', {
    mediaId: intake.data.media.id,
    streamId: 'stream-too-long',
  })
  await untilState(made.id, 'failed')
  const failed = await item(made.id)
  expect(failed.job?.error).toMatchObject({
    code: 'AUDIO_TOO_LONG',
    params: { limit: 30, value: 31 },
  })
  expect(failed.duration).toBe(31)
  expect(service.calls()).toBe(0)
})

test('rejects files other than audio by type, and creates no item', async () => {
  const intake = await lectern.intake('paper.pdf', Buffer.from('%PDF-1.7\n%âãÏÓ\n1 0 obj\n'))
  if (!intake.ok) throw new Error(intake.error.code)
  const reply = await lectern.raw('transcriptions.start', {
    mediaId: intake.data.media.id,
    streamId: 'stream-not-sound',
  })
  expect(reply).toMatchObject({ ok: false, error: { code: 'UNSUPPORTED_FORMAT' } })
  expect((await lectern.call('library.list', { limit: 10 })).total).toBe(0)
})

test('stops a running recording on deletion; Trash restores it, purging does not', async () => {
  const { streamId, item: made } = await start()
  await delta(streamId)
  await lectern.call('library.remove', { ids: [made.id] })
  expect((await lectern.call('library.list', { limit: 10 })).items).toEqual([])
  expect((await lectern.call('library.search', { query: 'fellow', limit: 10 })).hits).toEqual([])
  await lectern.call('library.restore', { ids: [made.id] })
  expect(await jobState(made.id)).toBe('cancelled')
  await lectern.call('library.purge', { ids: [made.id] })
  expect(await lectern.raw('library.get', { id: made.id })).toMatchObject({ ok: false })
})

test('stores a corrected final text that is shorter than the streamed text', async () => {
  const { port } = new URL(service.url)
  await service.stop()
  const corrected = whole.trim().replace(', ', ', ')
  service = await startScriptedService({
    words: [...words, '  ', '\n'],
    totalMs: 60,
    port: Number(port),
    finalText: corrected,
  })
  const { streamId, item: made } = await start()
  expect(await terminal(streamId)).toMatchObject({ event: { type: 'end', text: corrected } })
  expect((await item(made.id)).transcripts).toMatchObject([{ text: corrected, state: 'complete' }])
})

test('loses nothing and ends the job when another program locks the database briefly', async () => {
  const { streamId, item: made } = await start()
  await delta(streamId)
  const other = new Database(join(lectern.home, 'library.db'))
  other.exec('BEGIN IMMEDIATE')
  await new Promise((resolve) => setTimeout(resolve, 1500))
  other.exec('ROLLBACK')
  other.close()
  await untilState(made.id, 'done')
  expect((await item(made.id)).transcripts).toMatchObject([{ text: whole, state: 'complete' }])
  expect(await terminal(streamId)).toMatchObject({ event: { type: 'end', text: whole } })
})

test('does not send jobs in Trash when their account is fixed', async () => {
  const account = (await lectern.call('accounts.list', {})).find((a) => a.active)
  if (!account) throw new Error('no active account')
  await lectern.call('accounts.clearKey', { id: account.id })
  const { item: made } = await start()
  await untilState(made.id, 'failed')
  expect(await lectern.call('jobs.active', {})).toHaveLength(1)
  await lectern.call('library.remove', { ids: [made.id] })
  expect(await lectern.call('jobs.active', {})).toEqual([])
  await lectern.call('accounts.setKey', { id: account.id, key: service.key })
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(service.calls()).toBe(0)
})
