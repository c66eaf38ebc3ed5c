import { randomUUID, createHash, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { OpenProcess } from '../system/own-process/program.ts'
import type { ServiceContext } from './context.ts'
import { createPageEngine } from './engines/pages.ts'
import { createSpeechEngine } from './engines/speech.ts'
import { createTextEngine } from './engines/text.ts'
import { errorReply, ServiceError } from './errors.ts'
import { withHeaders, wrongAnswer } from './fault-injection/answers.ts'
import type { FaultRule } from './fault-injection/rules.ts'
import { corruptedStream } from './fault-injection/corrupted-stream.ts'
import { createSwitchboard } from './fault-injection/switchboard.ts'
import { openFileStore } from './file-store.ts'
import { openKnowledge } from './knowledge/knowledge.ts'
import { mediaPath, openMediaStore } from './media-store.ts'
import type { ServiceReply, ServiceRequest } from './http.ts'
import { forgetOld } from './retention.ts'
import { dispatch } from './routes.ts'
import { send, sendCorrupted } from './send-response.ts'
import { openState } from './state.ts'

interface EngineWorkerUrls {
  readonly speech: URL
  readonly text: URL
  readonly pages: URL
}

export interface LocalServiceOptions {
  /** 0 means any free port. */
  readonly port: number
  /** Bearer key that every request must send. */
  readonly key: string
  /** Folder for uploads; created when missing. */
  readonly home: string
  /** Folder that contains one folder per model. */
  readonly modelsDir: string
  readonly workerUrls: EngineWorkerUrls
  /** Engines that replace the built-in ones. */
  readonly engines?: Partial<Pick<ServiceContext, 'text' | 'pages'>>
  /** Full-text search of the Library for the answers of assistants; absent when there is none. */
  readonly library?: ServiceContext['library']
  /** Starts a process for reading documents; threads are used when absent. */
  readonly openProcess?: OpenProcess
  /** Adds the fault-injection endpoint `/__faults`. */
  readonly faults?: boolean
  /** Returns the time in Unix milliseconds. */
  readonly clock?: () => number
  /** Returns a new UUID. */
  readonly ids?: () => string
}

export interface RunningLocalService {
  /** Without trailing slash. */
  readonly url: string
  readonly port: number
  readonly key: string
  /** Aborts running work, closes all connections and ends the engine's worker. */
  stop(): Promise<void>
}

/** Maximum number of waiting and running transcriptions; beyond it the service responds with 1302. */
const maxWaiting = 16

/** Maximum silence of the engine in milliseconds: loading, or half a minute of audio, takes a few seconds. */
const stallMs = 60_000

/** The engine's worker ends after five minutes without work; reloading takes one or two seconds. */
const idleMs = 5 * 60_000

/** The only address the service listens on. */
const host = '127.0.0.1'

/** Maximum number of connections: each uses a file descriptor of the whole app, and no client opens this many. */
const maxConnections = 128

/**
 * Client timeouts in milliseconds: for the request head and for the whole request (100 MB at the speed of a slow disk). A
 * silent client is disconnected.
 */
const callerTimes = {
  headersTimeout: 10_000,
  requestTimeout: 5 * 60_000,
  keepAliveTimeout: 5000,
  connectionsCheckingInterval: 2000,
} as const

/** Returns a signal that aborts when the client disconnects before its response is complete. */
function goneSignal(response: ServerResponse): AbortSignal {
  const gone = new AbortController()
  response.on('close', () => {
    if (!response.writableFinished) gone.abort()
  })
  return gone.signal
}

/**
 * Starts the local service: the provider's API (docs/service-notes.md) over HTTP on 127.0.0.1, backed by on-device engines.
 * Throws when the port is in use.
 */
export async function startLocalService(
  options: LocalServiceOptions,
): Promise<RunningLocalService> {
  const clock = options.clock ?? Date.now
  const ids = options.ids ?? randomUUID
  const { workerUrls, modelsDir, home, openProcess } = options
  const times = { modelsDir, stallMs, idleMs }
  const speech = createSpeechEngine({ ...times, workerUrl: workerUrls.speech, maxWaiting })
  const text = options.engines?.text ?? createTextEngine({ ...times, workerUrl: workerUrls.text })
  const pages =
    options.engines?.pages ??
    createPageEngine({ ...times, workerUrl: workerUrls.pages, openProcess })
  const files = openFileStore(join(home, 'files'), ids)
  let port = options.port
  const origin = (): string => `http://${host}:${port}`
  const media = openMediaStore(join(home, 'media'), origin)
  const state = openState(home)
  const fileStore = openFileStore(join(home, 'knowledge'), ids)
  const knowledge = openKnowledge({ state, text, pages, media, fileStore, ids })
  const library = options.library ?? null
  const engines = { speech, text, pages }
  const stores = { files, media, state, knowledge }
  const context: ServiceContext = { clock, ids, ...engines, ...stores, library }
  const switchboard = options.faults ? createSwitchboard(clock) : undefined

  const answer = async (request: ServiceRequest, rule?: FaultRule): Promise<ServiceReply> => {
    try {
      const reply = await dispatch(request, context)
      return rule ? corruptedStream(reply, rule, request.path) : reply
    } catch (error) {
      return errorReply(error, request.path)
    }
  }

  const serve = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const signal = goneSignal(response)
    const { pathname: path, search, searchParams: query } = new URL(`http://${host}${incoming.url}`)
    const method = incoming.method ?? ''
    response.setHeader('x-log-id', ids())
    const call = switchboard?.owns(path) ? undefined : switchboard?.note(incoming, path, search)
    response.on('finish', () => {
      if (call) call.status = response.statusCode
    })
    let rule: FaultRule | undefined
    try {
      if (!path.startsWith(mediaPath)) authorise(incoming.headers.authorization, options.key)
      if (switchboard?.owns(path))
        return send(response, await switchboard.handle(incoming, path), signal)
      rule = switchboard?.take(incoming, path)
    } catch (error) {
      return send(response, errorReply(error, path), signal)
    }
    const request: ServiceRequest = { method, path, query, params: {}, incoming, signal }
    if (!rule) return send(response, await answer(request), signal)
    const wrong = wrongAnswer(rule, path)
    // A fault response still reads the whole body, like a server that fails later.
    if (wrong) for await (const _ of incoming);
    const right = wrong ?? (await answer(request, rule))
    return sendCorrupted(response, withHeaders(right, rule), rule, signal)
  }

  const server = createServer(callerTimes, (incoming, response) => {
    response.on('error', () => undefined)
    // The small chunks of streams must not be delayed.
    incoming.socket.setNoDelay(true)
    serve(incoming, response).catch(() => response.destroy())
  })
  server.maxConnections = maxConnections
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
  const address = server.address()
  if (typeof address === 'object' && address) ({ port } = address)
  knowledge.start()
  // A failed cleanup on disk must not prevent the service from starting.
  const forgotten = forgetOld(context).catch(() => undefined)

  return {
    url: origin(),
    port,
    key: options.key,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await Promise.all([forgotten, knowledge.stop(), speech.stop(), text.stop(), pages.stop()])
      await closed
      state.close()
    },
  }
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Checks `Authorization: Bearer <key>` (service-notes 1) in constant time. Throws ServiceError with HTTP 401. */
function authorise(header: string | undefined, key: string): void {
  if (!header) throw new ServiceError('noKey', 'The Authorization header is missing')
  const given = /^Bearer +(\S+)$/i.exec(header)?.[1]
  if (given === undefined || !timingSafeEqual(digest(given), digest(key)))
    throw new ServiceError('wrongKey', 'The API key was rejected')
}
