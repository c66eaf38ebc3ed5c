import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Reply } from '../../../src/shared/bridge/reply.ts'
import type { CaptureReply } from '../../../src/shared/bridge/transport.ts'
import { localAccountId } from '../../../src/shared/service/profiles.ts'
import type { Meeting } from '../../../src/shared/model/meeting.ts'
import { testApp, type TestApp } from '../../fixtures/app.ts'

let folder: string
let app: TestApp

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lectern-meeting-'))
  app = await testApp({ home: join(folder, 'home') })
})

afterEach(async () => {
  await app.remove()
  await rm(folder, { recursive: true, force: true })
})

/** Speech as 16-bit samples of one channel at 48 kHz. */
function speak(words: string): Int16Array {
  const wave = join(folder, 'speech.wav')
  const out = join(folder, 'speech.raw')
  execFileSync('espeak-ng', ['-v', 'en-us+f3', '-s', '150', '-w', wave, words])
  execFileSync('sox', [wave, '-r', '48000', '-c', '1', '-b', '16', '-e', 'signed', '-t', 'raw', out])
  const bytes = execFileSync('cat', [out])
  return new Int16Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length))
}

/** Two channels that speak in turns, interleaved. */
function talk(mic: readonly string[], others: readonly string[]): Int16Array {
  const turns = mic.flatMap((words, index) => [
    [0, speak(words)] as const,
    ...(others[index] ? [[1, speak(others[index])] as const] : []),
  ])
  const pause = 48_000
  const frames = turns.reduce((sum, [, samples]) => sum + samples.length + pause, 0)
  const both = new Int16Array(frames * 2)
  let at = 0
  for (const [channel, samples] of turns) {
    for (const [index, sample] of samples.entries()) both[(at + index) * 2 + channel] = sample
    at += samples.length + pause
  }
  return both
}

async function put(id: string, frame: number, samples: Int16Array): Promise<Reply<CaptureReply>> {
  const request = new Request(`http://127.0.0.1/capture/${id}`, {
    method: 'PUT',
    headers: { 'x-lectern-frame': String(frame) },
    body: new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength).slice(),
  })
  return (await (await app.app.fetch(request, app.page)).json()) as Reply<CaptureReply>
}

/** Sends sound in blocks of 100 ms; gives the frames main says it wrote. */
async function record(id: string, both: Int16Array): Promise<number> {
  let frames = 0
  const block = 4800 * 2
  for (let at = 0; at < both.length; at += block) {
    const reply = await put(id, at / 2, both.subarray(at, at + block))
    if (!reply.ok) throw new Error(reply.error.message)
    frames = reply.data.frames
  }
  return frames
}

/** Resolves when everything of a meeting that is over has an answer. */
async function heard(id: string): Promise<Meeting> {
  for (let turn = 0; turn < 300; turn++) {
    const { meeting } = await app.call('meetings.get', { id })
    const { analysedMs, writtenMs, waiting, segments } = meeting.completeness
    if (meeting.state === 'import-failed') throw new Error(meeting.error?.message)
    if (meeting.state === 'stopped' && analysedMs >= writtenMs && waiting === 0 && segments > 0)
      return meeting
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  const { meeting } = await app.call('meetings.get', { id })
  const rest = await app.call('meetings.lines', { id })
  console.log(JSON.stringify({ meeting, rest }, null, 1).slice(0, 6000), app.logLines.join('\n').slice(-3000))
  throw new Error('the meeting was not heard')
}

test('a recording becomes lines of two speakers, every frame accounted for, and plays as one file', async () => {
  const both = talk(
    ['And so my fellow Americans, ask not what your country can do for you.'],
    ['The import pipeline is finished, but the search index needs one more week.'],
  )
  const begun = await app.call('meetings.begin', {
    title: 'Weekly',
    roles: ['mic', 'others'],
    sampleRate: 48_000,
    labels: ['Microphone', 'System'],
    accountId: localAccountId,
  })
  const { id } = begun.meeting
  expect(begun.meeting.state).toBe('recording')
  const frames = await record(id, both)
  expect(frames).toBe(both.length / 2)
  const recordedMs = Math.round(frames / 48)
  await app.call('meetings.bookmark', { id, atMs: 1000, label: 'start' })
  await app.call('meetings.stop', { id, recordedMs })
  const meeting = await heard(id)
  expect(meeting.completeness.recordedMs).toBe(recordedMs)
  expect(Math.abs(meeting.completeness.writtenMs - recordedMs)).toBeLessThanOrEqual(1)
  expect(meeting.completeness.failed).toBe(0)
  const { lines, segments } = await app.call('meetings.lines', { id })
  expect(new Set(segments.map(({ channel }) => channel))).toEqual(new Set([0, 1]))
  const said = (channel: number): string =>
    lines
      .filter((line) => line.channel === channel)
      .map(({ text }) => text)
      .join(' ')
      .toLowerCase()
  expect(said(0)).toContain('country')
  expect(said(1)).toContain('search index')

  const url = `http://127.0.0.1/media/meeting-${id}`
  const whole = await app.app.fetch(new Request(url), app.page)
  const wave = new Uint8Array(await whole.arrayBuffer())
  expect(wave.length).toBe(44 + both.byteLength)
  expect(Buffer.from(wave.subarray(44)).equals(Buffer.from(both.buffer))).toBe(true)
  const part = await app.app.fetch(new Request(url, { headers: { range: 'bytes=44-143' } }), app.page)
  expect(part.status).toBe(206)
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
})

test('a long mp3 becomes a meeting, and its json a second one with the same lines', async () => {
  const words = Array.from({ length: 8 }, (_, n) => `This is point number ${n + 1} of the agenda, and it is about the budget.`)
  const both = talk(words, [])
  const raw = join(folder, 'talk.raw')
  const mp3 = join(folder, 'talk.mp3')
  await import('node:fs/promises').then(({ writeFile }) => writeFile(raw, new Uint8Array(both.buffer)))
  execFileSync('ffmpeg', ['-v', 'error', '-f', 's16le', '-ar', '48000', '-ac', '2', '-i', raw, '-map_channel', '0.0.0', '-b:a', '64k', mp3])
  const taken = await app.intake('talk.mp3', await readFile(mp3))
  if (!taken.ok) throw new Error(taken.error.message)
  const mediaId = taken.data.media.id
  expect(await app.call('library.kindOf', { mediaId })).toEqual({ kind: 'meeting' })
  const { meeting: begun } = await app.call('meetings.import', { mediaId, accountId: localAccountId })
  const meeting = await heard(begun.id)
  expect(meeting.title).toBe('talk')
  expect(meeting.channels).toEqual(['mono'])
  const { lines } = await app.call('meetings.lines', { id: begun.id })
  expect(lines.map(({ text }) => text).join(' ').match(/budget/gi)?.length).toBeGreaterThanOrEqual(7)
  expect((await app.call('meetings.import', { mediaId })).known).toBe(true)

  const { media } = await app.call('meetings.export', { id: begun.id, format: 'json', options: {}, language: 'en' })
  const bytes = await (await app.app.fetch(new Request(`http://127.0.0.1/media/${media.id}`), app.page)).arrayBuffer()
  const again = await app.intake('talk.json', new Uint8Array(bytes))
  if (!again.ok) throw new Error(again.error.message)
  expect(await app.call('library.kindOf', { mediaId: again.data.media.id })).toEqual({ kind: 'meeting' })
  const copy = await app.call('meetings.import', { mediaId: again.data.media.id })
  const second = await heard(copy.meeting.id)
  const restored = await app.call('meetings.lines', { id: second.id })
  expect(restored.lines.map(({ text, startMs, endMs }) => ({ text, startMs, endMs }))).toEqual(
    lines.map(({ text, startMs, endMs }) => ({ text, startMs, endMs })),
  )
  expect(second.hasSound).toBe(true)
})
