import { AppError } from '../errors.ts'
import type { RawReply } from './answer.ts'

/**
 * A stream that did not reach its end: STREAM_CUT (retriable) when the connection broke, went silent or ended early,
 * CANCELLED when it was stopped, the service's own code when it told a failure. What had come is kept.
 */
export class StreamBroken<T> extends AppError {
  /** What the stream had brought until then. */
  readonly partial: T
  /** The stream as received until then. */
  readonly raw: RawReply

  constructor(reason: AppError, partial: T, raw: RawReply) {
    super(...wordsOf(reason))
    this.name = 'StreamBroken'
    this.partial = partial
    this.raw = raw
  }

  /** The failure alone: what had come may be many megabytes. */
  get reason(): AppError {
    return new AppError(...wordsOf(this))
  }
}

function wordsOf(reason: AppError): ConstructorParameters<typeof AppError> {
  const silent = reason.code === 'TIMEOUT' || reason.code === 'OFFLINE'
  return [
    silent ? 'STREAM_CUT' : reason.code,
    reason.message,
    {
      retriable: reason.retriable,
      ...(reason.params && { params: reason.params }),
      ...(reason.service && { service: reason.service }),
      ...(reason.retryAfterMs !== undefined && { retryAfterMs: reason.retryAfterMs }),
    },
  ]
}
