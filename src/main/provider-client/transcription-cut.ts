import type { AppError } from '../errors.ts'
import type { RawReply } from './answer.ts'
import { StreamBroken } from './stream-broken.ts'

/** A transcription stream that did not reach its end, with the text received so far, which may be empty. */
export class TranscriptionCut extends StreamBroken<string> {
  readonly text: string

  constructor(reason: AppError, text: string, raw: RawReply) {
    super(reason, text, raw)
    this.name = 'TranscriptionCut'
    this.text = text
  }
}
