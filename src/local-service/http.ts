import type { IncomingMessage } from 'node:http'

/** Request as handlers receive it. */
export interface ServiceRequest {
  readonly method: string
  /** Without the query. */
  readonly path: string
  readonly query: URLSearchParams
  /** Values of the `:name` parts of the route. */
  readonly params: Readonly<Record<string, string>>
  readonly incoming: IncomingMessage
  /** Aborted if the client disconnects before its response is complete, or if the service stops. */
  readonly signal: AbortSignal
}

/** Response before it is written: a complete body, or chunks as they are produced. */
export interface ServiceReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | ByteStream | AsyncIterable<string>
}

/** Bytes that are read while they are sent, so that a large file is never in memory as a whole. */
export interface ByteStream {
  readonly length: number
  readonly bytes: AsyncIterable<Uint8Array>
}

export function jsonReply(value: unknown, status = 200): ServiceReply {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify(value),
  }
}

/** Formats a server-sent event that carries JSON. */
export const jsonEvent = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`

/** The message that ends a stream (service-notes 1). */
export const endEvent = 'data: [DONE]\n\n'

/** Creates an event stream; each chunk of the source is one or more events from {@link jsonEvent}. */
export function eventStream(events: AsyncIterable<string>): ServiceReply {
  return {
    status: 200,
    headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' },
    body: events,
  }
}
