import { AppError } from '../errors.ts'
import type { RawReply } from './types.ts'

/**
 * A stream that did not reach its end: STREAM_CUT (retriable) when the connection broke, was silent or ended early, CANCELLED
 * when it was stopped, the provider's own code when it reported a failure. The received content is preserved.
 */
export class StreamBroken<T> extends AppError {
  /** Content received until then. */
  readonly partial: T
  /** Raw stream received until then. */
  readonly raw: RawReply

  constructor(reason: AppError, partial: T, raw: RawReply) {
    super(...errorArguments(reason))
    this.name = 'StreamBroken'
    this.partial = partial
    this.raw = raw
  }

  /** The failure without the partial result, which may have many megabytes. */
  get reason(): AppError {
    return new AppError(...errorArguments(this))
  }
}

function errorArguments(reason: AppError): ConstructorParameters<typeof AppError> {
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

/** A transcription stream that did not reach its end, with the text received so far, which may be empty. */
export class TranscriptionCut extends StreamBroken<string> {
  readonly text: string

  constructor(reason: AppError, text: string, raw: RawReply) {
    super(reason, text, raw)
    this.name = 'TranscriptionCut'
    this.text = text
  }
}
