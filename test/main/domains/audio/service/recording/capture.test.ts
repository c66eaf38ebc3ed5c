import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { Capture } from '../../../../../../src/main/domains/audio/service/recording/capture.ts'
import {
  readHead,
  sessionFiles,
  sessionFolder,
} from '../../../../../../src/main/platform/audio/session-files.ts'
import { openSession } from '../../../../../../src/main/platform/audio/session-reader.ts'
import { randomFrom } from '../../../../../fixtures/random.ts'
import { firstWrong, signal, temporaryFolder } from '../../worker/fixture.ts'
import { smallDisk } from '../../../../platform/database/disk.ts'
import { blockRequest, put, recording, startCapture } from './fixture.ts'

const root = temporaryFolder()
const started: Capture[] = []
afterAll(async () => {
  await Promise.all(started.map((capture) => capture.shutdown()))
  root.remove()
})

function start(name: string, changes: Parameters<typeof startCapture>[1] = {}) {
  const home = join(root.path, name)
  const made = startCapture(home, changes)
  started.push(made.capture)
  return { home, ...made }
}

function audioOf(home: string, id: string): Int16Array {
  const reader = openSession(sessionFolder(home, id))
  const samples = reader.read(0, reader.frames())
  reader.close()
  return samples
}

const streamed = (body: ReadableStream<Uint8Array>): Request =>
  new Request('http://127.0.0.1/capture/m1', {
    method: 'PUT',
    headers: { 'x-lectern-frame': '0' },
    body,
    duplex: 'half',
  })

const codeIn = (reply: Awaited<ReturnType<typeof put>>): string =>
  reply.ok ? '' : reply.error.code

test('responds to blocks with the written length, which is also returned at the end and later', async () => {
  const { home, capture, problems } = start('plain')
  await capture.begin(recording('m1'))
  expect(capture.isLive('m1')).toBe(true)
  for (let frame = 0; frame < 20_000; frame += 800)
    expect(await put(capture, 'm1', frame, signal(frame, 800))).toEqual({
      ok: true,
      data: { frames: frame + 800, wanted: false, full: false },
    })
  await capture.event('m1', { type: 'paused', atMs: 2500 })
  expect(await capture.stop('m1')).toEqual({ writtenMs: 2500 })
  expect(await capture.stop('m1')).toEqual({ writtenMs: 2500 })
  expect(capture.isLive('m1')).toBe(false)
  expect(firstWrong(audioOf(home, 'm1'), 0)).toBeNull()
  expect(readHead(sessionFolder(home, 'm1'))).toMatchObject({
    state: 'closed',
    frames: 20_000,
    title: 'Meeting m1',
    owner: { pid: process.pid, run: 'run-1' },
  })
  expect(problems).toEqual([])
})

test('writes concurrent blocks in frame order or requests them again, never incorrectly', async () => {
  const { home, capture } = start('at-once')
  await capture.begin(recording('m1'))
  await capture.begin(recording('m2'))
  const frames = Array.from({ length: 30 }, (_, i) => i * 500)
  const random = randomFrom(7)
  const shuffled = frames.toSorted(() => random() - 0.5)
  await Promise.all(
    ['m1', 'm2'].flatMap((id) =>
      shuffled.map((frame) => put(capture, id, frame, signal(frame, 500))),
    ),
  )
  for (const frame of frames) await put(capture, 'm1', frame, signal(frame, 500))
  expect(await capture.stop('m1')).toEqual({ writtenMs: 1875 })
  await capture.stop('m2')
  expect(firstWrong(audioOf(home, 'm1'), 0)).toBeNull()
  expect(firstWrong(audioOf(home, 'm2'), 0)).toBeNull()
})

test('reports gaps and skipped blocks by the header', async () => {
  const { home, capture } = start('gaps')
  await capture.begin(recording('m1'))
  await put(capture, 'm1', 0, signal(0, 100))
  expect(await put(capture, 'm1', 200, signal(200, 100))).toEqual({
    ok: true,
    data: { frames: 100, wanted: true, full: false },
  })
  expect(await put(capture, 'm1', '200 fill', signal(200, 100))).toMatchObject({
    data: { frames: 300 },
  })
  expect(await put(capture, 'm1', '400 fill', new Uint8Array(0))).toMatchObject({
    data: { frames: 400 },
  })
  await capture.stop('m1')
  const samples = audioOf(home, 'm1')
  expect(samples.subarray(200, 400).every((sample) => sample === 0)).toBe(true)
  expect(firstWrong(samples.subarray(400, 600), 200)).toBeNull()
})

test('rejects invalid blocks, and the recording continues', async () => {
  const { capture } = start('odd')
  await capture.begin(recording('m1'))
  for (const header of [
    null,
    '',
    '-1',
    '1.5',
    'x',
    '1 fil',
    ' fill',
    '1e3',
    '9'.repeat(16),
    '0 fill fill',
  ])
    expect(codeIn(await put(capture, 'm1', header, signal(0, 10))), String(header)).toBe(
      'BAD_REQUEST',
    )
  for (const bytes of [1, 2, 3, 5, 41])
    expect(codeIn(await put(capture, 'm1', 0, new Uint8Array(bytes)))).toBe('BAD_REQUEST')
  expect(codeIn(await put(capture, 'm1', 0, new Uint8Array(4 * 1024 * 1024 + 4)))).toBe(
    'BAD_REQUEST',
  )
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new Uint8Array(1 << 20)),
  })
  expect(await (await capture.take(streamed(endless), 'm1')).json()).toMatchObject({
    error: { code: 'BAD_REQUEST' },
  })
  const broken = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(signal(0, 5)),
    pull: (controller) => controller.error(new Error('the page went away')),
  })
  expect(await (await capture.take(streamed(broken), 'm1')).json()).toMatchObject({
    error: { code: 'CANCELLED', retriable: true },
  })
  expect(codeIn(await put(capture, 'nobody', 0, signal(0, 10)))).toBe('NOT_FOUND')
  for (const id of ['..', '../m1', 'm1/../m1', '', '%2e%2e', 'a'.repeat(65), 'm1\0'])
    expect(
      await (await capture.take(blockRequest('m1', '0', signal(0, 10)), id)).json(),
      id,
    ).toMatchObject({
      error: { code: 'NOT_FOUND' },
    })
  expect(await put(capture, 'm1', 0, signal(0, 10))).toMatchObject({ data: { frames: 10 } })
  await capture.stop('m1')
  expect(codeIn(await put(capture, 'm1', 10, signal(10, 10)))).toBe('REFUSED')
  await expect(capture.event('m1', { type: 'paused', atMs: 0 })).rejects.toMatchObject({
    code: 'REFUSED',
  })
  await expect(capture.stop('nobody')).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('accepts whole frames at their position or returns an error, for any header and body (seeded)', async () => {
  const { home, capture } = start('fuzz')
  await capture.begin(recording('m1'))
  const random = randomFrom(20_26)
  const upTo = (max: number): number => Math.floor(random() * max)
  const marks = '0123456789 fil-+.e,x\t'
  let frames = 0
  for (let round = 0; round < 400; round++) {
    const near = Math.max(0, frames + upTo(400) - 250)
    const odd = Array.from({ length: upTo(8) }, () => marks[upTo(marks.length)]).join('')
    const header = random() < 0.7 ? `${near}${random() < 0.3 ? ' fill' : ''}` : odd
    const count = upTo(300)
    const whole = random() < 0.8
    const body = whole
      ? signal(near, count)
      : signal(near, count).subarray(0, Math.max(0, count * 4 - 1 - upTo(3)))
    const reply = await put(capture, 'm1', header, body)
    if (!reply.ok) {
      expect(reply.error.code).toBe('BAD_REQUEST')
      continue
    }
    expect(reply.data.frames).toBeGreaterThanOrEqual(frames)
    // A random header may request hours of silence: it is written, and the test starts over.
    frames = reply.data.frames
    if (frames > 1_000_000) {
      await capture.remove(['m1'])
      await capture.begin(recording('m1'))
      frames = 0
    }
  }
  await capture.stop('m1')
  const bytes = readFileSync(sessionFiles(sessionFolder(home, 'm1')).part(1))
  expect(bytes.readUInt32LE(40)).toBe(bytes.length - 44)
})

test('reports the length of the recording about once a second, with levels of all audio', async () => {
  const clock = { now: 0 }
  const { capture, progress } = start('progress', { clock: () => clock.now })
  await capture.begin(recording('m1'))
  for (let i = 0; i < 25; i++) {
    clock.now += 100
    const samples = new Int16Array(1600)
    // One click in the whole of the second second.
    if (i === 12) samples[0] = 16_384
    await put(capture, 'm1', i * 800, new Uint8Array(samples.buffer))
  }
  expect(progress.map(({ writtenMs }) => writtenMs)).toEqual([1000, 2000])
  expect(progress[0]?.levels).toEqual([
    { peak: 0, rms: 0, zero: true },
    { peak: 0, rms: 0, zero: true },
  ])
  expect(progress[1]?.levels).toMatchObject([
    { peak: 0.5, zero: false },
    { peak: 0, zero: true },
  ])
  expect(progress[1]?.freeBytes).toBeGreaterThan(0)
  await capture.stop('m1')
})

test('starts no recording without space for the reserve', async () => {
  const { capture } = start('no-room', { reserveBytes: Number.MAX_SAFE_INTEGER })
  await expect(capture.begin(recording('m1'))).rejects.toMatchObject({ code: 'DISK_FULL' })
  expect(capture.isLive('m1')).toBe(false)
  expect(await capture.recover()).toEqual([])
})

test('a really full disk (if this process may mount one) results in a valid file', async () => {
  const disk = smallDisk(1024 * 1024)
  // Without the permission to mount, the writer's own test with a simulated disk covers this.
  if (!disk) return
  try {
    const home = join(disk.path, 'home')
    const { capture, progress } = startCapture(home)
    await capture.begin(recording('m1'))
    let last = await put(capture, 'm1', 0, signal(0, 0))
    for (let frame = 0; last.ok && !last.data.full; frame += 8000)
      last = await put(capture, 'm1', frame, signal(frame, 8000))
    const frames = last.ok ? last.data.frames : -1
    expect(frames).toBeGreaterThan(200_000)
    expect(capture.isLive('m1')).toBe(false)
    expect(progress.at(-1)).toMatchObject({ full: true, writtenMs: Math.round(frames / 8) })
    expect(codeIn(await put(capture, 'm1', frames, signal(frames, 8000)))).toBe('REFUSED')
    const samples = audioOf(home, 'm1')
    expect(samples).toHaveLength(frames * 2)
    expect(firstWrong(samples, 0)).toBeNull()
    const bytes = readFileSync(sessionFiles(sessionFolder(home, 'm1')).part(1))
    expect(bytes.readUInt32LE(40)).toBe(frames * 4)
    await capture.shutdown()
  } finally {
    disk.remove()
  }
})

test('continues the recording after the audio on disk if its thread crashes', async () => {
  const { home, capture, problems } = start('thread', {
    workerUrl: () => new URL('./mortal-recorder.ts', import.meta.url),
  })
  await capture.begin(recording('m1'))
  for (let frame = 0; frame < 10_000; frame += 500)
    expect(await put(capture, 'm1', frame, signal(frame, 500))).toMatchObject({
      data: { frames: frame + 500 },
    })
  expect(await capture.stop('m1')).toEqual({ writtenMs: 1250 })
  expect(firstWrong(audioOf(home, 'm1'), 0)).toBeNull()
  expect(problems.length).toBeGreaterThan(1)
})

test('removing and erasing delete the audio, live or not', async () => {
  const { home, capture } = start('remove')
  for (const id of ['m1', 'm2', 'm3']) {
    await capture.begin(recording(id))
    await put(capture, id, 0, signal(0, 1000))
  }
  await capture.stop('m2')
  expect(await capture.bytes()).toBeGreaterThan(3 * 4000)
  await capture.remove(['m1', 'm2', 'never-was'])
  expect(readdirSync(join(home, 'meetings'))).toEqual(['m3'])
  await expect(capture.remove(['../..'])).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await capture.erase()
  expect(existsSync(join(home, 'meetings'))).toBe(false)
  expect(await capture.bytes()).toBe(0)
  await capture.begin(recording('m4'))
  await capture.stop('m4')
})
