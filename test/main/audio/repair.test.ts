import {
  appendFileSync,
  copyFileSync,
  cpSync,
  existsSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readJournal } from '../../../src/main/audio/journal.ts'
import { describeSession, repairSession } from '../../../src/main/audio/repair.ts'
import { sessionFiles } from '../../../src/main/audio/session-files.ts'
import { readHead } from '../../../src/main/audio/session-head.ts'
import { openSession } from '../../../src/main/audio/session-reader.ts'
import { openWriter, type SessionWriter } from '../../../src/main/audio/session-writer.ts'
import { readWaveHeader } from '../../../src/main/audio/wave-header.ts'
import { randomFrom } from '../../fixtures/random.ts'
import { firstWrong, headOf, signal, smallDisk, temporaryFolder } from './fixture.ts'

const root = temporaryFolder()
afterAll(root.remove)

const now = (): number => 1_700_000_000_000
const rate = 8000

/** A session of three parts of two seconds and half a second more, left open as a crash leaves it. */
function crashed(name: string, frames = 3.5 * 2 * rate) {
  const live = join(root.path, `${name}-live`)
  const writer = openWriter(live, headOf({ id: name }), { now, reserveBytes: 0, partSeconds: 2 })
  for (let frame = 0; frame < frames; frame += 1600)
    writer.write(frame, signal(frame, Math.min(1600, frames - frame)), false)
  // What lies on the disk at that moment; the writer itself is closed, as a process that is gone has no file open.
  const folder = join(root.path, name)
  cpSync(live, folder, { recursive: true, preserveTimestamps: true })
  writer.close()
  rmSync(live, { recursive: true })
  return { folder, files: sessionFiles(folder) }
}

const all = (folder: string): Int16Array => {
  const reader = openSession(folder)
  const samples = reader.read(0, reader.frames())
  reader.close()
  return samples
}
const repair = (folder: string) => repairSession(folder, { now })
const snapshot = (folder: string): string[] =>
  readdirSync(folder).map(
    (name) => `${name} ${readFileSync(join(folder, name)).toString('base64')}`,
  )

/** Everything a player and the next start rely on. */
function expectWhole(folder: string, frames: number): void {
  const files = sessionFiles(folder)
  expect(readHead(folder)).toMatchObject({ state: 'closed', frames })
  let sum = 0
  for (const name of readdirSync(folder).filter((each) => each.endsWith('.wav'))) {
    const bytes = readFileSync(join(folder, name))
    const header = readWaveHeader(bytes)
    expect(header).toMatchObject({ dataBytes: bytes.length - 44, riffBytes: bytes.length - 8 })
    sum += (bytes.length - 44) / 4
  }
  expect(sum).toBe(frames)
  expect(readFileSync(files.peaks).readInt32LE(16)).toBe(Math.ceil(frames / 400))
  expect(statSync(files.peaks).size).toBe(24 + Math.ceil(frames / 400) * 4)
  expect(readJournal(folder).torn).toHaveLength(0)
}

test('a session that was cut off is whole again: sizes, peaks, journal, head; and a second repair changes nothing', () => {
  const { folder, files } = crashed('plain')
  const old = new Date(1_600_000_000_000)
  utimesSync(files.part(4), old, old)
  expect(repair(folder)).toMatchObject({ frames: 56_000, durationMs: 7000, gaps: [], lostBytes: 0 })
  expectWhole(folder, 56_000)
  expect(firstWrong(all(folder), 0)).toBeNull()
  expect(statSync(files.part(4)).mtimeMs).toBe(old.getTime())
  const before = snapshot(folder)
  expect(repair(folder)).toMatchObject({ frames: 56_000 })
  expect(snapshot(folder)).toEqual(before)
})

test('a tail torn in the middle of a frame ends with the last whole one', () => {
  for (const cut of [1, 2, 4, 7999]) {
    const { folder, files } = crashed(`tail-${cut}`)
    truncateSync(files.part(4), statSync(files.part(4)).size - cut)
    const frames = 56_000 - Math.ceil(cut / 4)
    expect(repair(folder)).toMatchObject({ frames, lostBytes: (4 - (cut % 4)) % 4 })
    expectWhole(folder, frames)
    expect(firstWrong(all(folder), 0)).toBeNull()
  }
})

test('sizes of zero, and headers that are gone, come back from the length of the file', () => {
  const { folder, files } = crashed('sizes')
  for (const number of [2, 4]) {
    const bytes = readFileSync(files.part(number))
    bytes.writeUInt32LE(0, 4)
    bytes.writeUInt32LE(0, 40)
    if (number === 4) bytes.fill(0, 0, 44)
    writeFileSync(files.part(number), bytes)
  }
  expect(repair(folder)).toMatchObject({ frames: 56_000 })
  expectWhole(folder, 56_000)
  expect(firstWrong(all(folder), 0)).toBeNull()
})

test('a part that was only just made, even shorter than its header, is an empty part', () => {
  const { folder, files } = crashed('short')
  writeFileSync(files.part(5), 'RIFF')
  expect(repair(folder)).toMatchObject({ frames: 56_000 })
  expectWhole(folder, 56_000)
})

test('a torn line of the journal is kept beside it, and what comes after is on a line of its own', () => {
  const { folder, files } = crashed('torn')
  appendFileSync(files.journal, '{"t":"mark","frame":5')
  repair(folder)
  expect(readFileSync(`${files.journal}.torn`, 'utf8')).toBe('{"t":"mark","frame":5')
  expectWhole(folder, 56_000)
  const zeros = crashed('torn-zeros')
  appendFileSync(zeros.files.journal, Buffer.alloc(4096))
  repair(zeros.folder)
  expectWhole(zeros.folder, 56_000)
})

test('without its head, without its journal, without both, a session is made again from the parts', () => {
  for (const [name, lose] of Object.entries({
    head: ['head'],
    journal: ['journal'],
    both: ['head', 'journal', 'peaks'],
  } as const)) {
    const { folder, files } = crashed(`lost-${name}`)
    for (const file of lose) rmSync(files[file])
    expect(repair(folder)).toMatchObject({ frames: 56_000, head: { sampleRate: rate } })
    expectWhole(folder, 56_000)
    expect(firstWrong(all(folder), 0)).toBeNull()
  }
  const { folder, files } = crashed('head-damaged')
  writeFileSync(files.head, Buffer.alloc(180))
  expect(repair(folder)).toMatchObject({ frames: 56_000, head: { roles: ['mic', 'others'] } })
  expectWhole(folder, 56_000)
})

test('peaks that are missing, short or wrong at their end become those of an orderly end', () => {
  const whole = crashed('peaks-whole')
  repair(whole.folder)
  const right = readFileSync(whole.files.peaks)
  const damages = {
    missing: (path: string) => rmSync(path),
    empty: (path: string) => truncateSync(path, 0),
    short: (path: string) => truncateSync(path, 101),
    long: (path: string) => appendFileSync(path, Buffer.alloc(5000, 7)),
    wrong: (path: string) => {
      const bytes = readFileSync(path)
      writeFileSync(path, bytes.fill(0, bytes.length - 200))
    },
  }
  for (const [name, damage] of Object.entries(damages)) {
    const { folder, files } = crashed(`peaks-${name}`)
    damage(files.peaks)
    repair(folder)
    expect(readFileSync(files.peaks).equals(right), name).toBe(true)
  }
})

test('a part in the middle that lost its end is filled up, so that what follows keeps its time; the hole is a gap', () => {
  const { folder, files } = crashed('middle')
  truncateSync(files.part(2), 44 + 8000 * 4)
  expect(repair(folder)).toMatchObject({
    frames: 56_000,
    gaps: [{ startMs: 3000, endMs: 4000, channel: null, reason: 'lost' }],
  })
  expectWhole(folder, 56_000)
  const samples = all(folder)
  expect(firstWrong(samples.subarray(0, 24_000 * 2), 0)).toBeNull()
  expect(samples.subarray(24_000 * 2, 32_000 * 2).every((sample) => sample === 0)).toBe(true)
  expect(firstWrong(samples.subarray(32_000 * 2), 32_000)).toBeNull()
})

test('sound that the disk did not keep, though it said so, is shown as a gap and left as it is', () => {
  const { folder, files } = crashed('rotten')
  const bytes = readFileSync(files.part(3))
  bytes.fill(0, 44 + 9000 * 4, 44 + 9100 * 4)
  writeFileSync(files.part(3), bytes)
  expect(repair(folder)).toMatchObject({
    frames: 56_000,
    gaps: [{ startMs: 5000, endMs: 6000, channel: null, reason: 'lost' }],
  })
  expect(readFileSync(files.part(3)).equals(bytes)).toBe(true)
})

test('a session that was resumed, cut off and resumed again is one stretch, and its sums still fit', () => {
  const { folder } = crashed('resumed', 20_000)
  const cut: SessionWriter[] = []
  for (const from of [20_000, 31_000]) {
    const writer = openWriter(folder, headOf(), { now, reserveBytes: 0, partSeconds: 2 })
    for (let frame = from; frame < from + 11_000; frame += 1000)
      writer.write(frame, signal(frame, 1000), false)
    cut.push(writer)
  }
  expect(repair(folder)).toMatchObject({ frames: 42_000, gaps: [] })
  expect(firstWrong(all(folder), 0)).toBeNull()
  for (const writer of cut) writer.close()
})

test('cut off itself at any of its steps, a repair ends the same at the next try', () => {
  const { folder } = crashed('interrupted')
  appendFileSync(sessionFiles(folder).journal, '{"t":"ma')
  truncateSync(sessionFiles(folder).part(4), 44 + 15_001)
  const done = join(root.path, 'interrupted-done')
  cpSync(folder, done, { recursive: true })
  repair(done)
  // Every set of files of which some are from before and some from after.
  const names = ['session.json', 'journal.ndjson', 'peaks.dat', 'part-0004.wav']
  for (let mask = 0; mask < 2 ** names.length; mask++) {
    const mixed = join(root.path, `interrupted-${mask}`)
    cpSync(folder, mixed, { recursive: true })
    for (const [i, name] of names.entries())
      // The head is what says that all is done: it comes last.
      if (mask & (1 << i) && name !== 'session.json')
        copyFileSync(join(done, name), join(mixed, name))
    repair(mixed)
    expectWhole(mixed, 51_750)
    expect(firstWrong(all(mixed), 0)).toBeNull()
  }
})

test('on a full disk the sound is made whole all the same, and the rest at the next start', () => {
  const { folder, files } = crashed('full')
  truncateSync(files.part(4), statSync(files.part(4)).size - 1)
  appendFileSync(files.journal, '{"t":"ma')
  expect(repairSession(folder, { now, disk: smallDisk({ bytes: 0 }) })).toMatchObject({
    frames: 55_999,
    durationMs: 7000,
  })
  expect(readWaveHeader(readFileSync(files.part(4)))?.dataBytes).toBe(7999 * 4)
  expect(readHead(folder)?.state).toBe('open')
  repair(folder)
  expectWhole(folder, 55_999)
})

test('folders that hold no session are left alone', () => {
  expect(repair(join(root.path, 'nowhere'))).toBeNull()
  expect(describeSession(join(root.path, 'nowhere'))).toBeNull()
  expect(existsSync(join(root.path, 'nowhere'))).toBe(false)
})

test('whatever is cut off or overwritten at the end of the files, the sound in front of it is whole (seeded)', () => {
  const random = randomFrom(4)
  for (let round = 0; round < 25; round++) {
    const { folder, files } = crashed(`fuzz-${round}`, 20_000 + Math.floor(random() * 9000))
    const last = files.part(readdirSync(folder).filter((name) => name.endsWith('.wav')).length)
    const { size } = statSync(last)
    const keep = Math.floor(random() * (size + 1))
    truncateSync(last, keep)
    const journalSize = statSync(files.journal).size
    truncateSync(files.journal, Math.floor(journalSize * random()))
    truncateSync(files.peaks, Math.floor(statSync(files.peaks).size * random()))
    if (random() < 0.3) rmSync(files.head)
    if (random() < 0.3) appendFileSync(files.journal, Buffer.alloc(33, Math.floor(random() * 256)))
    const summary = repair(folder)
    expectWhole(folder, summary?.frames ?? -1)
    expect(firstWrong(all(folder), 0)).toBeNull()
  }
})
