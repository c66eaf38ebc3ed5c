import { randomBytes } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import type {
  LocalServiceMessage,
  LocalServiceRequest,
} from '../../../../../local-service/protocol.ts'
import { neededEnv } from '../../../../../system/own-process/env.ts'
import { joinProcess, nodePort } from '../../../../../system/own-process/port.ts'
import type { OpenProcess } from '../../../../../system/own-process/program.ts'
import type { Log, WorkerUrl } from '../../../../deps.ts'
import { AppError } from '../../../../errors.ts'
import { endWorker, heapLimits } from '../../../../platform/workers/client.ts'

import type { LibraryPassage } from '../../../../../local-service/protocol.ts'

/** Address of the running local service. */
interface LocalAddress {
  readonly url: string
  /** Generated at each start; known only to this process. */
  readonly key: string
}

/** The built-in service: one worker thread that listens on 127.0.0.1, started on demand. */
export interface LocalService {
  /** Starts the service if it is not running. Throws ENGINE_UNAVAILABLE. */
  address(): Promise<LocalAddress>
  stop(): Promise<void>
}

interface LocalServiceDeps {
  /** Separate folder for uploads. */
  readonly home: string
  readonly modelsDir: string
  readonly workerUrl: WorkerUrl
  /** Starts processes for programs that work on files. */
  readonly openProcess: OpenProcess
  readonly log: Log
  /** Searches Library passages for the on-device assistants. */
  readonly search: LibrarySearch
  /** Called when the service starts, runs or has stopped. */
  onState(state: 'starting' | 'running' | 'stopped'): void
}

interface Running {
  readonly worker: Worker
  readonly address: Promise<LocalAddress>
}

/** Time limit for the service to start listening, in milliseconds; engines load later, on first use. */
const startMs = 20_000

/** Owns the worker that runs the local service; after a crash the next request starts it again. */
export function createLocalService(deps: LocalServiceDeps): LocalService {
  let running: Running | null = null

  const answer = async (
    worker: Worker,
    { id, query, limit }: Extract<LocalServiceMessage, { type: 'search' }>,
  ): Promise<void> => {
    const passages = await deps.search(query, limit).catch((error: unknown) => {
      deps.log.error('Library search for the on-device service failed', { reason: String(error) })
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
        reject(new AppError('ENGINE_UNAVAILABLE', 'The on-device service did not start'))
      const fail = (reason: string): void => {
        deps.log.error('on-device service stopped', { reason })
        giveUp()
      }
      const timer = setTimeout(() => {
        fail('no response in time')
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
        // A worker that was requested to stop is no longer `running`.
        if (running?.worker !== worker) return giveUp()
        fail('exited')
        running = null
        deps.onState('stopped')
      })
    })
    // The promise is also returned; this branch only prevents an unhandled rejection.
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
      // It cannot end before it has loaded, and stopping a thread while it loads SQLite crashes the whole process.
      await current.address.catch(() => undefined)
      await endWorker(current.worker, { type: 'stop' })
    },
  }
}

/** Finds passages of the Library that share words with a question, best first. */
export type LibrarySearch = (query: string, limit: number) => Promise<readonly LibraryPassage[]>
