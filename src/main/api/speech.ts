import { wireModel } from '../../shared/service/profiles.ts'
import type { Answered } from './answer.ts'
import { performCall } from './call.ts'
import type { Call, CallParts } from './call.ts'
import { saveReply, storedAnswer } from './file-download.ts'
import { jsonBody } from './http.ts'
import { checkRange, illegal, over, requireSome } from './request-limits.ts'
import { defaultSampleRate } from './speech-chunks.ts'
import { assertAudio } from './speech-response.ts'
import { readSpeechStream } from './speech-stream.ts'
import type { CallOptions, ServiceTarget } from './types.ts'

/** Text to synthesize, with options (service-notes 3). */
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
  /** File for the audio: complete or not written at all. */
  readonly to: string
}

export interface SpeechResult {
  readonly bytes: number
  readonly format: 'wav' | 'pcm'
  /**
   * Sample rate of PCM in hertz if the stream reports it, otherwise 24,000; null for WAV, whose header contains it.
   */
  readonly sampleRate: number | null
}

/** Text to speech (service-notes 3). */
export interface SpeechApi {
  /** `POST /paas/v4/audio/speech`, not streamed. A JSON body in a 200 is an error. */
  create(
    target: ServiceTarget,
    request: SpeechRequest,
    options: CallOptions,
  ): Promise<Answered<SpeechResult>>
  /** The same as a stream of 16-bit mono PCM; `onAudio` receives each chunk on arrival, `to` receives all of it. */
  stream(
    target: ServiceTarget,
    request: SpeechRequest,
    options: CallOptions & { onAudio?(pcm: Uint8Array, sampleRate: number): void },
  ): Promise<Answered<SpeechResult>>
}

/**
 * Creates the endpoints of this family from the shared call parts. Safe to repeat until the first audio: nothing is created.
 */
export function createSpeech(parts: CallParts): SpeechApi {
  return {
    async create(target, request, options) {
      checkSpeech(request, target)
      const format = request.format ?? 'wav'
      const call: Call<Answered<SpeechResult>> = {
        ...sending(parts, target, request, format, false),
        operation: 'speech.create',
        async read(reply, context) {
          const bytes = await saveReply(
            reply,
            request.to,
            (saved) => assertAudio(saved, format, reply, context),
            maxBytesOf(request.input),
          )
          const sampleRate = format === 'pcm' ? defaultSampleRate : null
          return storedAnswer({ bytes, format, sampleRate }, reply, context)
        },
      }
      return performCall(parts, target, call, options)
    },
    async stream(target, request, { onAudio, ...options }) {
      checkSpeech(request, target)
      if (request.format === 'wav') throw illegal('response_format', 'wav')
      const call: Call<Answered<SpeechResult>> = {
        ...sending(parts, target, request, 'pcm', true),
        operation: 'speech.stream',
        read: (reply, context) => readSpeechStream(reply, context, request.to, onAudio),
      }
      return performCall(parts, target, call, options)
    },
  }
}

/**
 * Maximum number of audio bytes for a text: at a second per character in the best quality, longer audio never ends.
 */
const maxBytesOf = (input: string): number => 4 * 1024 ** 2 + input.length * 256 * 1024

/** Builds the request: optional fields only if set, the format always, since the provider defaults to PCM. */
function sending(
  parts: CallParts,
  target: ServiceTarget,
  request: SpeechRequest,
  format: 'wav' | 'pcm',
  stream: boolean,
): Pick<Call<unknown>, 'model' | 'repeat' | 'exchange'> {
  const { input, voice, speed, volume, watermark } = request
  const model = wireModel(target.profile, 'gen-tts')
  return {
    model,
    // Nothing is created, and a failed attempt was not played.
    repeat: 'safe',
    exchange: (requestId) => ({
      method: 'POST',
      path: '/paas/v4/audio/speech',
      body: jsonBody({
        model,
        input,
        voice,
        ...(speed !== undefined && { speed }),
        ...(volume !== undefined && { volume }),
        response_format: format,
        ...(stream && { stream }),
        ...(watermark !== undefined && { watermark_enabled: watermark }),
        request_id: requestId,
      }),
      accept: stream ? 'text/event-stream' : '*/*',
      timeouts: parts.longCall,
    }),
  }
}

/** Rejects violations of the limits in service-notes 3. */
function checkSpeech(request: SpeechRequest, target: ServiceTarget): void {
  const { input, voice, speed, volume } = request
  const { chars, minSpeed, maxSpeed, maxVolume } = target.limits.speech
  requireSome('input', input)
  if (input.length > chars) throw over('LIMIT_EXCEEDED', 'input', chars, input.length)
  requireSome('voice', voice)
  if (speed !== undefined) checkRange('speed', speed, { min: minSpeed, max: maxSpeed })
  if (volume === undefined) return
  checkRange('volume', volume, { min: 0, max: maxVolume })
  // The minimum is exclusive.
  if (volume === 0) throw illegal('volume', volume)
}
