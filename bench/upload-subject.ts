import { readFile } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import { createApi } from '../src/main/provider-client/index.ts'
import type { ServiceTarget } from '../src/main/provider-client/types.ts'
import { limitsWith } from '../src/shared/provider/limits.ts'
import { presets } from '../src/shared/provider/profiles.ts'

/**
 * Parameters of a subject: method (`idle` sends nothing, for as long as ours takes), address, a small warm-up file and the
 * measured file.
 */
export interface UploadOrder {
  readonly way: 'ours' | 'plain' | 'idle'
  readonly baseUrl: string
  readonly warmUp: UploadFile
  readonly file: UploadFile
}

export interface UploadFile {
  readonly path: string
  readonly bytes: number
}

/** Measurements of one subject. */
export interface UploadFigures {
  /** Peak growth of resident memory in megabytes. */
  readonly growthMb: number
  /** Longest event loop delay in milliseconds. */
  readonly lagMs: number
  /** The same, counting only the main thread's own work: on a busy machine it also waits for others. */
  readonly workMs: number
  readonly ms: number
}

/** Samples the memory of the whole process every 5 ms, from a thread that continues while the main thread is blocked. */
const sampler = `
  const { workerData } = require('node:worker_threads')
  const peak = new Float64Array(workerData)
  setInterval(() => { peak[0] = Math.max(peak[0], process.memoryUsage.rss()) }, 5)`

/** Sends with our client. */
async function ours(baseUrl: string): Promise<(file: UploadFile) => Promise<void>> {
  let ids = 0
  const api = createApi({
    clock: Date.now,
    ids: () => `bench-${String((ids += 1)).padStart(20, '0')}`,
    record: () => {},
    proxyFor: async () => null,
    extraCa: async () => [],
  })
  const target: ServiceTarget = {
    accountId: 'bench',
    accountName: 'bench',
    baseUrl,
    key: 'key-for-bench',
    profile: presets.custom,
    limits: limitsWith({ 'layout.pdfBytes': 1024 ** 3 }),
  }
  return async ({ path, bytes }) => {
    const file = { path, bytes, name: 'file.pdf', mime: 'application/pdf' }
    const source = { file, mime: 'application/pdf', pages: null } as const
    const { raw } = await api.layout.parse(target, { source }, {})
    refuseShort(raw.body, bytes)
  }
}

/** Sends as most programs do: the whole file as a string inside a string. */
async function plain({ path, bytes }: UploadFile, baseUrl: string): Promise<void> {
  const file = `data:application/pdf;base64,${(await readFile(path)).toString('base64')}`
  const body = JSON.stringify({ model: 'gen-ocr', file, request_id: 'bench-00000000000000000001' })
  const reply = await fetch(`${baseUrl}/paas/v4/layout_parsing`, { method: 'POST', body })
  refuseShort(await reply.text(), bytes)
}

/** Throws if the server counted less than the file in base64: some of it was not sent. */
function refuseShort(reply: string, bytes: number): void {
  const { bytes: arrived } = JSON.parse(reply) as { bytes: number }
  if (arrived < Math.ceil(bytes / 3) * 4) throw new Error(`only ${arrived} bytes arrived`)
}

/** Returns the send function of a method; `idle` waits a second per 250 MB. */
async function sender({ way, baseUrl }: UploadOrder): Promise<(file: UploadFile) => Promise<void>> {
  if (way === 'ours') return ours(baseUrl)
  if (way === 'plain') return (file) => plain(file, baseUrl)
  return ({ bytes }) => pause(bytes / 250_000)
}

/** Processor time used by the main thread, in milliseconds. */
function worked(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** Sends once to warm up, then measures. */
async function measure(order: UploadOrder): Promise<UploadFigures> {
  const send = await sender(order)
  const shared = new SharedArrayBuffer(8)
  const peak = new Float64Array(shared)
  const worker = new Worker(sampler, { eval: true, workerData: shared })
  await send(order.warmUp)
  await pause(300)
  globalThis.gc?.()
  await pause(100)
  const before = process.memoryUsage.rss()
  peak[0] = before
  let lagMs = 0
  let workMs = 0
  let last = { at: performance.now(), worked: worked() }
  const watch = setInterval(() => {
    const now = { at: performance.now(), worked: worked() }
    const lag = now.at - last.at - 1
    lagMs = Math.max(lagMs, lag)
    workMs = Math.max(workMs, Math.min(lag, now.worked - last.worked))
    last = now
  }, 1)
  const start = performance.now()
  await send(order.file)
  const ms = performance.now() - start
  await pause(10)
  clearInterval(watch)
  await worker.terminate()
  return { growthMb: ((peak[0] ?? before) - before) / 1e6, lagMs, workMs, ms }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

process.once('message', (order) => {
  void measure(order as UploadOrder).then((figures) => {
    process.send?.(figures, () => process.exit())
  })
})
