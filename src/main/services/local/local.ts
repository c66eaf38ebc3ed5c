import { randomBytes } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import type { LocalServiceMessage, LocalServiceRequest } from '../../../local-service/protocol.ts'
import { neededEnv } from '../../../system/own-process/env.ts'
import { joinProcess, nodePort } from '../../../system/own-process/port.ts'
import type { OpenProcess } from '../../../system/own-process/program.ts'
import type { Log, WorkerUrl } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { endWorker, heapLimits } from '../../workers/client.ts'
import type { LibrarySearch } from './library-search.ts'

/** Where the service of this computer answers while it runs. */
export interface LocalAddress {
  readonly url: string
  /** Made anew at each start; known to this process only. */
  readonly key: string
}

/** The built-in service: one worker thread that listens on 127.0.0.1, started when first needed. */
export interface LocalService {
  /** Starts the service when it does not run. Throws ENGINE_UNAVAILABLE. */
  address(): Promise<LocalAddress>
  stop(): Promise<void>
}

/** What the local service needs from outside. */
export interface LocalServiceDeps {
  /** Its own folder for uploads. */
  readonly home: string
  readonly modelsDir: string
  readonly workerUrl: WorkerUrl
  /** Begins processes for programs that work on files. */
  readonly openProcess: OpenProcess
  readonly log: Log
  /** Passages of the Library for the assistants of this computer. */
  readonly search: LibrarySearch
  /** Told when the service starts, runs or is gone. */
  onState(state: 'starting' | 'running' | 'stopped'): void
}

interface Running {
  readonly worker: Worker
  readonly address: Promise<LocalAddress>
}

/** Time the service gets to listen, in milliseconds; engines load later, on first use. */
const startMs = 20_000

/** Owns the worker that runs the local service; a crashed one is started again by the next call. */
export function createLocalService(deps: LocalServiceDeps): LocalService {
  let running: Running | null = null

  const answer = async (
    worker: Worker,
    { id, query, limit }: Extract<LocalServiceMessage, { type: 'search' }>,
  ): Promise<void> => {
    const passages = await deps.search(query, limit).catch((error: unknown) => {
      deps.log.error('library search for the local service failed', { reason: String(error) })
      return []
    })
    worker.postMessage({ type: 'passages', id, passages } satisfies LocalServiceRequest)
  }

  const start = (): Running => {
    deps.onState('starting')
    const key = randomBytes(24).toString('base64url')
    const worker = new Worker(deps.workerUrl('local-service'), {
      env: neededEnv(process.env),
      resourceLimits: { maxOldGenerationSizeMb: heapLimits.worker },
      workerData: {
        key,
        home: deps.home,
        modelsDir: deps.modelsDir,
        library: true,
        workerUrls: {
          speech: deps.workerUrl('speech').href,
          text: deps.workerUrl('text').href,
          pages: deps.workerUrl('pages').href,
        },
      },
    })
    const address = new Promise<LocalAddress>((resolve, reject) => {
      const giveUp = (): void =>
        reject(new AppError('ENGINE_UNAVAILABLE', 'The service of this computer did not start'))
      const fail = (reason: string): void => {
        deps.log.error('local service stopped', { reason })
        giveUp()
      }
      const timer = setTimeout(() => {
        fail('no answer in time')
        void worker.terminate()
      }, startMs)
      worker.on('message', (message: LocalServiceMessage) => {
        if (message.type === 'ready') {
          clearTimeout(timer)
          deps.onState('running')
          resolve({ url: message.url, key })
        }
        if (message.type === 'failed') fail(message.reason)
        if (message.type === 'search') void answer(worker, message)
        if (message.type === 'process') joinProcess(nodePort(message.port), deps.openProcess())
      })
      worker.on('error', (error) => fail(String(error)))
      worker.on('exit', () => {
        clearTimeout(timer)
        // One that was asked to stop is not `running` any more.
        if (running?.worker !== worker) return giveUp()
        fail('exited')
        running = null
        deps.onState('stopped')
      })
    })
    // The promise is also handed out; this branch only keeps a failure from being unhandled.
    address.catch(() => {
      if (running?.worker === worker) running = null
    })
    return { worker, address }
  }

  return {
    address() {
      running ??= start()
      return running.address
    },
    async stop() {
      const current = running
      running = null
      if (!current) return
      // It cannot end before it has loaded, and a thread that is stopped while it loads SQLite takes the whole process with it.
      await current.address.catch(() => undefined)
      await endWorker(current.worker, { type: 'stop' })
    },
  }
}
