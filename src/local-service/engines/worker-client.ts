import { Worker } from 'node:worker_threads'
import { neededEnv } from '../../system/own-process/env.ts'
import { outOfMemory } from '../../system/own-process/messages.ts'
import {
  startOwnProcess,
  type OpenProcess,
  type OwnProcess,
} from '../../system/own-process/program.ts'
import { watchMemory } from './memory-watch.ts'
import type { EngineEvent, EngineProblem } from './worker-messages.ts'

/** The memory one job may take; absent: any. */
export interface MemoryBound<Problem extends string> {
  /** Bytes by which the whole process may grow while a job runs. */
  readonly maxGrowth: number
  /** Megabytes of JavaScript values that the worker may hold. */
  readonly heapMegabytes: number
  /** What a job that needs more fails with. */
  readonly trouble: EngineProblem<Problem>
  readonly reason: string
}

/** Megabytes of JavaScript values that an engine's worker may hold; models lie outside of the heap. */
export const defaultHeapMegabytes = 768

/** What a client of an engine's worker needs. */
export interface EngineWorkerDeps<Problem extends string> {
  readonly workerUrl: URL
  /** What the program gets as `workerData`. */
  readonly data: unknown
  /** Milliseconds without any sign of the worker after which it is taken for dead and replaced. */
  readonly stallMs: number
  /** Milliseconds without work after which the worker ends: a loaded model holds several hundred megabytes. */
  readonly idleMs: number
  /** Jobs that may wait or run at a time, one more fails as `busy`; absent: any number. */
  readonly maxWaiting?: number
  /** A worker whose job goes beyond it is ended and replaced. */
  readonly memory?: MemoryBound<Problem>
  /** Begins a process for the worker's program alone, whose memory is bounded; a thread of this one when absent. */
  readonly openProcess?: OpenProcess | undefined
  /** What the jobs are called in messages: `transcriptions`. */
  readonly jobs: string
  /** The engine's own error. */
  fail(trouble: EngineProblem<Problem>, reason: string): Error
}

/** How one job is run. */
export interface EngineRun<Progress> {
  readonly signal: AbortSignal
  /** Bytes by which a process of its own may grow for this job; absent: what the worker's memory is bound to. */
  readonly maxGrowth?: number
  /** Buffers of the request that are handed over: empty afterwards. */
  readonly transfer?: readonly ArrayBuffer[]
  onProgress?(progress: Progress): void
}

/** One engine's worker with its life; one job at a time, the others wait their turn. */
export interface EngineWorker<Request, Progress, Outcome> {
  /** Throws what `fail` makes: the worker's own troubles, `cancelled`, `busy`, `engine-unavailable`, `failed`. */
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

/** Makes the client; the worker starts with the first job and again after a crash, a stall or a rest. */
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

  /** Called at every sign of the worker: one that stalls is replaced, one that idles gives its memory back. */
  const watch = (): void => {
    clearTimeout(timer)
    if (!worker || stopped) return
    timer = running ? setTimeout(replace, deps.stallMs) : setTimeout(rest, deps.idleMs)
    timer.unref()
  }

  /** Its exit fails the job it had. */
  const replace = (): void => void worker?.terminate()

  const rest = (): void => {
    const idle = worker
    // Forgotten first: a job that comes now must not be given to a worker that is ending.
    worker = undefined
    void idle?.terminate()
  }

  const weigh = (): void => {
    tooHeavy = false
    memory?.stop()
    // A process of its own looks at itself.
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
    let end = deps.fail('failed', 'The worker ended')
    fresh.on('message', (event: EngineEvent<Progress, Outcome, Problem>) => {
      spoke = true
      onEvent(event)
    })
    fresh.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === outOfMemory) tooHeavy = true
      // One that fails before it ever spoke lacks a part of itself; one that spoke met something it could not take.
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
      task.reject(deps.fail('cancelled', 'The caller went away'))
    } else if (running === task) {
      // The worker answers `failed` between two steps; until then the model is not free.
      worker?.postMessage({ type: 'cancel', id: task.id })
    }
  }

  return {
    async run(request, options) {
      const taken = queue.length + (running ? 1 : 0)
      if (taken >= (deps.maxWaiting ?? Infinity))
        throw deps.fail('busy', `${taken} ${deps.jobs} are already waiting`)
      if (stopped || options.signal.aborted)
        throw deps.fail('cancelled', 'The service is stopping or the caller went away')
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
