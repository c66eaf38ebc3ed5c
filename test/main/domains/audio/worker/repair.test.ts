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
import { readJournal } from '../../../../../src/main/platform/audio/journal.ts'
import {
  describeSession,
  repairSession,
} from '../../../../../src/main/domains/audio/worker/repair.ts'
import { readHead, sessionFiles } from '../../../../../src/main/platform/audio/session-files.ts'
import { openSession } from '../../../../../src/main/platform/audio/session-reader.ts'
import {
  openWriter,
  type SessionWriter,
} from '../../../../../src/main/domains/audio/worker/session-writer.ts'
import { readWaveHeader } from '../../../../../src/shared/audio/wave-header.ts'
import { randomFrom } from '../../../../fixtures/random.ts'
import { firstWrong, headOf, signal, smallDisk, temporaryFolder } from './fixture.ts'

const root = temporaryFolder()
afterAll(root.remove)

const now = (): number => 1_700_000_000_000
const rate = 8000

/** Creates a session of three parts of two seconds and another half second, left open as by a crash. */
function crashed(name: string, frames = 3.5 * 2 * rate) {
  const live = join(root.path, `${name}-live`)
  const writer = openWriter(live, headOf({ id: name }), { now, reserveBytes: 0, partSeconds: 2 })
  for (let frame = 0; frame < frames; frame += 1600)
    writer.write(frame, signal(frame, Math.min(1600, frames - frame)), false)
  // The state on disk at that moment; the writer itself is closed, as an ended process has no open files.
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

/** Expects everything that a player and the next start rely on. */
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

test('repairs sizes, peaks, journal and header of a cut-off session, and only once', () => {
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

test('ends a tail torn within a frame at the last complete one', () => {
  for (const cut of [1, 2, 4, 7999]) {
    const { folder, files } = crashed(`tail-${cut}`)
    truncateSync(files.part(4), statSync(files.part(4)).size - cut)
    const frames = 56_000 - Math.ceil(cut / 4)
    expect(repair(folder)).toMatchObject({ frames, lostBytes: (4 - (cut % 4)) % 4 })
    expectWhole(folder, frames)
    expect(firstWrong(all(folder), 0)).toBeNull()
  }
})

test('restores zero sizes and missing headers from the length of the file', () => {
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

test('treats a newly created part, even shorter than its header, as empty', () => {
  const { folder, files } = crashed('short')
  writeFileSync(files.part(5), 'RIFF')
  expect(repair(folder)).toMatchObject({ frames: 56_000 })
  expectWhole(folder, 56_000)
})

test('saves a torn journal line separately, and writes later entries on their own lines', () => {
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

test('rebuilds a session from its parts without header, journal, or both', () => {
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

test('rebuilds peaks that are missing, short or wrong at the end', () => {
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

test('pads a truncated middle part to preserve later timing, and reports the missing audio as a gap', () => {
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

test('reports audio that the disk lost despite a flush as a gap, and leaves it unchanged', () => {
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

test('repairs a session resumed and cut off repeatedly as one recording with valid checksums', () => {
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

test('reaches the same result after a repair was itself cut off at any step', () => {
  const { folder } = crashed('interrupted')
  appendFileSync(sessionFiles(folder).journal, '{"t":"ma')
  truncateSync(sessionFiles(folder).part(4), 44 + 15_001)
  const done = join(root.path, 'interrupted-done')
  cpSync(folder, done, { recursive: true })
  repair(done)
  // Every combination of files from before and after the repair.
  const names = ['session.json', 'journal.ndjson', 'peaks.dat', 'part-0004.wav']
  for (let mask = 0; mask < 2 ** names.length; mask++) {
    const mixed = join(root.path, `interrupted-${mask}`)
    cpSync(folder, mixed, { recursive: true })
    for (const [i, name] of names.entries())
      // The header marks the repair as complete: it is written last.
      if (mask & (1 << i) && name !== 'session.json')
        copyFileSync(join(done, name), join(mixed, name))
    repair(mixed)
    expectWhole(mixed, 51_750)
    expect(firstWrong(all(mixed), 0)).toBeNull()
  }
})

test('repairs the audio even on a full disk, and the rest at the next start', () => {
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

test('ignores folders without a session', () => {
  expect(repair(join(root.path, 'nowhere'))).toBeNull()
  expect(describeSession(join(root.path, 'nowhere'))).toBeNull()
  expect(existsSync(join(root.path, 'nowhere'))).toBe(false)
})

test('preserves the audio before any damage at the end of the files (seeded)', () => {
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
