import { Worker } from 'node:worker_threads'
import { neededEnv } from '../../system/own-process/env.ts'
import { outOfMemory } from '../../system/own-process/messages.ts'
import {
  startOwnProcess,
  type OpenProcess,
  type OwnProcess,
} from '../../system/own-process/program.ts'
import type { EngineEvent, EngineProblem, EngineWorkerData } from './worker-messages.ts'

/** Memory limit of a job; absent: unlimited. */
interface MemoryBound<Problem extends string> {
  /** Maximum memory growth of the whole process in bytes while a job runs. */
  readonly maxGrowth: number
  /** Maximum heap of JavaScript values in the worker, in megabytes. */
  readonly heapMegabytes: number
  /** Failure of a job that exceeds the limit. */
  readonly trouble: EngineProblem<Problem>
  readonly reason: string
}

/** Default maximum JavaScript heap of an engine worker in megabytes; models are outside the heap. */
export const defaultHeapMegabytes = 768

interface EngineWorkerDeps<Problem extends string> {
  readonly workerUrl: URL
  /** Passed to the worker as `workerData`. */
  readonly data: unknown
  /** Milliseconds without any message from the worker after which it counts as unresponsive and is replaced. */
  readonly stallMs: number
  /** Idle milliseconds after which the worker ends: a loaded model takes several hundred megabytes. */
  readonly idleMs: number
  /** Maximum number of waiting and running jobs; further ones fail as `busy`. Absent: unlimited. */
  readonly maxWaiting?: number
  /** A worker whose job exceeds this limit is terminated and replaced. */
  readonly memory?: MemoryBound<Problem>
  /**
   * Starts a separate process for the worker, with limited memory; absent: it runs in a thread of this process.
   */
  readonly openProcess?: OpenProcess | undefined
  /** Plural noun for the jobs in messages: `transcriptions`. */
  readonly jobs: string
  fail(trouble: EngineProblem<Problem>, reason: string): Error
}

/** What every engine is created with. */
export interface EngineDeps
  extends Pick<EngineWorkerDeps<never>, 'workerUrl' | 'stallMs' | 'idleMs'>, EngineWorkerData {}

/** Options for running a job. */
interface EngineRun<Progress> {
  readonly signal: AbortSignal
  /**
   * Maximum memory growth in bytes of a separate process for this job; absent: the memory limit of the worker.
   */
  readonly maxGrowth?: number
  /** Buffers of the request that are transferred; empty afterwards. */
  readonly transfer?: readonly ArrayBuffer[]
  onProgress?(progress: Progress): void
}

/** Worker of an engine with its lifecycle; runs one job at a time and queues the others. */
interface EngineWorker<Request, Progress, Outcome> {
  /**
   * Runs a job. Throws errors created by `fail`: the worker's own problems, `cancelled`, `busy`, `engine-unavailable`,
   * `failed`.
   */
  run(request: Request, options: EngineRun<Progress>): Promise<Outcome>
  stop(): Promise<void>
}

interface Task<Request, Progress, Outcome> {
  readonly id: number
  readonly request: Request
  readonly options: EngineRun<Progress>
  resolve(outcome: Outcome): void
  reject(error: Error): void
}

/**
 * Creates the client; the worker starts with the first job and restarts after a crash, a stall or an idle stop.
 */
export function createEngineWorker<Request, Progress, Outcome, Problem extends string = never>(
  deps: EngineWorkerDeps<Problem>,
): EngineWorker<Request, Progress, Outcome> {
  type OwnTask = Task<Request, Progress, Outcome>
  const queue: OwnTask[] = []
  let running: OwnTask | undefined
  let worker: Worker | OwnProcess | undefined
  let lastId = 0
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let memory: { stop(): void } | undefined
  let tooHeavy = false

  const stopping = (): Error => deps.fail('cancelled', 'The service is stopping')

  /**
   * Called for every message from the worker: replaces a stalled worker and ends an idle one to free its memory.
   */
  const watch = (): void => {
    clearTimeout(timer)
    if (!worker || stopped) return
    timer = running ? setTimeout(replace, deps.stallMs) : setTimeout(rest, deps.idleMs)
    timer.unref()
  }

  /** The exit of the worker fails its current job. */
  const replace = (): void => void worker?.terminate()

  const rest = (): void => {
    const idle = worker
    // Cleared first: a job that is submitted now must not be sent to a worker that is ending.
    worker = undefined
    void idle?.terminate()
  }

  const weigh = (): void => {
    tooHeavy = false
    memory?.stop()
    // A separate process monitors its own memory.
    if (!deps.openProcess) memory = deps.memory && watchMemory(deps.memory.maxGrowth, endHeavy)
  }

  const endHeavy = (): void => {
    tooHeavy = true
    replace()
  }

  const finish = (settle: (task: OwnTask) => void): void => {
    const task = running
    running = undefined
    memory?.stop()
    if (task) settle(task)
    next()
    watch()
  }

  const onEvent = (event: EngineEvent<Progress, Outcome, Problem>): void => {
    if (running?.id !== event.id) return
    watch()
    if (event.type === 'progress') running.options.onProgress?.(event.progress)
    else if (event.type === 'done') finish((task) => task.resolve(event.outcome))
    else finish((task) => task.reject(deps.fail(event.trouble, event.reason)))
  }

  const begin = (): Worker | OwnProcess => {
    const heapMegabytes = deps.memory?.heapMegabytes ?? defaultHeapMegabytes
    const { openProcess, workerUrl, data, jobs: name } = deps
    if (!openProcess)
      return new Worker(workerUrl, {
        workerData: data,
        env: neededEnv(process.env),
        resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
      })
    const maxGrowth = deps.memory?.maxGrowth ?? Number.MAX_SAFE_INTEGER
    const url = workerUrl.href
    return startOwnProcess(openProcess, { url, name, data, heapMegabytes, maxGrowth })
  }

  const startWorker = (): Worker | OwnProcess => {
    const fresh = begin()
    let spoke = false
    let end = deps.fail('failed', 'The worker exited')
    fresh.on('message', (event: EngineEvent<Progress, Outcome, Problem>) => {
      spoke = true
      onEvent(event)
    })
    fresh.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === outOfMemory) tooHeavy = true
      // A worker that fails before its first message is incomplete; one that fails later got input it could not process.
      end = deps.fail(spoke ? 'failed' : 'engine-unavailable', String(error))
    })
    fresh.on('exit', () => {
      if (worker !== fresh) return
      worker = undefined
      if (tooHeavy && deps.memory) end = deps.fail(deps.memory.trouble, deps.memory.reason)
      finish((task) => task.reject(stopped ? stopping() : end))
    })
    return fresh
  }

  function next(): void {
    if (running || stopped) return
    running = queue.shift()
    if (!running) return
    const { id, request, options } = running
    weigh()
    worker ??= startWorker()
    if (!(worker instanceof Worker))
      worker.allow(options.maxGrowth ?? deps.memory?.maxGrowth ?? Number.MAX_SAFE_INTEGER)
    worker.postMessage({ type: 'job', id, request }, [...(options.transfer ?? [])])
    watch()
  }

  const abandon = (task: OwnTask): void => {
    const place = queue.indexOf(task)
    if (place >= 0) {
      queue.splice(place, 1)
      task.reject(deps.fail('cancelled', 'The client disconnected'))
    } else if (running === task) {
      // The worker replies `failed` between two steps; until then the model is not available.
      worker?.postMessage({ type: 'cancel', id: task.id })
    }
  }

  return {
    async run(request, options) {
      const taken = queue.length + (running ? 1 : 0)
      if (taken >= (deps.maxWaiting ?? Infinity))
        throw deps.fail('busy', `${taken} ${deps.jobs} are already waiting`)
      if (stopped || options.signal.aborted)
        throw deps.fail('cancelled', 'The service is stopping or the client disconnected')
      const { promise, resolve, reject } = Promise.withResolvers<Outcome>()
      const task: OwnTask = { id: ++lastId, request, options, resolve, reject }
      const onAbort = (): void => abandon(task)
      options.signal.addEventListener('abort', onAbort, { once: true })
      queue.push(task)
      next()
      try {
        return await promise
      } finally {
        options.signal.removeEventListener('abort', onAbort)
      }
    },
    async stop() {
      stopped = true
      clearTimeout(timer)
      memory?.stop()
      for (const task of queue.splice(0)) task.reject(stopping())
      await worker?.terminate()
    },
  }
}

/** Milliseconds between two checks: images of a PDF are unpacked at several hundred megabytes per second. */
const period = 100

/**
 * Watches the memory of the process until stopped; calls `onTooMuch` once when it has grown by more than `mostGrowth`
 * bytes. Nothing else limits the memory of WebAssembly, images and buffers.
 */
function watchMemory(maxGrowth: number, onTooMuch: () => void): { stop(): void } {
  const start = process.memoryUsage.rss()
  const timer = setInterval(() => {
    if (process.memoryUsage.rss() - start <= maxGrowth) return
    clearInterval(timer)
    onTooMuch()
  }, period)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
