import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { createEncoder } from 'wasm-media-encoders'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { localAccountId } from '../../../src/shared/provider/profiles.ts'
import { testApp, type TestApp } from '../../fixtures/app.ts'
import { speakTexts } from '../../fixtures/spoken.ts'
import { hangMs, transcribedMeeting, importFile, interleaved, waveOf } from './meeting-setup.ts'
import { record } from './meeting-recorder.ts'

let app: TestApp

beforeEach(async () => {
  app = await testApp()
})

afterEach(() => app.remove())

const rate = 48_000
const pause = new Int16Array(rate)

/** Concatenates audio. */
function inRow(parts: readonly Int16Array[]): Int16Array<ArrayBuffer> {
  const whole = new Int16Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** Creates two channels that speak one after the other. */
async function talk(mic: string, others: string): Promise<Int16Array<ArrayBuffer>> {
  const [first, second] = await speakTexts([mic, others], rate)
  if (!first || !second) throw new Error('nothing was said')
  const silent = (audio: Int16Array): Int16Array => new Int16Array(audio.length)
  return interleaved([
    inRow([first, pause, silent(second), pause]),
    inRow([silent(first), pause, second, pause]),
  ])
}

/** Encodes samples of one channel as MP3. */
async function mp3Of(samples: Int16Array): Promise<Uint8Array> {
  const path = createRequire(import.meta.url).resolve('wasm-media-encoders/wasm/mp3')
  const encoder = await createEncoder('audio/mpeg', await readFile(path))
  encoder.configure({ sampleRate: rate, channels: 1, bitrate: 64 })
  const floats = Float32Array.from(samples, (sample) => sample / 32_768)
  // The result is in the encoder's memory.
  return Buffer.concat([encoder.encode([floats]).slice(), encoder.finalize().slice()])
}

test(
  'turns a recording into lines of two speakers, accounts for every frame, plays as one file',
  async () => {
    const both = await talk(
      'And so my fellow Americans, ask not what your country can do for you.',
      'The customers in the south want the report on paper.',
    )
    const begun = await app.call('meetings.begin', {
      title: 'Weekly',
      roles: ['mic', 'others'],
      sampleRate: rate,
      labels: ['Microphone', 'System'],
      accountId: localAccountId,
    })
    const { id } = begun.meeting
    expect(begun.meeting.state).toBe('recording')
    const frames = await record(app, id, both)
    expect(frames).toBe(both.length / 2)
    const recordedMs = Math.round(frames / 48)
    await app.call('meetings.bookmark', { id, atMs: 1000, label: 'start' })
    await app.call('meetings.stop', { id, recordedMs })
    const meeting = await transcribedMeeting(app, id)
    expect(meeting.completeness).toMatchObject({
      recordedMs,
      writtenMs: recordedMs,
      analysedMs: recordedMs,
      failed: 0,
    })
    const { lines, segments } = await app.call('meetings.lines', { id })
    expect(new Set(segments.map(({ channel }) => channel))).toEqual(new Set([0, 1]))
    const transcriptOf = (channel: number): string =>
      lines
        .filter((line) => line.channel === channel)
        .map(({ text }) => text)
        .join(' ')
        .toLowerCase()
    expect(transcriptOf(0)).toContain('country')
    expect(transcriptOf(1)).toContain('on paper')

    const url = `http://127.0.0.1/media/meeting-${id}`
    const whole = await app.app.fetch(new Request(url), app.page)
    const wave = new Uint8Array(await whole.arrayBuffer())
    expect(wave.length).toBe(44 + both.byteLength)
    expect(Buffer.from(wave.subarray(44)).equals(Buffer.from(both.buffer))).toBe(true)
    const ranged = new Request(url, { headers: { range: 'bytes=44-143' } })
    expect((await app.app.fetch(ranged, app.page)).status).toBe(206)
    const found = await app.call('library.search', { query: 'country' })
    expect(found.hits).toMatchObject([{ itemId: id, kind: 'meeting' }])
    const { media } = await app.call('meetings.export', {
      id,
      format: 'srt',
      options: {},
      language: 'en',
    })
    const file = await app.app.fetch(new Request(`http://127.0.0.1/media/${media.id}`), app.page)
    expect(await file.text()).toContain('-->')
  },
  hangMs,
)

test(
  'never assigns a meeting to an unknown account',
  async () => {
    const roles: ('mic' | 'others')[] = ['mic']
    const recording = { title: '', roles, sampleRate: rate, labels: ['Microphone'] }
    const { meeting } = await app.call('meetings.begin', {
      ...recording,
      accountId: localAccountId,
    })
    const { id } = meeting
    await app.call('meetings.stop', { id, recordedMs: 0 })
    const taken = await app.intake('talk.wav', waveOf([pause], rate))
    if (!taken.ok) throw new Error(taken.error.message)
    const accountId = 'an account that was removed'
    const requests = [
      app.raw('meetings.begin', { ...recording, accountId }),
      app.raw('meetings.import', { mediaId: taken.data.media.id, accountId }),
      app.raw('meetings.update', { id, accountId }),
      app.raw('meetings.fill', { id, accountId }),
      app.raw('meetings.again', { id, which: { type: 'all' }, accountId }),
    ]
    for (const reply of await Promise.all(requests))
      expect(reply).toMatchObject({ ok: false, error: { code: 'NOT_FOUND' } })
    expect((await app.call('meetings.get', { id })).meeting.accountId).toBe(localAccountId)
    expect((await app.call('library.list', { limit: 10 })).items).toHaveLength(1)
  },
  hangMs,
)

test(
  'imports a long MP3 as a meeting, and its JSON as a second one with the same lines',
  async () => {
    const [point] = await speakTexts(['The customers in the south want the report on paper.'], rate)
    if (!point) throw new Error('nothing was said')
    const mp3 = await mp3Of(inRow(Array.from({ length: 8 }, () => [point, pause]).flat()))
    const id = await importFile(app, 'talk.mp3', mp3, localAccountId)
    const meeting = await transcribedMeeting(app, id)
    const mediaId = meeting.originalMediaId ?? ''
    expect(meeting).toMatchObject({ title: 'talk', channels: ['mono'] })
    expect(meeting.completeness.analysedMs).toBe(meeting.completeness.writtenMs)
    const { lines } = await app.call('meetings.lines', { id })
    const text = lines.map((line) => line.text).join(' ')
    expect(text.match(/report on paper/gi)?.length).toBeGreaterThanOrEqual(7)
    expect(await app.call('library.import', { mediaId })).toMatchObject({
      kind: 'meeting',
      itemId: id,
      known: true,
    })

    const { media } = await app.call('meetings.export', {
      id,
      format: 'json',
      options: {},
      language: 'en',
    })
    const exported = await app.app.fetch(
      new Request(`http://127.0.0.1/media/${media.id}`),
      app.page,
    )
    const json = new Uint8Array(await exported.arrayBuffer())
    const taken = await app.intake('talk.json', json)
    if (!taken.ok) throw new Error(taken.error.message)
    const imported = await app.call('library.import', { mediaId: taken.data.media.id })
    expect(imported).toMatchObject({ kind: 'meeting', known: false })
    const second = await transcribedMeeting(app, imported.itemId)
    const restored = await app.call('meetings.lines', { id: second.id })
    const shape = (all: typeof lines): readonly unknown[] =>
      all.map(({ text: spoken, startMs, endMs }) => ({ spoken, startMs, endMs }))
    expect(shape(restored.lines)).toEqual(shape(lines))
    expect(second.hasAudio).toBe(true)
  },
  hangMs,
)
