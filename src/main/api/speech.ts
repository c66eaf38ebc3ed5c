import type { Answered } from './answer.ts'
import type { CallParts } from './call.ts'
import type { CallOptions, ServiceTarget } from './types.ts'
import { notBuilt } from './not-built.ts'

/** What is to be said, and how (service-notes 3). */
export interface SpeechRequest {
  /** At most 1024 characters. */
  readonly input: string
  readonly voice: string
  /** 0.5 to 2. */
  readonly speed?: number
  /** Above 0, at most 10. */
  readonly volume?: number
  /** `wav` when absent; a stream is always `pcm`. */
  readonly format?: 'wav' | 'pcm'
  readonly watermark?: boolean
  /** The file the sound is written to: whole or not at all. */
  readonly to: string
}

/** What came of it. */
export interface SpeechResult {
  readonly bytes: number
  readonly format: 'wav' | 'pcm'
  /** Hertz of pcm where the stream tells, else 24,000; null for wav, whose header says it. */
  readonly sampleRate: number | null
}

/** Text to speech (service-notes 3). */
export interface SpeechApi {
  /** `POST /paas/v4/audio/speech`, plain. A JSON body in a 200 is an error. */
  create(
    target: ServiceTarget,
    request: SpeechRequest,
    options: CallOptions,
  ): Promise<Answered<SpeechResult>>
  /** The same as a stream of 16-bit mono pcm; `onAudio` gets each piece as it comes, `to` gets all of it. */
  stream(
    target: ServiceTarget,
    request: SpeechRequest,
    options: CallOptions & { onAudio?(pcm: Uint8Array, sampleRate: number): void },
  ): Promise<Answered<SpeechResult>>
}

/** Builds the family over the parts every call is made of. */
export function createSpeech(parts: CallParts): SpeechApi {
  return notBuilt(parts)
}
