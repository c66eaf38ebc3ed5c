import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { readJournal } from '../../../../../src/main/platform/audio/journal.ts'
import { describeSession } from '../../../../../src/main/domains/audio/worker/repair.ts'
import { readHead, sessionFiles } from '../../../../../src/main/platform/audio/session-files.ts'
import { openSession } from '../../../../../src/main/platform/audio/session-reader.ts'
import {
  openWriter,
  type WriterOptions,
} from '../../../../../src/main/domains/audio/worker/session-writer.ts'
import { readWaveHeader } from '../../../../../src/shared/audio/wave-header.ts'
import { firstWrong, headOf, sampleAt, signal, smallDisk, temporaryFolder } from './fixture.ts'

const root = temporaryFolder()
afterAll(root.remove)

/** Creates a writer whose clock advances only on request. */
function start(name: string, options: Partial<WriterOptions> = {}, changes = {}) {
  const folder = join(root.path, name)
  const clock = { now: 1_700_000_000_000 }
  const head = headOf({ id: name, ...changes })
  const open = () => openWriter(folder, head, { now: () => clock.now, reserveBytes: 0, ...options })
  return { folder, clock, open, files: sessionFiles(folder), writer: open() }
}

const headerOf = (path: string) => readWaveHeader(readFileSync(path))
const all = (folder: string): Int16Array => {
  const reader = openSession(folder)
  const samples = reader.read(0, reader.frames())
  reader.close()
  return samples
}

test('writes header and journal to disk before the first sample', () => {
  const { files, writer } = start('first')
  expect(readHead(files.folder)).toMatchObject({ state: 'open', title: 'Weekly', frames: null })
  expect(existsSync(files.journal)).toBe(true)
  expect(readdirSync(files.folder).filter((name) => name.endsWith('.wav'))).toEqual([])
  expect(writer.close()).toMatchObject({ frames: 0, full: false })
  expect(readHead(files.folder)).toMatchObject({ state: 'closed', frames: 0 })
})

test('starts a new part at the maximum length, even within a block, and preserves every bit', () => {
  const { files, folder, writer } = start('parts', { partSeconds: 2 })
  for (let frame = 0; frame < 40_000; frame += 1600)
    expect(writer.write(frame, signal(frame, 1600), false).frames).toBe(frame + 1600)
  writer.close()
  expect([1, 2, 3].map((n) => headerOf(files.part(n)))).toEqual(
    [64_000, 64_000, 32_000].map((dataBytes) => ({
      channels: 2,
      sampleRate: 8000,
      riffBytes: dataBytes + 36,
      dataBytes,
    })),
  )
  expect(firstWrong(all(folder), 0)).toBeNull()
  expect(
    readJournal(folder).entries.flatMap((e) => (e.t === 'part' ? [[e.number, e.frame]] : [])),
  ).toEqual([
    [1, 0],
    [2, 16_000],
    [3, 32_000],
  ])
})

test('updates headers and journal checksum once per second of audio or time', () => {
  const { files, folder, clock, writer } = start('marks')
  writer.write(0, signal(0, 7999), false)
  expect(headerOf(files.part(1))?.dataBytes).toBe(0)
  writer.write(7999, signal(7999, 1), false)
  expect(headerOf(files.part(1))?.dataBytes).toBe(32_000)
  clock.now += 999
  writer.write(8000, signal(8000, 100), false)
  expect(headerOf(files.part(1))?.dataBytes).toBe(32_000)
  clock.now += 1
  writer.write(8100, signal(8100, 100), false)
  expect(headerOf(files.part(1))?.dataBytes).toBe(32_800)
  const marks = readJournal(folder).entries.flatMap((e) => (e.t === 'mark' ? [e] : []))
  expect(marks).toMatchObject([
    { frame: 8000, crc: crc32(signal(0, 8000)) },
    { frame: 8200, crc: crc32(signal(8000, 200)) },
  ])
  writer.close()
})

test('accepts repeated, overlapping and early blocks without duplicates or losses', () => {
  const { folder, writer } = start('again')
  writer.write(0, signal(0, 1000), false)
  expect(writer.write(0, signal(0, 1000), false)).toMatchObject({ frames: 1000, wanted: false })
  expect(writer.write(200, signal(200, 300), false)).toMatchObject({ frames: 1000, wanted: false })
  expect(writer.write(900, signal(900, 300), false)).toMatchObject({ frames: 1200, wanted: false })
  expect(writer.write(1201, signal(1201, 10), false)).toMatchObject({ frames: 1200, wanted: true })
  expect(writer.write(1200, signal(1200, 10), false)).toMatchObject({ frames: 1210, wanted: false })
  expect(() => writer.write(1210, new Uint8Array(6), false)).toThrow('complete frames')
  writer.close()
  expect(all(folder)).toHaveLength(1210 * 2)
  expect(firstWrong(all(folder), 0)).toBeNull()
})

test('writes exact silence for a reported gap across parts, and records the gap', () => {
  const { folder, writer } = start('gap', { partSeconds: 1 })
  writer.write(0, signal(0, 4000), false)
  expect(writer.write(20_000, signal(20_000, 800), true)).toMatchObject({ frames: 20_800 })
  // Silence of more than a day is a mistake.
  expect(writer.write(20_800 + 8000 * 86_401, signal(0, 8), true).wanted).toBe(true)
  writer.close()
  const samples = all(folder)
  expect(samples.subarray(8000, 40_000).every((sample) => sample === 0)).toBe(true)
  expect(firstWrong(samples.subarray(40_000), 20_000)).toBeNull()
  expect(describeSession(folder)?.gaps).toEqual([
    { startMs: 500, endMs: 2500, channel: null, reason: 'lost' },
  ])
})

test('writes events to the journal, and prefers a gap with a reason to the detected one', () => {
  const { folder, writer } = start('events')
  writer.write(0, signal(0, 8000), false)
  writer.event({ type: 'paused', atMs: 1000 })
  writer.event({ type: 'device', atMs: 1000, channel: 0, label: 'Headset 耳机' })
  writer.write(16_000, signal(16_000, 8000), true)
  writer.event({ type: 'gap', atMs: 1000, endMs: 2000, channel: null, reason: 'device' })
  writer.close()
  const description = describeSession(folder)
  expect(description?.events.map(({ type }) => type)).toEqual(['paused', 'device', 'gap', 'gap'])
  expect(description?.gaps).toEqual([
    { startMs: 1000, endMs: 2000, channel: null, reason: 'device' },
  ])
  expect(description?.durationMs).toBe(3000)
})

test('stores minimum and maximum per 50 ms in peaks, including silence and the last block', () => {
  const { folder, files, writer } = start('peaks')
  writer.write(0, signal(0, 1000), false)
  writer.write(2000, signal(2000, 8130), true)
  writer.close()
  const bytes = readFileSync(files.peaks)
  expect([0, 4, 8, 12, 16, 20].map((at) => bytes.readInt32LE(at))).toEqual([2, 1, 8000, 400, 26, 2])
  const samples = all(folder)
  for (let pair = 0; pair < 26; pair++)
    for (const channel of [0, 1]) {
      const mine = samples
        .subarray(pair * 800, pair * 800 + 800)
        .filter((_, i) => i % 2 === channel)
      const at = 24 + (pair * 2 + channel) * 2
      expect([bytes.readInt8(at), bytes.readInt8(at + 1)]).toEqual([
        Math.min(...mine) >> 8,
        Math.max(...mine) >> 8,
      ])
    }
})

test('returns the levels of the newest block for each channel', () => {
  const { writer } = start('levels')
  const samples = new Int16Array([16_384, 0, -32_768, 0])
  const { levels } = writer.write(0, new Uint8Array(samples.buffer), false)
  expect(levels[0]?.peak).toBe(1)
  expect(levels[0]?.rms).toBeCloseTo(Math.sqrt((0.25 + 1) / 2))
  expect(levels[0]?.zero).toBe(false)
  expect(levels[1]).toEqual({ peak: 0, rms: 0, zero: true })
  writer.close()
})

test('resumes a session with a new part, whatever the state of the last one', () => {
  const { folder, files, writer, open } = start('resume', { partSeconds: 5 })
  writer.write(0, signal(0, 12_345), false)
  // Not closed: the thread has ended.
  const second = open()
  expect(second.write(12_000, signal(12_000, 1000), false).frames).toBe(13_000)
  second.close()
  const third = open()
  third.write(13_000, signal(13_000, 1000), false)
  third.close()
  expect([1, 2, 3].map((n) => headerOf(files.part(n))?.dataBytes)).toEqual(
    [12_345, 655, 1000].map((n) => n * 4),
  )
  expect(firstWrong(all(folder), 0)).toBeNull()
  const bytes = readFileSync(files.peaks)
  expect(bytes.readInt32LE(16)).toBe(35)
  expect(bytes.readInt8(24)).toBe(
    Math.min(...Array.from({ length: 400 }, (_, i) => sampleAt(i, 0))) >> 8,
  )
  expect(bytes).toHaveLength(24 + 35 * 4)
  // Files of the ended thread that are still open only in this test.
  writer.close()
})

test('closes the session cleanly when disk space reaches the reserve, and reports that', () => {
  const room = { bytes: 400_000 }
  const { folder, clock, writer } = start('reserve', {
    reserveBytes: 300_000,
    disk: smallDisk(room),
  })
  let frame = 0
  let full = false
  while (!full && frame < 200_000) {
    clock.now += 500
    const answer = writer.write(frame, signal(frame, 800), false)
    full = answer.full
    frame = answer.frames
  }
  expect(full).toBe(true)
  // Ten seconds pass between two checks: only data written in that time used the reserve.
  expect(room.bytes).toBeGreaterThan(300_000 - 20 * 800 * 4 - 24_000)
  expect(writer.write(frame, signal(frame, 800), false)).toMatchObject({
    full: true,
    frames: frame,
  })
  expect(readHead(folder)).toMatchObject({ state: 'closed', frames: frame })
  expect(firstWrong(all(folder), 0)).toBeNull()
  expect(() =>
    start('no-room', { reserveBytes: 300_000, disk: smallDisk({ bytes: 200_000 }) }),
  ).toThrow('No space')
})

test('leaves a valid file with all written data when the disk is full at any byte', () => {
  for (let bytes = 200; bytes < 60_000; bytes += 2777) {
    const { folder, files, writer } = start(`full-${bytes}`, { disk: smallDisk({ bytes }) })
    let answer = writer.write(0, new Uint8Array(0), false)
    for (let frame = 0; !answer.full; frame += 800)
      answer = writer.write(frame, signal(frame, 800), false)
    const samples = all(folder)
    expect(samples).toHaveLength(answer.frames * 2)
    expect(firstWrong(samples, 0)).toBeNull()
    if (!existsSync(files.part(1)) || statSync(files.part(1)).size < 44) continue
    expect(headerOf(files.part(1))?.dataBytes, `room for ${bytes}`).toBe(answer.frames * 4)
    expect(readFileSync(files.journal, 'utf8')).toMatch(/^$|\}\n$/)
  }
})

test('writes two parallel sessions independently', () => {
  const one = start('one', { partSeconds: 1 })
  const two = start('two', { partSeconds: 1 }, { roles: ['mic'], sampleRate: 16_000 })
  for (let frame = 0; frame < 20_000; frame += 1000) {
    one.writer.write(frame, signal(frame, 1000), false)
    two.writer.write(frame, signal(frame, 1000, 1), false)
  }
  one.writer.close()
  two.writer.close()
  expect(firstWrong(all(one.folder), 0)).toBeNull()
  expect(firstWrong(all(two.folder), 0, 1)).toBeNull()
  expect(() => openWriter(two.folder, headOf(), { now: Date.now, reserveBytes: 0 })).toThrow(
    'number of channels',
  )
})
