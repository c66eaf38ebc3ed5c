import { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import { checkBaseUrl } from '../../shared/provider/profiles.ts'
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
  /** Opens a new iteration over the body, with constant memory for files. */
  open(): AsyncIterable<Uint8Array>
}

export interface Exchange {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Below the base URL, starting with `/`; IDs in it are already percent-encoded. */
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: OutgoingBody
  /** Any type when the response is a file. */
  readonly accept:
    | 'application/json'
    | 'text/event-stream'
    | 'text/event-stream, application/json'
    | '*/*'
  readonly timeouts: Timeouts
}

/** Network progress of a call; updated while it runs, read by Activity and the retry rules. */
export interface Trace {
  host: string
  /** Whether the request was written to a connected socket. */
  sent: boolean
  /** Time of sending, and of the response head, in Unix milliseconds. */
  sentAt: number | null
  repliedAt: number | null
  bytesSent: number
  bytesReceived: number
  status: number | null
  logId: string | null
}

/** The head of a response, and its body still to be read. */
export interface HttpReply {
  readonly status: number
  /** As sent; empty when missing. Never determines how a body is read (service-notes 1). */
  readonly contentType: string
  readonly logId: string | null
  readonly retryAfterMs: number | null
  readonly location: string | null
  /**
   * Engine that answered and its limitations, for binary responses where only a header can report them (the local service
   * does).
   */
  readonly engine: string | null
  readonly notice: string | null
  /**
   * Decompressed bytes as they arrive; the trace counts them as sent. Leaving the loop early ends the connection.
   */
  readonly body: AsyncIterable<Uint8Array>
  /** Closes the connection. */
  discard(): void
}

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
 * Sends one request and waits for the response head. Redirects are not followed: the key is sent only to the origin of the
 * base URL. Throws network errors unchanged; BASE_URL_REFUSED, NO_KEY and KEY_REJECTED before sending.
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
    engine: utf8Text(headerText(reply.headers['x-engine'])),
    notice: utf8Text(headerText(reply.headers['x-notice'])),
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
    throw new AppError('BASE_URL_REFUSED', 'The account’s base URL is invalid.', {
      params: { reason: base.reason },
    })
  const url = new URL(base.url + exchange.path)
  if (url.origin !== new URL(base.url).origin)
    throw new AppError('BASE_URL_REFUSED', 'The URL is outside the origin of the base URL.')
  for (const [name, value] of Object.entries(exchange.query ?? {}))
    url.searchParams.set(name, value)
  return url
}

function headersOf(target: ServiceTarget, exchange: Exchange): Record<string, string> {
  if (target.key === '') throw new AppError('NO_KEY', 'The account has no API key.')
  // A line break in a header would be rejected further down by an error that quotes it.
  if (!/^[\x21-\x7e]+$/.test(target.key))
    throw new AppError('KEY_REJECTED', 'The API key contains invalid characters.')
  const { body } = exchange
  return {
    ...exchange.headers,
    authorization: `Bearer ${target.key}`,
    accept: exchange.accept,
    // No compression: event streams must not wait for a compressor's block.
    'accept-encoding': 'identity',
    'accept-language': target.profile.acceptLanguage || '*',
    'user-agent': 'Lectern',
    ...(body && { 'content-type': body.contentType, 'content-length': String(body.bytes) }),
  }
}

/** Wraps a dispatcher to record when a request reaches a connected socket: before that it cannot have arrived. */
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

/** Returns a header's text; of repeated headers the first, or all of them if they form a list. */
function headerText(value: string | string[] | undefined, joint?: string): string | null {
  const text = !Array.isArray(value) ? value : joint === undefined ? value[0] : value.join(joint)
  return (text && trimAscii(text)) || null
}

/** Trims ASCII whitespace only: other characters may be bytes of a UTF-8 text. */
function trimAscii(text: string): string {
  const isSpace = (at: number): boolean => ' \t\r\n\f\v'.includes(text.charAt(at))
  let start = 0
  let end = text.length
  while (start < end && isSpace(start)) start += 1
  while (end > start && isSpace(end - 1)) end -= 1
  return text.slice(start, end)
}

/**
 * Decodes a header sent as in RFC 8187 (`UTF-8''…`) or in plain UTF-8, of which the client sees one character for each byte;
 * other text stays as it is.
 */
function utf8Text(value: string | null): string | null {
  if (value === null) return null
  try {
    if (value.startsWith("UTF-8''")) return decodeURIComponent(value.slice(7))
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(value, 'latin1'))
  } catch {
    return value
  }
}
