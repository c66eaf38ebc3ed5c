import { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import { checkBaseUrl } from '../../shared/service/profiles.ts'
import { AppError } from '../errors.ts'
import type { Agents } from './agents.ts'
import { httpDate, retryAfterMs } from './retry-after.ts'
import type { Timeouts } from './timeouts.ts'
import type { ServiceTarget } from './types.ts'
import { unpacked } from './unpack.ts'

/** A request body of known length that can be produced again for a retry. */
export interface OutgoingBody {
  readonly contentType: string
  readonly bytes: number
  /** A fresh run over the body; constant memory for files. */
  open(): AsyncIterable<Uint8Array>
}

/** One request to the service. */
export interface Exchange {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Below the base URL, starting with `/`; ids in it are percent-encoded already. */
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: OutgoingBody
  /** Anything, where the answer is a file. */
  readonly accept:
    | 'application/json'
    | 'text/event-stream'
    | 'text/event-stream, application/json'
    | '*/*'
  readonly timeouts: Timeouts
}

/** What happened so far on the wire; filled in while the call runs, read by Activity and by the retry rules. */
export interface Trace {
  host: string
  /** The request was handed to a connected socket. */
  sent: boolean
  /** Unix milliseconds of that moment, and of the head of the reply. */
  sentAt: number | null
  repliedAt: number | null
  bytesSent: number
  bytesReceived: number
  status: number | null
  logId: string | null
}

/** The head of a reply, and its body still on the wire. */
export interface HttpReply {
  readonly status: number
  /** As sent; empty when missing. Never decides how a body is read (service-notes 1). */
  readonly contentType: string
  readonly logId: string | null
  readonly retryAfterMs: number | null
  readonly location: string | null
  /** Who answered and what it could not do, where the answer is bytes and only a header can tell (this computer does). */
  readonly engine: string | null
  readonly notice: string | null
  /** Bytes as they come, unpacked; counted in the trace as they were sent. Leaving the loop early ends the connection. */
  readonly body: AsyncIterable<Uint8Array>
  /** Gives the connection up. */
  discard(): void
}

/** A trace before anything happened. */
export function newTrace(): Trace {
  return {
    host: '',
    sent: false,
    sentAt: null,
    repliedAt: null,
    bytesSent: 0,
    bytesReceived: 0,
    status: null,
    logId: null,
  }
}

/** A JSON request body. */
export function jsonBody(value: unknown): OutgoingBody {
  const bytes = Buffer.from(JSON.stringify(value), 'utf8')
  return {
    contentType: 'application/json',
    bytes: bytes.length,
    open: async function* () {
      yield bytes
    },
  }
}

/**
 * Sends one request and waits for the head of the reply. Redirects are not followed: the key goes to the origin of the
 * base URL and nowhere else. Throws what the network threw; BASE_URL_REFUSED, NO_KEY and KEY_REJECTED before sending.
 */
export async function send(
  agents: Agents,
  target: ServiceTarget,
  exchange: Exchange,
  trace: Trace,
  clock: () => number,
  signal?: AbortSignal,
): Promise<HttpReply> {
  const url = addressOf(target, exchange)
  trace.host = url.host
  const headers = headersOf(target, exchange)
  signal?.throwIfAborted()
  const reply = await agents.use(url, (dispatcher) =>
    watched(dispatcher, trace, clock).request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: exchange.method,
      headers,
      headersTimeout: exchange.timeouts.replyMs,
      bodyTimeout: exchange.timeouts.idleMs,
      ...(exchange.body && { body: counted(exchange.body, trace) }),
      ...(signal && { signal }),
    }),
  )
  trace.repliedAt = clock()
  trace.status = reply.statusCode
  trace.logId = headerText(reply.headers['x-log-id'])
  return {
    status: reply.statusCode,
    contentType: headerText(reply.headers['content-type']) ?? '',
    logId: trace.logId,
    retryAfterMs: retryAfterMs(
      headerText(reply.headers['retry-after']),
      httpDate(headerText(reply.headers['date'])) ?? clock(),
    ),
    location: headerText(reply.headers['location']),
    engine: headerText(reply.headers['x-engine']),
    notice: headerText(reply.headers['x-notice']),
    body: unpacked(
      countReceived(reply.body, trace),
      headerText(reply.headers['content-encoding'], ', '),
      trace.host,
    ),
    discard: () => void reply.body.on('error', () => {}).destroy(),
  }
}

function addressOf(target: ServiceTarget, exchange: Exchange): URL {
  const base = checkBaseUrl(target.baseUrl)
  if (!base.ok)
    throw new AppError('BASE_URL_REFUSED', 'The base URL of the account cannot be used.', {
      params: { reason: base.reason },
    })
  const url = new URL(base.url + exchange.path)
  if (url.origin !== new URL(base.url).origin)
    throw new AppError('BASE_URL_REFUSED', 'The address leaves the origin of the base URL.')
  for (const [name, value] of Object.entries(exchange.query ?? {}))
    url.searchParams.set(name, value)
  return url
}

function headersOf(target: ServiceTarget, exchange: Exchange): Record<string, string> {
  if (target.key === '') throw new AppError('NO_KEY', 'The account has no key.')
  // A line break in a header would be refused further down with words that quote it.
  if (!/^[\x21-\x7e]+$/.test(target.key))
    throw new AppError('KEY_REJECTED', 'The key holds characters no key has.')
  const { body } = exchange
  return {
    ...exchange.headers,
    authorization: `Bearer ${target.key}`,
    accept: exchange.accept,
    // Replies come plain: event streams must not wait for a compressor's block.
    'accept-encoding': 'identity',
    'accept-language': target.profile.acceptLanguage || '*',
    'user-agent': 'Lectern',
    ...(body && { 'content-type': body.contentType, 'content-length': String(body.bytes) }),
  }
}

/** Notes in the trace when a request reaches a connected socket: before that moment it cannot have arrived. */
function watched(dispatcher: Dispatcher, trace: Trace, clock: () => number): Dispatcher {
  return dispatcher.compose((dispatch) => (options, handler) => {
    const start = handler.onRequestStart?.bind(handler)
    handler.onRequestStart = (controller, context) => {
      trace.sent = true
      trace.sentAt = clock()
      start?.(controller, context)
    }
    return dispatch(options, handler)
  })
}

function counted(body: OutgoingBody, trace: Trace): Readable {
  const chunks = async function* () {
    for await (const chunk of body.open()) {
      trace.bytesSent += chunk.byteLength
      yield chunk
    }
  }
  return Readable.from(chunks(), { objectMode: false, highWaterMark: 1 })
}

async function* countReceived(body: Readable, trace: Trace): AsyncIterable<Uint8Array> {
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    trace.bytesReceived += chunk.byteLength
    yield chunk
  }
}

/** A header's text; of one that came several times the first, or all of them where they are a list. */
function headerText(value: string | string[] | undefined, joint?: string): string | null {
  const text = !Array.isArray(value) ? value : joint === undefined ? value[0] : value.join(joint)
  return text?.trim() || null
}
