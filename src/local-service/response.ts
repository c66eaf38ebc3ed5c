/** An answer before it is written: a whole body, or pieces as they come. */
export interface ServiceReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | ByteStream | AsyncIterable<string>
}

/** Bytes that are read while they are sent, so that a large file never lies in memory whole. */
export interface ByteStream {
  readonly length: number
  readonly bytes: AsyncIterable<Uint8Array>
}

/** A JSON answer. */
export function jsonReply(value: unknown, status = 200): ServiceReply {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify(value),
  }
}

/** One server-sent event that carries JSON. */
export const jsonEvent = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`

/** The message that ends a stream (service-notes 1). */
export const endEvent = 'data: [DONE]\n\n'

/** An event stream; each piece of the source is one event or more, as {@link jsonEvent} makes them. */
export function eventStream(events: AsyncIterable<string>): ServiceReply {
  return {
    status: 200,
    headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' },
    body: events,
  }
}
