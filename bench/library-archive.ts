import { createHash } from 'node:crypto'
import { copyFileSync, createReadStream, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { WorkerUrl } from '../src/main/deps.ts'
import {
  createArchives,
  type Archives,
} from '../src/main/domains/library/service/archive/archive.ts'
import { createFileJobs } from '../src/main/domains/library/service/file-jobs/file-jobs.ts'
import { openStore } from '../src/main/library-database/open.ts'
import { later } from '../src/main/long-timeout.ts'
import { createCalls } from '../src/main/platform/bridge/calls.ts'
import { createWorkQueue } from '../src/main/work-queue/work-queue.ts'
import type { ArchiveJob } from '../src/shared/model/archive.ts'
import { fillLibrary } from '../test/fixtures/full-library.ts'
import { addLargeRecording } from '../test/fixtures/large-media.ts'
import { randomFrom } from '../test/fixtures/random.ts'
import { against, alone, measured, type Bench, type Row } from './row.ts'

const MiB = 1024 * 1024
const bytes = 5 * 1024 * MiB
/** File sizes of a recording of some hours, and of one file larger than 2 GiB. */
const each = 64 * MiB
const huge = 2 * 1024 * MiB + 77

/** Exports and imports a library of 5 GiB, compared with `cp` and SHA-256 of the same bytes. */
export const bench: Bench = {
  name: 'library-archive',
  async run() {
    const root = mkdtempSync(join(tmpdir(), 'lectern-bench-archive-'))
    try {
      const source = join(root, 'source')
      fillLibrary({ home: source, random: randomFrom(1), each: 0, bytes: 8, kinds: [] })
      addLargeRecording(source, 1, huge)
      for (let n = 2, left = bytes - huge; left > 0; n++, left -= each)
        addLargeRecording(source, n, Math.min(each, left))
      const plain = await copied(source, join(root, 'plain'))
      rmSync(join(root, 'plain'), { recursive: true })
      return [...(await there(root, source, plain)), ...(await elsewhere(root, plain))]
    } finally {
      rmSync(root, { recursive: true, force: true })
    }
  },
}

/** MiB per second of the plain approach: copies every file and reads it once more for its checksum. */
async function copied(home: string, to: string): Promise<number> {
  const files = (await readdir(join(home, 'media'), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  const start = performance.now()
  let all = 0
  mkdirSync(to, { recursive: true })
  for (const [n, file] of files.entries()) {
    const copy = join(to, String(n))
    copyFileSync(file, copy)
    const hash = createHash('sha256')
    for await (const chunk of createReadStream(copy, { highWaterMark: 4 * MiB }))
      hash.update(chunk as Buffer)
    hash.digest()
    all += statSync(copy).size
  }
  return all / MiB / ((performance.now() - start) / 1000)
}

/** Measurements of one phase. */
interface JobMeasurement {
  readonly job: ArchiveJob
  readonly seconds: number
  /** Memory growth in bytes. */
  readonly memory: number
  /** Longest time main was blocked, in milliseconds. */
  readonly pause: number
}

async function watch(archives: Archives, begin: () => unknown): Promise<JobMeasurement> {
  const before = process.memoryUsage.rss()
  let peak = before
  const sampler = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 50)
  const pauses = watchMain()
  const start = performance.now()
  await begin()
  let { job } = archives.state()
  while (job?.state === 'running') {
    await new Promise((resolve) => setTimeout(resolve, 100))
    job = archives.state().job
  }
  const seconds = (performance.now() - start) / 1000
  clearInterval(sampler)
  if (job?.state !== 'done') throw new Error(`It failed: ${JSON.stringify(job?.error)}`)
  return { job, seconds, memory: peak - before, pause: pauses() }
}

/** Watches this thread; returns the longest time (ms) it was busy itself, without waiting for a processor. */
function watchMain(): () => number {
  const worked = (): number => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1000
  }
  let last = { at: performance.now(), worked: worked() }
  let longest = 0
  const timer = setInterval(() => {
    const now = { at: performance.now(), worked: worked() }
    longest = Math.max(longest, Math.min(now.at - last.at - 1, now.worked - last.worked))
    last = now
  }, 1)
  return () => {
    clearInterval(timer)
    return longest
  }
}

function rows(
  what: string,
  plain: number,
  { seconds, memory, pause }: JobMeasurement,
): readonly Row[] {
  const speed = bytes / MiB / seconds
  return measured([
    against(
      { name: `${what}: 5 GiB`, figure: speed, unit: 'MiB/s' },
      'cp and sha256 of the same bytes',
      plain,
    ),
    alone({
      name: `${what}: peak memory beyond that of the app`,
      figure: memory / MiB,
      unit: 'MiB',
    }),
    alone({ name: `${what}: main's longest work`, figure: pause, unit: 'ms' }),
  ])
}

let archive = ''

/** The parts of the app that archives need: store, worker, and an otherwise idle main thread. */
async function opened(home: string): Promise<{
  readonly archives: Archives
  readonly items: () => number
  close(): Promise<void>
}> {
  const quiet = (): void => undefined
  const log = { info: quiet, warn: quiet, error: quiet }
  const workerUrl: WorkerUrl = (name) => new URL(`../src/main/workers/${name}.ts`, import.meta.url)
  const store = await openStore({
    home,
    clock: Date.now,
    workerUrl,
    log,
    appVersion: 'bench',
    checkAfterMs: 3_600_000,
  })
  let serial = 0
  const calls = createCalls()
  const fileJobs = createFileJobs({
    store,
    workQueue: createWorkQueue({ clock: Date.now, log, random: Math.random, after: later }),
    clock: Date.now,
    ids: () => `job${++serial}`,
    log,
    calls,
    pages: { isConnected: () => true },
    emit: quiet,
  })
  const archives = createArchives({
    fileJobs,
    home,
    version: 'bench',
    store,
    workerUrl,
    clock: Date.now,
    ids: () => `id${++serial}`,
    log,
    localHome: join(home, 'this-computer'),
    local: { stop: async () => undefined },
    busy: () => false,
    fileHost: { saveDialog: async () => archive, openDialog: async () => archive },
    saved: () => '',
    neededBackups: () => [],
    emit: quiet,
    onExchanged: quiet,
  })
  // Work that follows startup is over.
  await new Promise((resolve) => setTimeout(resolve, 4000))
  return {
    archives,
    items: () => store.items.list({ bin: false, limit: 1 }).total,
    async close() {
      await fileJobs.shutdown()
      await archives.shutdown()
      await store.close()
    },
  }
}

async function there(root: string, home: string, plain: number): Promise<readonly Row[]> {
  archive = join(root, 'library.lectern.zip')
  const { archives, close } = await opened(home)
  try {
    const exported = await watch(archives, () => archives.export({ verify: true }, ''))
    return rows('export, verified after writing', plain, exported)
  } finally {
    await close()
  }
}

async function elsewhere(root: string, plain: number): Promise<readonly Row[]> {
  const { archives, items, close } = await opened(join(root, 'target'))
  try {
    const inspection = await watch(archives, () => archives.inspect(''))
    const imported = await watch(archives, () => archives.import())
    if (items() === 0) throw new Error('Nothing came in')
    return [
      ...measured([
        alone({
          name: 'inspection before the import',
          figure: inspection.seconds,
          unit: 's',
        }),
      ]),
      ...rows('import, every byte verified', plain, imported),
    ]
  } finally {
    await close()
  }
}
