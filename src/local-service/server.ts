import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { OpenProcess } from '../system/own-process/program.ts'
import { authorise } from './auth.ts'
import type { ServiceContext } from './context.ts'
import { createPageEngine } from './engines/pages.ts'
import { createSpeechEngine } from './engines/speech.ts'
import { createTextEngine } from './engines/text.ts'
import { errorReply } from './errors.ts'
import { withHeaders, wrongAnswer } from './fault-injection/answers.ts'
import type { FaultRule } from './fault-injection/rules.ts'
import { corruptedStream } from './fault-injection/corrupted-stream.ts'
import { createSwitchboard } from './fault-injection/switchboard.ts'
import { openFileStore } from './file-store.ts'
import { openKnowledge } from './knowledge/knowledge.ts'
import { mediaPath, openMediaStore } from './media-store.ts'
import type { ServiceReply } from './response.ts'
import type { ServiceRequest } from './request.ts'
import { forgetOld } from './retention.ts'
import { dispatch } from './routes.ts'
import { send, sendCorrupted } from './send-response.ts'
import { openState } from './state.ts'

/** The programs of the engines' workers. */
export interface EngineWorkerUrls {
  readonly speech: URL
  readonly text: URL
  readonly pages: URL
}

/** How the local service is started. */
export interface LocalServiceOptions {
  /** 0: any free port. */
  readonly port: number
  /** The bearer key every call must bring. */
  readonly key: string
  /** Folder for uploads; made when missing. */
  readonly home: string
  /** Folder that holds one folder per model. */
  readonly modelsDir: string
  /** The programs of the engines' workers. */
  readonly workerUrls: EngineWorkerUrls
  /** Engines in the place of the built-in ones. */
  readonly engines?: Partial<Pick<ServiceContext, 'text' | 'pages'>>
  /** Full-text search of the Library, for the answers of assistants; absent: there is none. */
  readonly library?: ServiceContext['library']
  /** Begins a process for what reads documents; threads when absent. */
  readonly openProcess?: OpenProcess
  /** Adds the switchboard at `/__faults`. */
  readonly faults?: boolean
  /** Unix milliseconds. */
  readonly clock?: () => number
  /** UUIDs. */
  readonly ids?: () => string
}

/** A local service that listens. */
export interface RunningLocalService {
  /** Without trailing slash. */
  readonly url: string
  readonly port: number
  readonly key: string
  /** Breaks off what is under way, closes every connection and ends the engine's worker. */
  stop(): Promise<void>
}

/** Transcriptions that may wait or run at a time before the service answers 1302. */
const maxWaiting = 16

/** The longest the engine may be silent in milliseconds: loading and half a minute of sound take some seconds. */
const stallMs = 60_000

/** The engine's worker ends after five minutes without work; loading it again takes one or two seconds. */
const idleMs = 5 * 60_000

/** The service listens here and nowhere else. */
const host = '127.0.0.1'

/** Connections at a time: each takes a descriptor of the whole application, and no client opens as many. */
const maxConnections = 128

/**
 * How long a caller may take, in milliseconds: for the head of a request, and for all of it (100 MB at the pace of a slow disk). Who
 * says nothing is sent away.
 */
const callerTimes = {
  headersTimeout: 10_000,
  requestTimeout: 5 * 60_000,
  keepAliveTimeout: 5000,
  connectionsCheckingInterval: 2000,
} as const

/** Aborted as soon as the caller is gone before its answer was complete. */
function goneSignal(response: ServerResponse): AbortSignal {
  const gone = new AbortController()
  response.on('close', () => {
    if (!response.writableFinished) gone.abort()
  })
  return gone.signal
}

/**
 * Starts the service of this computer: the provider's API (docs/service-notes.md) over HTTP on 127.0.0.1, answered by on-device engines.
 * Throws when the port is taken.
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
    // A scripted answer still takes the whole body, as a server would that fails later.
    if (wrong) for await (const _ of incoming);
    const right = wrong ?? (await answer(request, rule))
    return sendCorrupted(response, withHeaders(right, rule), rule, signal)
  }

  const server = createServer(callerTimes, (incoming, response) => {
    response.on('error', () => undefined)
    // Streams of small pieces must not wait for each other.
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
  // A disk that lets nothing be removed is no reason not to serve.
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
