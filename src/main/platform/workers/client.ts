import { Worker } from 'node:worker_threads'
import { neededEnv } from '../../../system/own-process/env.ts'
import { outOfMemory } from '../../../system/own-process/messages.ts'
import {
  startOwnProcess,
  type OpenProcess,
  type OwnProcess,
} from '../../../system/own-process/program.ts'
import { AppError } from '../../errors.ts'
import { fromSqlite } from '../database/sqlite-errors.ts'
import { createHeapGuard, type HeapGuard } from './heap-guard.ts'
import { endMessage, endMs } from './messages.ts'
import type { WorkerAnswer, WorkerRequest } from './messages.ts'

/** Client of a program on another thread or process that handles requests. */
export interface WorkerClient<Request, Answer> {
  /**
   * Sends a request. Rejects with an AppError: the program's error, ENGINE_UNAVAILABLE when it died, CANCELLED after `close`.
   * `growth`: bytes that a separate process may use for this request.
   */
  call(request: Request, growth?: number): Promise<Answer>
  /** Stops the program; the next call restarts it unless the client is closed. */
  stop(): Promise<void>
  close(): Promise<void>
}

/** Options for starting a worker. */
interface WorkerClientOptions {
  readonly url: URL
  /** Name for messages, such as `Search`. */
  readonly name: string
  /** Value of `workerData` in the program. */
  readonly data?: unknown
  /** Milliseconds after which a request fails and the program is stopped; unlimited when absent. */
  readonly timeoutMs?: number
  /** Milliseconds without a request after which the program ends, which frees at least 16 MB; it keeps running when absent. */
  readonly idleMs?: number
  /** Bytes (heap and buffers) beyond which the program is stopped: its work fails with LIMIT_EXCEEDED. Unlimited when absent. */
  readonly maxMemory?: number
  /** Maximum megabytes of the program's JavaScript heap; {@link heapLimits}.worker when absent. */
  readonly heapMegabytes?: number
  /** Limits its heap together with others; that of the process when absent. */
  readonly heaps?: HeapGuard
  /** Starts a separate process for the program; it runs in a thread of this one when absent. */
  readonly openProcess?: OpenProcess | undefined
}

/**
 * Megabytes of V8's heaps in the core's process. With pointer compression all of its threads share one cage of 4 GB (V8's default
 * since 9.2, and required by Electron's sandbox), and a heap that finds no space there crashes the whole process. So no worker
 * may grow to the default of Node, which is a share of the computer's memory, and all workers started here may not grow beyond
 * `together`. The rest is for workers of workers: on-device engines, and decoders.
 */
export const heapLimits = {
  shared: 4096,
  together: 3072,
  main: 1024,
  worker: 768,
  document: 1536,
} as const

/** One guard for the process, because the cage is shared. */
const processHeaps = createHeapGuard(heapLimits.together * 1_048_576)

/** Pause between two memory checks of a working program, in milliseconds. */
const watchMs = 200
/** Consecutive checks that a program may leave unanswered. */
const maxSilent = 5

interface Pending {
  readonly request: unknown
  readonly resolve: (answer: unknown) => void
  readonly reject: (error: unknown) => void
  /** Bytes that a separate process may use for it. */
  readonly growth: number
  readonly timer: NodeJS.Timeout | undefined
}

/** Starts the program at the first call, and again after it died. An idle worker does not keep the app alive. */
export function createWorkerClient<Request, Answer>(
  options: WorkerClientOptions,
): WorkerClient<Request, Answer> {
  let worker: Worker | OwnProcess | null = null
  let closed = false
  let lastId = 0
  /** Number of requests that the running program has answered. */
  let answered = 0
  let idle: NodeJS.Timeout | undefined
  const pending = new Map<number, Pending>()

  const maxGrowth = (): number =>
    Math.max(...Array.from(pending.values(), ({ growth }) => growth), 0)

  function start(): Worker | OwnProcess {
    const { heapMegabytes = heapLimits.worker, openProcess, url, name, data } = options
    const made = openProcess
      ? startOwnProcess(openProcess, {
          url: url.href,
          name,
          data,
          heapMegabytes,
          maxGrowth: maxGrowth() || (options.maxMemory ?? Number.MAX_SAFE_INTEGER),
        })
      : new Worker(url, {
          workerData: data,
          name,
          env: neededEnv(process.env),
          resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
        })
    made.on('message', (answer: WorkerAnswer) => settle(answer))
    made.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === outOfMemory && worker === made)
        overflow(made, openProcess ? maxGrowth() : heapMegabytes * 1_048_576)
      else lost(made, `${options.name} stopped: ${error.message}`, error)
    })
    made.on('exit', () => lost(made, `${options.name} stopped`))
    worker = made
    answered = 0
    if (!(made instanceof Worker)) return made
    const heaps = options.heaps ?? processHeaps
    heaps.watch({
      worker: made,
      end: () => worker === made && overflow(made, heapLimits.together * 1_048_576),
    })
    if (options.maxMemory !== undefined) watch(made, options.maxMemory)
    return made
  }

  /** Watches the memory: a file of a few kilobytes can expand to gigabytes, and all threads share the system's memory. */
  function watch(which: Worker, maxBytes: number): void {
    const before = process.memoryUsage.rss()
    let silent = 0
    /** Checks `own`, the memory the program reports. Growth of the process counts if much of it may belong to the program. */
    const check = (own: number): void => {
      const taken = process.memoryUsage.rss() - before
      const isOver = own > maxBytes || (own > maxBytes / 2 && taken > maxBytes)
      if (isOver && worker === which) overflow(which, maxBytes)
    }
    const timer = setInterval(() => {
      if (pending.size === 0) return
      // A program inside native code does not respond; it is asked again after a while.
      if (silent++ % maxSilent > 0) return
      void usedBy(which).then((own) => {
        silent = 0
        check(own)
      })
    }, watchMs).unref()
    which.once('exit', () => clearInterval(timer))
  }

  function overflow(which: Worker | OwnProcess, maxBytes: number): void {
    worker = null
    const [oldest] = pending
    // A process also contains what earlier requests left: the first request of the next one is measured alone.
    const isFirst = which instanceof Worker || answered === 0
    if (oldest) pending.delete(oldest[0])
    if (oldest && isFirst) {
      const [, { reject, timer }] = oldest
      clearTimeout(timer)
      const params = { what: 'memory', limit: maxBytes }
      reject(new AppError('LIMIT_EXCEEDED', `${options.name} used too much memory`, { params }))
    }
    failAll(new AppError('CANCELLED', `${options.name} was stopped`, { retriable: true }))
    // Immediately: it would continue to allocate memory while it is asked to end.
    void which.terminate()
    if (!oldest || isFirst) return
    try {
      send(...oldest)
    } catch (error) {
      // No process could be started.
      const [, { reject, timer }] = oldest
      clearTimeout(timer)
      reject(error)
    }
  }

  function send(id: number, waiting: Pending): void {
    const running = worker ?? start()
    pending.set(id, waiting)
    if (!(running instanceof Worker)) running.allow(maxGrowth())
    running.ref()
    const message: WorkerRequest = { id, request: waiting.request }
    running.postMessage(message)
  }

  function settle(answer: WorkerAnswer): void {
    const waiting = pending.get(answer.id)
    if (!waiting) return
    pending.delete(answer.id)
    answered += 1
    clearTimeout(waiting.timer)
    if (pending.size === 0) endWhenIdle()
    if (answer.ok) waiting.resolve(answer.value)
    else waiting.reject(toError(options.name, answer))
  }

  function endWhenIdle(): void {
    worker?.unref()
    if (options.idleMs !== undefined) idle = setTimeout(() => void stop(), options.idleMs).unref()
  }

  function lost(which: Worker | OwnProcess, message: string, cause?: unknown): void {
    if (worker !== which) return
    worker = null
    failAll(new AppError('ENGINE_UNAVAILABLE', message, { retriable: true, cause }))
  }

  function failAll(error: AppError): void {
    const waiting = Array.from(pending.values())
    pending.clear()
    for (const each of waiting) {
      clearTimeout(each.timer)
      each.reject(error)
    }
  }

  async function stop(atOnce = false): Promise<void> {
    clearTimeout(idle)
    const running = worker
    worker = null
    failAll(new AppError('CANCELLED', `${options.name} was stopped`, { retriable: true }))
    // A separate process shares nothing with others, so it can be terminated.
    if (running && atOnce && !(running instanceof Worker)) await running.terminate()
    else if (running) await endWorker(running, endMessage)
  }

  return {
    call(request, growth = options.maxMemory ?? Number.MAX_SAFE_INTEGER) {
      if (closed) return Promise.reject(new AppError('CANCELLED', `${options.name} is closed`))
      clearTimeout(idle)
      const id = ++lastId
      return new Promise<Answer>((resolve, reject) => {
        const timer =
          options.timeoutMs === undefined ? undefined : setTimeout(giveUp, options.timeoutMs)
        send(id, {
          request,
          resolve: (answer) => resolve(answer as Answer),
          reject,
          growth,
          timer,
        })
      })

      function giveUp(): void {
        const waiting = pending.get(id)
        pending.delete(id)
        waiting?.reject(
          new AppError('TIMEOUT', `${options.name} took longer than ${options.timeoutMs} ms`, {
            retriable: true,
            params: { limit: options.timeoutMs ?? 0 },
          }),
        )
        void stop(true)
      }
    },
    stop: () => stop(),
    async close() {
      closed = true
      await stop()
    },
  }
}

/** Returns the bytes that a program uses; 0 if it is not running. */
async function usedBy(worker: Worker): Promise<number> {
  try {
    const { total_heap_size: heap, external_memory: buffers } = await worker.getHeapStatistics()
    return heap + buffers
  } catch {
    return 0
  }
}

/** Asks a program to end, and stops its thread only if it does not: see {@link endMs}. */
export async function endWorker(worker: Worker | OwnProcess, message: unknown): Promise<void> {
  const late = Promise.withResolvers<void>()
  const timer = setTimeout(late.resolve, endMs)
  const gone = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
  worker.postMessage(message)
  await Promise.race([gone, late.promise])
  clearTimeout(timer)
  await worker.terminate()
}

function toError(name: string, answer: Extract<WorkerAnswer, { ok: false }>): unknown {
  if (answer.code === 'CANCELLED')
    return new AppError('CANCELLED', answer.message, { retriable: true })
  const error = Object.assign(new Error(answer.message), { code: answer.code })
  const known = fromSqlite(error)
  if (known instanceof AppError) return known
  return new AppError('ENGINE_UNAVAILABLE', `${name} failed: ${answer.message}`, { cause: error })
}
