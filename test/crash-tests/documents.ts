import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib'
import { randomFrom } from '../fixtures/random.ts'
import { checkJob, type Report, type Tally } from './documents-ledger.ts'
import { firstWidth, startUnreliableService, type UnreliableService } from './documents-service.ts'
import type { CrashTestArguments } from './index.ts'

/** Options of the crash test; the short form in `npm test` runs fewer rounds over fewer pages. */
export interface DocumentCrashTestOptions extends CrashTestArguments {
  readonly pages?: number
  readonly pagesAPart?: number
  /** Maximum lifetime, from when it is running. */
  readonly lifeMs?: number
  readonly log?: (line: string) => void
}

/** Result of the crash test. */
export interface DocumentCrashTest {
  readonly kills: number
  /** Number of kills while a request was in flight. */
  readonly killsInFlight: number
  readonly jobs: readonly Tally[]
}

/** Time of a kill. */
interface Kill {
  readonly from: (typeof moments)[number]
  readonly afterMs: number
}

/** Run of the app, as reported by it. */
interface Life {
  readonly storedBefore: readonly number[] | null
  readonly before: Report | null
  readonly over: Report | null
  readonly killed: boolean
}

/** Start points for the time of a kill: most kills hit requests, some hit resuming the job, and starting. */
const moments = ['asked', 'asked', 'running', 'asked', 'start'] as const

/**
 * Parses a long document in a child process against a server that drops, stalls, truncates and rejects; kills that process
 * (SIGKILL) at random moments and restarts it. Every job must end with each page once, and no page may be requested more often
 * than the server's failures and the kills require. A job that ends before the last kill is followed by another.
 */
export async function crashTestDocuments(
  options: DocumentCrashTestOptions = {},
): Promise<DocumentCrashTest> {
  const { rounds = 30, seed = 20_26, pages = 117, pagesAPart = 2, lifeMs = 2_000 } = options
  const { log = () => {} } = options
  const random = randomFrom(seed)
  const root = await mkdtemp(join(tmpdir(), 'lectern-documents-'))
  const service = await startUnreliableService(randomFrom(seed + 1))
  const pdf = join(root, 'long.pdf')
  await writeFile(pdf, await longPdf(pages))
  const home = join(root, 'home')
  const epoch = Date.now()
  const jobs: Tally[] = []
  let storedBefore = new Map<number, ReadonlySet<number>>()
  let begun = 0
  let kills = 0
  let killsInFlight = 0

  const ended = (report: Report): void => {
    const requests = service.seen.slice(begun)
    begun = service.seen.length
    const tally = checkJob(pages, { requests, storedBefore, report })
    storedBefore = new Map()
    jobs.push(tally)
    log(`a job is over: ${JSON.stringify(tally)}, ${report.calls} calls counted by the app`)
  }
  const liveOnce = async (kill: Kill | null): Promise<Life> => {
    service.life += 1
    // A run finds what the previous one stored; no request of this run is included yet.
    const args = [home, service.url, String(epoch), pdf, String(pagesAPart)]
    const life = await live(args, kill, service)
    const hasOldEnd = life.before !== null && service.seen.slice(begun).some(isOlder(service))
    if (life.before && hasOldEnd) endedBefore(life.before)
    else if (life.storedBefore) storedBefore.set(service.life, new Set(life.storedBefore))
    if (life.over) ended(life.over)
    return life
  }
  /** Handles a job that ended at the moment of the kill; the next run reported its end. */
  const endedBefore = (report: Report): void => {
    const later = service.seen.slice(begun).filter((one) => !isOlder(service)(one))
    const all = service.seen.length
    const requests = service.seen.slice(begun).filter(isOlder(service))
    const tally = checkJob(pages, { requests, storedBefore, report })
    storedBefore = new Map()
    begun = all - later.length
    jobs.push(tally)
    log(`a job was over at the kill: ${JSON.stringify(tally)}`)
  }

  try {
    while (kills < rounds) {
      const from = moments[kills % moments.length] ?? 'asked'
      const afterMs = Math.floor(random() * lifeMs)
      const life = await liveOnce({ from, afterMs })
      if (!life.killed) continue
      kills += 1
      const flying = service.seen.some(
        (one) => one.life === service.life && (one.outcome === 'open' || one.outcome === 'stalled'),
      )
      if (flying) killsInFlight += 1
      const requestCount = service.seen.filter((one) => one.life === service.life).length
      const where = `${afterMs} ms from ${from}, ${requestCount} requests`
      log(`kill ${kills}: ${where}${flying ? ', one on its way' : ''}`)
    }
    // The last run is not killed: the job must finish.
    if (service.seen.length > begun || jobs.length === 0) await liveOnce(null)
  } finally {
    await service.stop()
    await rm(root, { recursive: true, force: true, maxRetries: 5 })
  }
  return { kills, killsInFlight, jobs }
}

const isOlder =
  (service: UnreliableService) =>
  ({ life }: { readonly life: number }): boolean =>
    life < service.life

const program = fileURLToPath(new URL('./documents-child.ts', import.meta.url))

async function live(
  args: readonly string[],
  plan: Kill | null,
  service: UnreliableService,
): Promise<Life> {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  let wrong = ''
  let timer: NodeJS.Timeout | undefined
  const reached = (moment: Kill['from']): void => {
    if (plan?.from === moment) timer ??= setTimeout(() => child.kill('SIGKILL'), plan.afterMs)
  }
  service.onRequest = () => reached('asked')
  reached('start')
  const lines = (): string[] => output.split('\n').slice(0, -1)
  const line = (name: string): string | null =>
    lines()
      .find((one) => one.startsWith(`${name} `))
      ?.slice(name.length + 1) ?? null
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString()
    if (lines().includes('running')) reached('running')
    // Its end is reported: only the exit remains.
    if (line('over') !== null) clearTimeout(timer)
  })
  child.stderr.on('data', (chunk: Buffer) => (wrong += chunk.toString()))
  await once(child, 'close')
  clearTimeout(timer)
  const killed = child.signalCode === 'SIGKILL'
  const trouble = line('trouble')
  if (trouble !== null) throw new Error(`the app told of trouble: ${trouble}`)
  if (!killed && child.exitCode !== 0) throw new Error(`the app ended by itself: ${wrong}`)
  const stored = line('stood')
  const read = (text: string | null): Report | null =>
    text === null ? null : (JSON.parse(text) as Report)
  return {
    storedBefore: stored === null ? null : (JSON.parse(stored) as number[]),
    before: read(line('before')),
    over: read(line('over')),
    killed,
  }
}

/** Creates a PDF whose pages are identified by their width. */
async function longPdf(pages: number): Promise<Uint8Array> {
  const made = await PDFDocument.create()
  const font = await made.embedFont(StandardFonts.Helvetica)
  for (let page = 1; page <= pages; page++) {
    const sheet = made.addPage([firstWidth + page - 1, 600])
    sheet.drawText(`Page ${page}`, { x: 20, y: 500, size: 24, font })
  }
  return made.save()
}

/** `npm run crash-tests -- documents`. */
export const crashTest = {
  name: 'documents',
  async run(given: CrashTestArguments): Promise<void> {
    const { kills, killsInFlight, jobs } = await crashTestDocuments({ ...given, log: console.log })
    const sum = (field: keyof Tally): number => jobs.reduce((all, job) => all + job[field], 0)
    console.log(
      JSON.stringify({
        kills,
        killsInFlight,
        jobs: jobs.length,
        pagesEach: 117,
        lost: 0,
        twice: 0,
        requests: sum('requests'),
        stored: sum('stored'),
        serviceFaults: sum('faults'),
        lostToKills: sum('lostToKills'),
        sentWithoutNeed: 0,
      }),
    )
  },
}
