import type { Answered } from './answer.ts'
import { createAnswerLimit, eventLimit } from './answer-limit.ts'
import { performCall } from './call.ts'
import type { CallParts } from './call.ts'
import { readEventReply } from './event-reply.ts'
import type { EventReader } from './event-reply.ts'
import { jsonBody } from './http.ts'
import type { TextBounds } from './bounded-text.ts'
import type { Repeat, RetryBounds } from './retry.ts'
import { StreamBroken } from './stream-broken.ts'
import type { Timeouts } from './timeouts.ts'
import type { CallOptions, ServiceTarget } from './types.ts'

/** An operation that sends JSON and is answered with an event stream, or with one JSON value in its place. */
export interface EventOperation<T> {
  /** As Activity names it, for example `agents.chat`. */
  readonly operation: string
  /** The model id on the wire; null for calls without one. */
  readonly model: string | null
  readonly repeat: Repeat
  readonly retryBounds?: RetryBounds
  /** Below the base URL. The method is POST. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** The body, given the id that all attempts share. */
  json(requestId: string): unknown
  /** What is asked for; either form is read. */
  readonly accept: 'application/json' | 'text/event-stream'
  readonly timeouts: Timeouts
  /**
   * A reader for one attempt; it calls `streamed` with each event before its caller learns of it, after which nothing is repeated.
   * Throws ANSWER_TOO_LONG for what is beyond any answer.
   */
  open(streamed: (event: object) => void): EventReader<T>
}

/** A stream of some megabytes is kept whole; of a longer one the events have what came, and a stream of pictures is read all the same. */
const bounds: TextBounds = { kept: 4 * 1024 * 1024, most: 256 * 1024 * 1024 }

/** Makes such a call: checks are the caller's. Throws AppError; {@link StreamBroken} with what had come when the stream did not end. */
export async function callEvents<T>(
  parts: CallParts,
  target: ServiceTarget,
  operation: EventOperation<T>,
  options: CallOptions,
): Promise<Answered<T>> {
  const { operation: name, model, repeat, retryBounds, path, headers, accept } = operation
  return performCall<Answered<T>>(
    parts,
    target,
    {
      operation: name,
      model,
      repeat,
      ...(retryBounds && { retryBounds }),
      exchange: (requestId) => ({
        method: 'POST',
        path,
        ...(headers && { headers }),
        body: jsonBody(operation.json(requestId)),
        accept,
        timeouts: operation.timeouts,
      }),
      read: (reply, context) =>
        readEventReply(reply, context, {
          open() {
            const count = createAnswerLimit()
            return operation.open((event) => {
              context.streamed()
              count(event)
            })
          },
          eventLimit,
          broken: (reason, partial, raw) => new StreamBroken(reason, partial, raw),
          bounds: options.unkept ? { ...bounds, kept: 0 } : bounds,
        }),
    },
    options,
  )
}
