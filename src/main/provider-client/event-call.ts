import type { Answered, CallOptions, ServiceTarget } from './types.ts'
import { createAnswerLimit, eventLimit } from './answer-limit.ts'
import { performCall, type CallParts } from './call.ts'
import { readEventReply, type EventReader } from './event-reply.ts'
import { jsonBody } from './http.ts'
import type { TextBounds } from './bounded-text.ts'
import type { Repeat, RetryBounds } from './retry.ts'
import { StreamBroken } from './stream-broken.ts'
import type { Timeouts } from './timeouts.ts'

/** An operation that sends JSON and receives an event stream, or one JSON value in its place. */
interface EventOperation<T> {
  /** Name in Activity, for example `agents.chat`. */
  readonly operation: string
  /** Model ID in the API; null for calls without one. */
  readonly model: string | null
  readonly repeat: Repeat
  readonly retryBounds?: RetryBounds
  /** Path below the base URL. The method is POST. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** Returns the body for the ID that all attempts share. */
  json(requestId: string): unknown
  /** Requested format; either is read. */
  readonly accept: 'application/json' | 'text/event-stream'
  readonly timeouts: Timeouts
  /**
   * Returns a reader for one attempt. It calls `streamed` with each event before emitting it, after which nothing is retried.
   * Throws ANSWER_TOO_LONG for an answer beyond the limit.
   */
  open(streamed: (event: object) => void): EventReader<T>
}

/**
 * Raw streams of some megabytes are saved in full. Of a longer stream only the beginning is: its events contain everything
 * that was received. A stream with images may be longer and is still read.
 */
const bounds: TextBounds = { maxSaved: 4 * 1024 * 1024, maxTotal: 256 * 1024 * 1024 }

/**
 * Performs the call; the caller makes the checks. Throws AppError, or {@link StreamBroken} with the partial result when the
 * stream did not end.
 */
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
          bounds: options.unkept ? { ...bounds, maxSaved: 0 } : bounds,
        }),
    },
    options,
  )
}
