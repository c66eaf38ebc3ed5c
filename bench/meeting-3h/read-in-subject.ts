import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { createAudioWork } from '../../src/main/domains/audio/service/audio-worker.ts'
import { peakSampler } from './peak-sampler.ts'

/** Parameters of the process. */
export interface ReadInOrder {
  readonly path: string
  /** Folder of the resulting session. */
  readonly home: string
  readonly id: string
}

/** Measurements: milliseconds, and megabytes of memory above those of the idle process. */
export interface ReadInFigures {
  readonly ms: number
  readonly growthMb: number
  readonly durationMs: number
}

/** Imports a file as the built app does, including its worker: running from sources would load the type stripper into memory. */
async function measure({ path, home, id }: ReadInOrder): Promise<ReadInFigures> {
  const log = { info: () => {}, warn: () => {}, error: () => {} }
  const audioWork = createAudioWork({
    workerUrl: (worker) => new URL(`../../out/loopback/workers/${worker}.js`, import.meta.url),
    folderOf: (each) => join(home, each),
    log,
  })
  const shared = new SharedArrayBuffer(8)
  const peak = new Float64Array(shared)
  const sampler = new Worker(peakSampler, { eval: true, workerData: shared })
  await new Promise((resolve) => setTimeout(resolve, 300))
  globalThis.gc?.()
  const before = process.memoryUsage.rss()
  peak[0] = before
  const start = performance.now()
  const { durationMs } = await audioWork.readIn(
    { id, title: id, path, channels: 'auto' },
    { opened: () => {}, step: () => {} },
    new AbortController().signal,
  )
  const ms = performance.now() - start
  const growthMb = ((peak[0] ?? before) - before) / 1e6
  await sampler.terminate()
  await audioWork.close()
  return { ms, growthMb, durationMs }
}

process.once('message', (order) => {
  void measure(order as ReadInOrder).then((figures) => {
    process.send?.(figures, () => process.exit())
  })
})
