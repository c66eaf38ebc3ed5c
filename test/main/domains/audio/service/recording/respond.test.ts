import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Capture } from '../../../../../../src/main/domains/audio/service/recording/capture.ts'
import { createPart } from '../../../../../../src/main/platform/audio/part-file.ts'
import { systemDisk } from '../../../../../../src/main/platform/audio/disk.ts'
import {
  sessionFiles,
  sessionFolder,
} from '../../../../../../src/main/platform/audio/session-files.ts'
import { openWriter } from '../../../../../../src/main/domains/audio/worker/session-writer.ts'
import {
  maxRiffBytes,
  readWaveHeader,
  waveHeader,
} from '../../../../../../src/shared/audio/wave-header.ts'
import { randomFrom } from '../../../../../fixtures/random.ts'
import { headOf, signal, temporaryFolder } from '../../worker/fixture.ts'
import { ask, bytesOf, put, recording, startCapture } from './fixture.ts'

const root = temporaryFolder()
let capture: Capture
const frames = 7 * 8000 + 123
/** The virtual file, assembled manually. */
const whole = Buffer.concat([
  waveHeader({ channels: 2, sampleRate: 8000 }, frames * 4),
  signal(0, frames),
])

beforeAll(() => {
  ;({ capture } = startCapture(root.path))
  const folder = sessionFolder(root.path, 'parts')
  const options = { now: Date.now, reserveBytes: 0, partSeconds: 1 }
  const writer = openWriter(folder, headOf({ id: 'parts', title: 'Übersicht/1' }), options)
  writer.write(0, signal(0, frames), false)
  writer.close()
})
afterAll(async () => {
  await capture.shutdown()
  root.remove()
})

test('serves all parts as one wav file', async () => {
  const response = await ask(capture, 'meeting-parts')
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('audio/wav')
  expect(response.headers.get('accept-ranges')).toBe('bytes')
  expect(response.headers.get('content-length')).toBe(String(whole.length))
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  expect((await bytesOf(response)).equals(whole)).toBe(true)
  const head = await ask(capture, 'meeting-parts', {}, 'HEAD')
  expect([head.status, head.headers.get('content-length')]).toEqual([200, String(whole.length)])
  expect(await bytesOf(head)).toHaveLength(0)
})

test('serves every range of the whole file, across header and part boundaries (seeded)', async () => {
  const random = randomFrom(12)
  const upTo = (max: number): number => Math.floor(random() * max)
  // Around the end of the header and of each part, and at random positions.
  const borders = [44, ...Array.from({ length: 7 }, (_, i) => 44 + (i + 1) * 32_000), whole.length]
  const places = [
    ...borders.flatMap((border) => [-1, 0, 1].map((by) => border + by)),
    ...Array.from({ length: 40 }, () => upTo(whole.length)),
  ].filter((place) => place < whole.length)
  for (const start of places) {
    const end = Math.min(whole.length - 1, start + upTo(random() < 0.5 ? 5 : 100_000))
    const response = await ask(capture, 'meeting-parts', { range: `bytes=${start}-${end}` })
    expect(response.status).toBe(206)
    expect(response.headers.get('content-range')).toBe(`bytes ${start}-${end}/${whole.length}`)
    expect(
      (await bytesOf(response)).equals(whole.subarray(start, end + 1)),
      `${start}-${end}`,
    ).toBe(true)
  }
  const tail = await ask(capture, 'meeting-parts', { range: 'bytes=-7' })
  expect((await bytesOf(tail)).equals(whole.subarray(-7))).toBe(true)
  const outOfRange = await ask(capture, 'meeting-parts', { range: `bytes=${whole.length}-` })
  expect([outOfRange.status, outOfRange.headers.get('content-range')]).toEqual([
    416,
    `bytes */${whole.length}`,
  ])
  const several = await ask(capture, 'meeting-parts', { range: 'bytes=0-1,5-6' })
  expect(several.status).toBe(200)
  await several.body?.cancel()
  const other = await ask(capture, 'meeting-parts', { range: 'bytes=0-1', 'if-range': '"another"' })
  expect(other.status).toBe(200)
  await other.body?.cancel()
})

test('has its current length while recording; with a given frame it stays the same', async () => {
  await capture.begin(recording('live'))
  await put(capture, 'live', 0, signal(0, 3000))
  const first = await ask(capture, 'meeting-live')
  expect(await bytesOf(first)).toHaveLength(44 + 12_000)
  await put(capture, 'live', 3000, signal(3000, 2000))
  const second = await bytesOf(await ask(capture, 'meeting-live'))
  expect(readWaveHeader(second)?.dataBytes).toBe(20_000)
  expect(second.subarray(44).equals(signal(0, 5000))).toBe(true)
  const fixed = await ask(capture, 'meeting-live?frames=3000')
  expect(fixed.headers.get('etag')).toBe(first.headers.get('etag'))
  expect(readWaveHeader(await bytesOf(fixed))?.dataBytes).toBe(12_000)
  const more = await ask(capture, 'meeting-live?frames=999999')
  expect(more.headers.get('content-length')).toBe('20044')
  await more.body?.cancel()
  const peaks = await ask(capture, 'peaks-live')
  expect(peaks.headers.get('content-type')).toBe('application/octet-stream')
  expect((await bytesOf(peaks)).readInt32LE(0)).toBe(2)
  await capture.stop('live')
  const done = await bytesOf(await ask(capture, 'peaks-live'))
  expect(done).toHaveLength(24 + Math.ceil(5000 / 400) * 4)
  expect(done.readInt32LE(16)).toBe(13)
  const part = await ask(capture, 'peaks-live', { range: 'bytes=24-31' })
  expect((await bytesOf(part)).equals(done.subarray(24, 32))).toBe(true)
})

test('uses an RF64 header above 4 GiB, and ranges reach the end', async () => {
  const folder = sessionFolder(root.path, 'long')
  const layout = { channels: 2, sampleRate: 48_000 }
  const partFrames = 150_000_000
  openWriter(folder, headOf({ id: 'long', sampleRate: 48_000 }), {
    now: Date.now,
    reserveBytes: 0,
  }).close()
  for (let number = 1; number <= 8; number++) {
    const part = createPart(folder, number, layout, systemDisk)
    // Sparse files: they use no disk space.
    part.extend(partFrames)
    if (number === 8) part.append(signal(0, 4))
    part.close()
  }
  const dataBytes = (8 * partFrames + 4) * 4
  const start = await ask(capture, 'meeting-long', { range: 'bytes=0-79' })
  expect(start.headers.get('content-range')).toBe(`bytes 0-79/${dataBytes + 80}`)
  const header = await bytesOf(start)
  expect(header.toString('latin1', 0, 4)).toBe('RF64')
  expect(header.readUInt32LE(4)).toBe(0xff_ff_ff_ff)
  expect(header.toString('latin1', 8, 16)).toBe('WAVEds64')
  expect(header.readBigUInt64LE(20)).toBe(BigInt(dataBytes + 72))
  expect(header.readBigUInt64LE(28)).toBe(BigInt(dataBytes))
  expect(header.readBigUInt64LE(36)).toBe(BigInt(dataBytes / 4))
  expect(header.toString('latin1', 72, 76)).toBe('data')
  const end = await bytesOf(await ask(capture, 'meeting-long', { range: 'bytes=-20' }))
  expect(end.equals(Buffer.concat([Buffer.alloc(4), signal(0, 4)]))).toBe(true)
  expect(waveHeader(layout, maxRiffBytes - 3)).toHaveLength(44)
  rmSync(folder, { recursive: true })
})

test('serves as much as possible of a session with missing or damaged files', async () => {
  await capture.begin(recording('hurt'))
  await put(capture, 'hurt', 0, signal(0, 1000))
  await capture.stop('hurt')
  const files = sessionFiles(sessionFolder(root.path, 'hurt'))
  truncateSync(files.part(1), readFileSync(files.part(1)).length - 2)
  writeFileSync(files.head, 'not json')
  const bytes = await bytesOf(await ask(capture, 'meeting-hurt'))
  expect(bytes.subarray(44).equals(signal(0, 999))).toBe(true)
  rmSync(files.peaks)
  expect((await ask(capture, 'peaks-hurt')).status).toBe(404)
  rmSync(files.part(1))
  expect((await ask(capture, 'meeting-hurt')).status).toBe(404)
})

test('no name escapes the folder, and no other method is handled', async () => {
  writeFileSync(join(root.path, 'peaks.dat'), 'secret')
  for (const name of [
    'meeting-',
    'meeting-..',
    'peaks-..',
    'peaks-%2e%2e',
    'peaks-../x',
    'sound-m1',
    'meeting-a.b',
    'meeting-nobody',
    'peaks-nobody',
    `meeting-${'a'.repeat(65)}`,
  ]) {
    const request = new Request('http://127.0.0.1/media/x')
    expect((await capture.respond(request, name)).status, name).toBe(404)
  }
  expect((await ask(capture, 'meeting-parts', {}, 'DELETE')).status).toBe(405)
})
