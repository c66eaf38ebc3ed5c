import { Worker } from 'node:worker_threads'
import type { WorkerName, WorkerUrl } from '../deps.ts'
import { storePaths } from '../platform/database/paths.ts'
import { endWorker } from '../platform/workers/client.ts'
import { endMessage } from '../platform/workers/messages.ts'
import { fail, pass, type Check } from './check.ts'

/** Maximum time in milliseconds for one program to start and answer. */
const timeoutMs = 45_000
/** Number of programs started at the same time. */
const atOnce = 3

/**
 * Start data (`data`) and message (`message`) of each program: a request that it answers, with an error where the request is
 * meaningless to it.
 */
function pings(
  home: string,
  modelsDir: string,
): Readonly<
  Record<Exclude<WorkerName, 'local-service' | 'own-process'>, { data?: unknown; message: unknown }>
> {
  const ask = { id: 1, request: {} }
  const job = { type: 'job', id: 1, request: {} }
  const database = { path: storePaths(home).database }
  const check = { id: 1, request: { task: 'check', ...database } }
  return {
    search: { data: database, message: ask },
    vectors: { data: { ...database, folder: null }, message: ask },
    'database-check': { message: check },
    'pdf-pages': { message: { id: 1, request: database.path } },
    recorder: { data: { reserveBytes: 0 }, message: ask },
    audio: { message: ask },
    samples: { data: modelsDir, message: ask },
    'voice-activity': { data: modelsDir, message: ask },
    exports: { message: ask },
    archive: { message: ask },
    documents: { message: ask },
    'speech-output': { message: ask },
    speech: { data: { modelsDir }, message: job },
    text: { data: { modelsDir }, message: job },
    pages: { data: { modelsDir }, message: job },
  }
}

/** Starts every worker program separately and waits for its answer; the local service has its own check. */
export function workersCheck(deps: {
  readonly workerUrl: WorkerUrl
  readonly modelsDir: string
}): Check {
  return async ({ scratch, signal }) => {
    const { home } = await scratch()
    const all = Object.entries(pings(home, deps.modelsDir))
    const silent: string[] = []
    const rest = all.values()
    const startSome = async (): Promise<void> => {
      for (const [name, { data, message }] of rest) {
        signal.throwIfAborted()
        const url = deps.workerUrl(name as WorkerName)
        if (!(await answers(url, data, message))) silent.push(name)
      }
    }
    await Promise.all(Array.from({ length: atOnce }, startSome))
    return silent.length > 0
      ? fail('workersMissing', { names: silent.join(', ') })
      : pass('workersStart', { count: all.length })
  }
}

async function answers(url: URL, data: unknown, message: unknown): Promise<boolean> {
  const worker = new Worker(url, { workerData: data, stdout: true, stderr: true })
  const late = Promise.withResolvers<false>()
  const timer = setTimeout(() => late.resolve(false), timeoutMs)
  const answered = new Promise<boolean>((resolve) => {
    worker.once('message', () => resolve(true))
    worker.once('error', () => resolve(false))
    worker.once('exit', () => resolve(false))
  })
  try {
    worker.postMessage(message)
    return await Promise.race([answered, late.promise])
  } finally {
    clearTimeout(timer)
    // Engines do not know this message; they load nothing before their first real job.
    if (isJob(message)) await worker.terminate()
    else await endWorker(worker, endMessage)
  }
}

const isJob = (message: unknown): boolean =>
  typeof message === 'object' && message !== null && 'type' in message
