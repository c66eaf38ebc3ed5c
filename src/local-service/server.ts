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
import { dispatch } from './routes.ts'
import { openState, type State } from './state.ts'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { conversationStore } from './assistants/conversations.ts'
import { openSessionStore } from './knowledge/agent/sessions.ts'
import { retentionDays } from './retention-days.ts'
import { responseStore } from './responses/store.ts'
import { slidesStore } from './slides/store.ts'
import { taskStore } from './tasks/store.ts'
import { voiceStore } from './voices/store.ts'

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
  // Longer than any pause of a client's thread: a request over a connection that is being closed fails.
  keepAliveTimeout: 60_000,
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

/** Returns a Buffer over the same memory, without a copy. */
const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength)

async function* chunksOf(body: ServiceReply['body']): AsyncGenerator<Buffer> {
  if (typeof body === 'string') yield Buffer.from(body)
  else if (body instanceof Uint8Array) yield bufferOf(body)
  else if ('bytes' in body) for await (const chunk of body.bytes) yield bufferOf(chunk)
  else for await (const text of body) yield Buffer.from(text)
}

/** Returns the length of a body in bytes, or undefined for an event stream. */
function lengthOf(body: ServiceReply['body']): number | undefined {
  if (typeof body === 'string' || body instanceof Uint8Array) return Buffer.byteLength(body)
  return 'bytes' in body ? body.length : undefined
}

function writeHead(response: ServerResponse, { status, headers, body }: ServiceReply): void {
  const bytes = lengthOf(body)
  response.writeHead(status, {
    ...headers,
    ...(bytes !== undefined && { 'content-length': bytes }),
  })
}

/** Writes a response and waits for slow clients. Ends without an error when the client has disconnected. */
async function send(
  response: ServerResponse,
  reply: ServiceReply,
  signal: AbortSignal,
): Promise<void> {
  writeHead(response, reply)
  response.flushHeaders()
  for await (const chunk of chunksOf(reply.body)) {
    if (signal.aborted) return
    if (!response.write(chunk)) await once(response, 'drain', { signal }).catch(() => undefined)
  }
  response.end()
}

/** Writes a response with the delivery faults of a rule: delayed, split into chunks or cut off. */
async function sendCorrupted(
  response: ServerResponse,
  reply: ServiceReply,
  rule: FaultRule,
  signal: AbortSignal,
): Promise<void> {
  const hangUp = (): void => {
    response.socket?.destroySoon()
  }
  if (rule.delayMs) await sleep(rule.delayMs)
  if (rule.hangUp) return hangUp()
  writeHead(response, reply)
  response.flushHeaders()
  let left = rule.cutAfterBytes ?? Infinity
  if (left === 0) return hangUp()
  let first = true
  for await (const chunk of inChunks(chunksOf(reply.body), rule)) {
    if (rule.chunkDelayMs && !first) await sleep(rule.chunkDelayMs)
    if (signal.aborted) return
    first = false
    const part = chunk.subarray(0, Math.min(chunk.length, left))
    // Awaiting each write keeps the chunks separate on the network.
    await new Promise((resolve) => response.write(part, resolve))
    left -= part.length
    if (left === 0) return hangUp()
  }
  response.end()
}

/** Returns true for a UTF-8 continuation byte: a split before it is inside a character. */
const continues = (byte: number | undefined): boolean =>
  byte !== undefined && (byte & 0b1100_0000) === 0b1000_0000

function* splitCharacters(bytes: Buffer): Generator<Buffer> {
  let start = 0
  for (let at = 1; at < bytes.length; at++) {
    if (!continues(bytes[at])) continue
    yield bytes.subarray(start, at)
    start = at
  }
  yield bytes.subarray(start)
}

function* splitEvery(bytes: Buffer, size: number): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

/** Splits a body into chunks as the rule specifies; nothing is added or lost. */
async function* inChunks(body: AsyncIterable<Buffer>, rule: FaultRule): AsyncGenerator<Buffer> {
  for await (const bytes of body) {
    if (rule.pieceBytes) yield* splitEvery(bytes, rule.pieceBytes)
    else if (rule.splitCharacters) yield* splitCharacters(bytes)
    else yield bytes
  }
}

const dayMs = 24 * 3600 * 1000

/**
 * Returns the names of linked files that are still referenced by documents of knowledge bases, voices, decks or tasks.
 */
function mediaInUse(state: State): ReadonlySet<string> {
  const rows = state
    .prepare<[], { readonly name: string }>(
      `SELECT media AS name FROM knowledge_documents WHERE media IS NOT NULL
       UNION SELECT media FROM knowledge_images
       UNION SELECT sample FROM voices
       UNION SELECT picture.value FROM slides_turns, json_each(turn, '$.pictures') AS picture
       UNION SELECT image.value FROM tasks, json_each(result, '$.images') AS image`,
    )
    .all()
  return new Set(rows.map(({ name }) => name))
}

/**
 * Removes data older than {@link retentionDays}. Knowledge bases, voices and uploads stay until they are deleted
 * explicitly.
 */
async function forgetOld({
  state,
  media,
  clock,
}: Pick<ServiceContext, 'state' | 'media' | 'clock'>): Promise<void> {
  const before = (days: number): number => clock() - days * dayMs
  // Opening the store removes expired responses.
  responseStore(state, clock)
  taskStore(state).forgetBefore(before(retentionDays.tasks))
  conversationStore(state).forgetBefore(before(retentionDays.conversations))
  openSessionStore(state).forgetBefore(before(retentionDays.sessions))
  slidesStore(state).forgetBefore(before(retentionDays.slides))
  voiceStore(state)
  await media.prune(before(retentionDays.links), mediaInUse(state))
}
