import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { randomFillSync } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { against, alone, median } from './row.ts'
import type { Bench, Row } from './row.ts'
import type { UploadFigures, UploadFile, UploadOrder } from './upload-subject.ts'

const million = 1_000_000
const runs = 5

/** Allowed difference in memory growth between a small and a large file (MB), and allowed event loop lag (ms). */
const growthBudgetMb = 30
const lagBudgetMs = 10

/** Writes a file of random bytes, which cannot be compressed. */
async function randomFile(path: string, bytes: number): Promise<UploadFile> {
  const handle = await open(path, 'w')
  const chunk = Buffer.allocUnsafe(million)
  for (let written = 0; written < bytes; written += chunk.length)
    await handle.write(randomFillSync(chunk), 0, Math.min(chunk.length, bytes - written))
  await handle.close()
  return { path, bytes }
}

const started = (name: string, options: readonly string[] = []): ChildProcess =>
  fork(fileURLToPath(new URL(name, import.meta.url)), {
    execArgv: [...process.execArgv, ...options],
  })

/** Runs one upload in a new process, so that memory starts clean. */
async function inFreshProcess(order: UploadOrder): Promise<UploadFigures> {
  const child = started('./upload-subject.ts', ['--expose-gc'])
  const exit = once(child, 'exit')
  const answer = once(child, 'message')
  child.send(order)
  const figures = await Promise.race([
    answer.then(([message]) => message as UploadFigures),
    exit.then(([code]) => Promise.reject(new Error(`the subject ended with ${String(code)}`))),
  ])
  await exit
  return figures
}

/** Medians over several new processes. */
async function medians(order: UploadOrder): Promise<UploadFigures> {
  const figures: UploadFigures[] = []
  for (let run = 0; run < runs; run++) figures.push(await inFreshProcess(order))
  return {
    growthMb: median(figures.map(({ growthMb }) => growthMb)),
    lagMs: median(figures.map(({ lagMs }) => lagMs)),
    workMs: median(figures.map(({ workMs }) => workMs)),
    ms: median(figures.map(({ ms }) => ms)),
  }
}

/** The figures of all subjects; the `idle` ones waited for as long. */
interface Measured {
  readonly small: UploadFigures
  readonly large: UploadFigures
  readonly plain: UploadFigures
  readonly idleSmall: UploadFigures
  readonly idleLarge: UploadFigures
}

const plainMethod = 'readFile, base64, JSON.stringify, fetch'

function memoryRows({ small, large, plain }: Measured): readonly Row[] {
  const growth = { name: '50 MB, memory added', figure: small.growthMb, unit: 'MB' }
  return [
    against(growth, plainMethod, plain.growthMb),
    against(growth, 'half the file', 25),
    // V8's maximum string length is 537 M characters, a file of about 400 MB in base64: the plain method cannot send this file.
    alone({
      name: '500 MB, memory added (plain method: impossible, strings have at most 537 M characters)',
      figure: large.growthMb,
      unit: 'MB',
    }),
    against(
      {
        name: '500 MB compared with 50 MB, difference in memory added',
        figure: Math.abs(large.growthMb - small.growthMb),
        unit: 'MB',
      },
      'budget',
      growthBudgetMb,
    ),
  ]
}

/** Wall-clock pauses compared with those of an idle process, and the part that was our own work. */
function pauseRows(size: string, ours: UploadFigures, idle: UploadFigures): readonly Row[] {
  const pause = { name: `${size}, longest pause`, figure: ours.lagMs, unit: 'ms' }
  return [
    against(pause, 'idle for the same time', idle.lagMs),
    against(pause, 'budget', lagBudgetMs),
    against(
      { name: `${size}, longest pause by own work`, figure: ours.workMs, unit: 'ms' },
      'budget',
      lagBudgetMs,
    ),
  ]
}

function rowsOf(measured: Measured): readonly Row[] {
  const { small, large, plain, idleSmall, idleLarge } = measured
  const speed = (ms: number, megabytes: number): number => megabytes / (ms / 1000)
  return [
    ...memoryRows(measured),
    against(
      { name: '50 MB, longest pause', figure: small.lagMs, unit: 'ms' },
      plainMethod,
      plain.lagMs,
    ),
    ...pauseRows('50 MB', small, idleSmall),
    ...pauseRows('500 MB', large, idleLarge),
    against(
      { name: '50 MB, file sent', figure: speed(small.ms, 50), unit: 'MB/s' },
      plainMethod,
      speed(plain.ms, 50),
    ),
    alone({ name: '500 MB, file sent', figure: speed(large.ms, 500), unit: 'MB/s' }),
  ]
}

/**
 * Sends a file of 50 MB and one of 500 MB through `api.layout.parse`, compared with the plain method: memory, pauses and speed
 * (medians).
 */
export const bench: Bench = {
  name: 'upload-50mb',
  async run() {
    const folder = mkdtempSync(join(tmpdir(), 'lectern-bench-upload-'))
    const sink = started('./upload-sink.ts')
    try {
      const [port] = (await once(sink, 'message')) as [number]
      const baseUrl = `http://127.0.0.1:${port}`
      const warmUp = await randomFile(join(folder, 'warm-up'), 3 * million)
      const file = await randomFile(join(folder, 'small'), 50 * million)
      const to = { baseUrl, warmUp }
      const small = await medians({ ...to, way: 'ours', file })
      const idleSmall = await medians({ ...to, way: 'idle', file })
      const plain = await medians({ ...to, way: 'plain', file })
      const big = await randomFile(join(folder, 'large'), 500 * million)
      const large = await medians({ ...to, way: 'ours', file: big })
      const idleLarge = await medians({ ...to, way: 'idle', file: big })
      return rowsOf({ small, large, plain, idleSmall, idleLarge })
    } finally {
      sink.disconnect()
      rmSync(folder, { recursive: true, force: true })
    }
  },
}
