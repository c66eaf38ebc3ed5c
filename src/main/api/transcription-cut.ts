import { AppError } from '../errors.ts'
import type { TranscriptionResult } from './types.ts'

/**
 * A transcription stream that did not reach its end: STREAM_CUT (retriable) when the connection broke, went silent or ended
 * early, CANCELLED when it was stopped, the service's own code when it told a failure. What had come is kept.
 */
export class TranscriptionCut extends AppError {
  /** The text until then; may be empty. */
  readonly text: string
  /** The stream as received until then. */
  readonly raw: TranscriptionResult['raw']

  constructor(reason: AppError, text: string, raw: TranscriptionResult['raw']) {
    const idle = reason.code === 'TIMEOUT' || reason.code === 'OFFLINE'
    super(idle ? 'STREAM_CUT' : reason.code, reason.message, {
      retriable: reason.retriable,
      ...(reason.params && { params: reason.params }),
      ...(reason.service && { service: reason.service }),
      ...(reason.retryAfterMs !== undefined && { retryAfterMs: reason.retryAfterMs }),
    })
    this.name = 'TranscriptionCut'
    this.text = text
    this.raw = raw
  }
}
