import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  closeSync,
  cpSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { exportArchive } from '../../src/main/domains/library/archive/export.ts'
import { openArchive, verifyArchive } from '../../src/main/domains/library/archive/archive-file.ts'
import { placeArchive } from '../../src/main/domains/library/archive/place-archive.ts'
import { archivePlaces, mediaPlace } from '../../src/main/domains/library/archive/layout.ts'
import { progressIn, progressOwner } from '../../src/main/platform/zip/progress.ts'
import { ArchiveRefused } from '../../src/main/platform/zip/archive-errors.ts'
import { unpack } from '../../src/main/domains/library/archive/unpack.ts'
import { contentId } from '../../src/main/platform/files/content-id.ts'
import { backupPath } from '../../src/main/library-database/backup.ts'
import { openStore } from '../../src/main/library-database/open.ts'
import { storePaths } from '../../src/main/platform/database/paths.ts'
import { fillLibrary, describeLibrary } from '../fixtures/full-library.ts'
import { hostileArchives, type Parts } from '../fixtures/hostile-archives.ts'
import { addLargeRecording } from '../fixtures/large-media.ts'
import { randomFrom } from '../fixtures/random.ts'
import type { CrashTest, CrashTestArguments } from './index.ts'
import { workerUrl } from '../fixtures/worker-url.ts'

/** Options of the crash test; the short form in `npm test` works on megabytes. */
export interface ArchiveCrashTestOptions extends CrashTestArguments {
  /** Bytes of the library that is exported and imported. */
  readonly bytes?: number
  /** Skips the hostile archives, which have their own test. */
  readonly withoutCorpus?: boolean
  readonly log?: (line: string) => void
}

/** Result of the crash test; it rejects if anything was lost or wrongly imported. */
export interface ArchiveCrashTest {
  readonly bytes: number
  readonly exportSeconds: number
  readonly importSeconds: number
  /** Number of items that are equal in both libraries, files and rows. */
  readonly equal: number
  readonly refused: {
    readonly truncated: number
    readonly flipped: number
    readonly hostile: number
  }
  /** Kills during an export, and during an import: how many left the old state, how many the new one. */
  readonly kills: { readonly export: number; readonly old: number; readonly new: number }
}

const MiB = 1024 * 1024
const GiB = 1024 * MiB
const quiet = () => progressIn(progressOwner().memory)
const child = fileURLToPath(new URL('archive-child.ts', import.meta.url))

/** Runs the crash test in a temporary folder, which is deleted afterward. */
export async function crashTestArchive(
  options: ArchiveCrashTestOptions = {},
): Promise<ArchiveCrashTest> {
  const { bytes = 5 * GiB, rounds = 40, seed = 1, log = () => undefined } = options
  const root = mkdtempSync(join(tmpdir(), 'lectern-crash-test-archive-'))
  const random = randomFrom(seed)
  const archive = join(root, 'library.lectern.zip')
  const place = (name: string): string => join(root, name)
  try {
    makeLibrary(place('source'), bytes, seed)
    log(`A library of ${(bytes / GiB).toFixed(2)} GiB is made.`)
    const exportSeconds = await seconds(() => write(place('source'), archive))
    const size = statSync(archive).size
    log(`Exported and verified: ${rate(size, exportSeconds)}.`)
    fillLibrary({ home: place('target'), random, each: 0, bytes: 8, kinds: [] })
    const importSeconds = await seconds(() => importArchive(place('target'), archive))
    log(`Imported elsewhere: ${rate(size, importSeconds)}.`)
    const equal = assertEqual(place('source'), place('target'))
    log(`Equal item by item: ${equal}.`)
    rmSync(place('target'), { recursive: true })

    const flipped = await flips(place('source'), archive, size, random, Math.ceil(rounds / 4))
    log(`Refused with a byte flipped: ${flipped}.`)
    const truncated = await cuts(place('source'), archive, size, random, rounds)
    log(`Refused when cut off: ${truncated}.`)
    rmSync(archive)
    rmSync(place('source'), { recursive: true })

    makeLibrary(place('small'), Math.min(bytes, 24 * MiB), seed + 1)
    await write(place('small'), archive)
    const hostile = options.withoutCorpus
      ? 0
      : await corpus(place('small'), archive, join(root, 'hostile.zip'))
    log(`Refused as hostile: ${hostile}.`)
    const exported = await killExports(place('small'), join(root, 'killed.zip'), random, rounds)
    log(`Killed while exporting: ${exported}, and never half an archive.`)
    const imported = await killImports(root, place('small'), archive, random, rounds)
    log(
      `Killed while importing: ${imported.old} left the old library, ${imported.new} the new one.`,
    )
    return {
      bytes: size,
      exportSeconds,
      importSeconds,
      equal,
      refused: { truncated, flipped, hostile },
      kills: { export: exported, ...imported },
    }
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

const rate = (bytes: number, elapsed: number): string =>
  `${elapsed.toFixed(1)} s, ${Math.round(bytes / MiB / elapsed)} MiB/s`

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return (performance.now() - start) / 1000
}

/** Creates items of every type, and recordings that make up the size; one is over 2 GiB if the size allows it. */
function makeLibrary(home: string, bytes: number, seed: number): void {
  fillLibrary({ home, random: randomFrom(seed), each: 5, bytes: 20_000 })
  const huge = bytes > 3 * GiB ? 2 * GiB + 77 : 0
  if (huge > 0) addLargeRecording(home, seed * 1000, huge)
  const each = Math.max(MiB, Math.min(64 * MiB, Math.floor(bytes / 12)))
  for (let n = 1, left = bytes - huge; left > 0; n++, left -= each)
    addLargeRecording(home, seed * 1000 + n, Math.min(each, left))
}

async function write(home: string, to: string): Promise<void> {
  const common = { home, database: storePaths(home).database, app: 'crash-tests', at: 1 }
  const computer = join(home, 'this-computer')
  const { missing } = await exportArchive({ ...common, computer, to, verify: true }, quiet())
  if (missing.length > 0) throw new Error(`Missing in the archive: ${JSON.stringify(missing)}`)
}

async function importArchive(home: string, archive: string): Promise<void> {
  const paths = storePaths(home)
  const { staged } = archivePlaces(home)
  const { known } = await unpack({ home, archive, into: staged }, quiet())
  await placeArchive(
    {
      home,
      database: paths.database,
      computer: join(home, 'this-computer'),
      staged,
      known,
      mark: { id: 'crash-tests', at: 1, file: 'crash-tests' },
      keepAs: backupPath(paths, 1, 'before-import'),
    },
    quiet(),
  )
}

/** Compares the rows and files of a library with those it was imported to; returns the number of items. */
function assertEqual(one: string, other: string): number {
  const [a, b] = [describeLibrary(one), describeLibrary(other)]
  // Files of an archive may come from anyone, so their origin changes with the import.
  const asForeign = (row: string): string =>
    row.replace(/"origin":"(?:imported|received)"/, '"origin":"foreign"')
  for (const [table, rows] of Object.entries(a)) {
    const expected = table === 'media' ? rows.map(asForeign) : rows
    if (JSON.stringify(expected) !== JSON.stringify(b[table])) throw new Error(`${table} differs`)
  }
  for (const row of a['media'] ?? []) {
    const { id } = JSON.parse(row) as { readonly id: string }
    if (contentId(sumOf(mediaPlace(other, id))) !== id) throw new Error(`The file ${id} differs`)
  }
  return a['items']?.length ?? 0
}

function sumOf(path: string): string {
  const hash = createHash('sha256')
  const buffer = Buffer.alloc(4 * MiB)
  const file = openSync(path, 'r')
  try {
    for (let read = readSync(file, buffer); read > 0; read = readSync(file, buffer))
      hash.update(buffer.subarray(0, read))
  } finally {
    closeSync(file)
  }
  return hash.digest('hex')
}

/** Whether an archive is rejected; the target library already has all its files, so that nothing large is written. */
async function isRefused(home: string, archive: string): Promise<boolean> {
  try {
    await unpack({ home, archive, into: archivePlaces(home).staged }, quiet())
    return false
  } catch (error) {
    if (error instanceof ArchiveRefused) return true
    throw error
  }
}

async function assertRefused(home: string, archive: string, what: string): Promise<void> {
  const before = JSON.stringify(describeLibrary(home))
  if (!(await isRefused(home, archive))) throw new Error(`Taken though ${what}`)
  if (JSON.stringify(describeLibrary(home)) !== before)
    throw new Error(`Changed though refused: ${what}`)
}

/** Flips single bits: in files, in headers, in the directory, at the end. */
async function flips(
  home: string,
  archive: string,
  size: number,
  random: () => number,
  rounds: number,
): Promise<number> {
  for (let n = 0; n < rounds; n++) {
    const from = n % 2 === 0 ? 0 : size - 8192
    const at = from + Math.floor(random() * (size - from))
    flip(archive, at)
    await assertRefused(home, archive, `byte ${at} is flipped`)
    flip(archive, at)
  }
  return rounds
}

function flip(path: string, at: number): void {
  const byte = Buffer.alloc(1)
  const file = openSync(path, 'r+')
  try {
    readSync(file, byte, 0, 1, at)
    byte[0] = (byte[0] ?? 0) ^ 0x10
    writeSync(file, byte, 0, 1, at)
  } finally {
    closeSync(file)
  }
}

/** Truncates from the end to the beginning, so that one file is enough for all. */
async function cuts(
  home: string,
  archive: string,
  size: number,
  random: () => number,
  rounds: number,
): Promise<number> {
  const places = Array.from({ length: rounds }, (_, n) =>
    n < 4 ? size - 1 - n * 30 : Math.floor(random() * size),
  )
  for (const at of places.toSorted((a, b) => b - a)) {
    truncateSync(archive, at)
    await assertRefused(home, archive, `cut off at ${at}`)
  }
  return places.length
}

async function corpus(home: string, archive: string, path: string): Promise<number> {
  const whole = readFileSync(archive)
  const file = await open(archive)
  const { manifest, entries } = await openArchive(file)
  await file.close()
  const parts: Parts = {
    manifest: { ...manifest },
    entries: entries.map(({ name, body, bytes }) => ({
      name,
      content: whole.subarray(body, body + bytes),
    })),
  }
  for (const { name, make } of hostileArchives) {
    writeFileSync(path, make(parts, whole))
    await assertRefused(home, path, name)
  }
  return hostileArchives.length
}

/** Runs the child and kills it some time after an output. */
async function killed(
  args: readonly string[],
  after: string,
  delayMs: number,
): Promise<{ readonly done: boolean }> {
  const running = spawn(process.execPath, ['--no-warnings', child, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  const reached = Promise.withResolvers<void>()
  const over = once(running, 'close')
  running.stdout.on('data', (text: Buffer) => {
    output += text.toString()
    if (output.includes(`${after}\n`)) reached.resolve()
  })
  await Promise.race([reached.promise, over])
  await pause(delayMs)
  running.kill('SIGKILL')
  await over
  return { done: output.includes('done\n') }
}

async function killExports(
  home: string,
  to: string,
  random: () => number,
  rounds: number,
): Promise<number> {
  const before = JSON.stringify(describeLibrary(home))
  for (let n = 0; n < rounds; n++) {
    await killed(['export', home, to], 'start', random() * 250)
    if (existsSync(to)) {
      const file = await open(to)
      try {
        await verifyArchive(file, quiet())
      } finally {
        await file.close()
      }
      rmSync(to)
    }
    if (JSON.stringify(describeLibrary(home)) !== before)
      throw new Error('An export changed the library')
  }
  return rounds
}

/** Moments at which the child is killed: right after its output, up to this many milliseconds later. */
const moments = [
  ['start', 300],
  ['open', 120],
  ['unpacked', 30],
  ['closed', 160],
  ['closed', 60],
  ['placed', 30],
] as const

async function killImports(
  root: string,
  small: string,
  archive: string,
  random: () => number,
  rounds: number,
): Promise<{ readonly old: number; readonly new: number }> {
  const base = join(root, 'base')
  fillLibrary({ home: base, random: randomFrom(99), each: 2, bytes: 5000 })
  const old = JSON.stringify(describeLibrary(base))
  const reference = join(root, 'reference')
  cpSync(base, reference, { recursive: true })
  await importArchive(reference, archive)
  const next = JSON.stringify(describeLibrary(reference))
  const found = { old: 0, new: 0 }
  const home = join(root, 'killed')
  for (let n = 0; n < rounds; n++) {
    rmSync(home, { recursive: true, force: true })
    cpSync(base, home, { recursive: true })
    const [after, maxMs] = moments[n % moments.length] ?? ['start', 0]
    await killed(['take-in', home, archive], after, random() * maxMs)
    await startAgain(home)
    const state = JSON.stringify(describeLibrary(home))
    if (state !== old && state !== next) throw new Error(`Neither old nor new after ${after}`)
    assertFilesPresent(home, state === old ? base : reference, after)
    found[state === old ? 'old' : 'new'] += 1
  }
  if (!existsSync(small)) throw new Error('The library that was exported is gone')
  return found
}

/** Simulates the next start. */
async function startAgain(home: string): Promise<void> {
  const nothing = (): void => undefined
  const log = { info: nothing, warn: nothing, error: nothing }
  const store = await openStore({
    home,
    clock: Date.now,
    workerUrl,
    log,
    appVersion: 'crash-tests',
  })
  if (store.notice.state !== 'ok') throw new Error(`Started with ${store.notice.state}`)
  await store.close()
}

/** Asserts that exactly the files of its state exist: none is missing, and none of a failed import is left. */
function assertFilesPresent(home: string, like: string, after: string): void {
  for (const folder of ['media', 'meetings']) {
    const names = (of: string): string =>
      readdirSync(join(of, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => statSync(join(of, folder, name)).isFile())
        .toSorted()
        .join('\n')
    if (names(home) !== names(like)) throw new Error(`Other files in ${folder} after ${after}`)
  }
  if (existsSync(archivePlaces(home).in))
    throw new Error(`Something is left unpacked after ${after}`)
}

/** `npm run crash-tests -- archive [--rounds 40] [--seed 1]`: 5 GiB, exported, imported, corrupted and killed. */
export const crashTest: CrashTest = {
  name: 'archive',
  async run(given) {
    const result = await crashTestArchive({ ...given, log: (line) => console.log(line) })
    console.log(JSON.stringify(result, null, 2))
  },
}
