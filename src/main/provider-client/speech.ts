import { wireModel } from '../../shared/provider/profiles.ts'
import { AppError } from '../errors.ts'
import type { Answered, CallOptions, ServiceTarget } from './types.ts'
import { requireJson } from './body.ts'
import { performCall, type Call, type CallParts, type ReadContext } from './call.ts'
import { failureInside, type ErrorBody, readErrorBody } from './errors.ts'
import { readEventReply, type EventReader, type EndMark } from './event-call.ts'
import { saveReply, storedAnswer, startsAsPage, type SavedPart } from './file-download.ts'
import { openSink, type FileSink } from './file-sink.ts'
import { failureOfFinish } from './finish-reasons.ts'
import { jsonBody, type HttpReply } from './http.ts'
import { isRecord, parseJson } from './json.ts'
import { malformed, textIn, numberIn, recordFrom, recordsFrom, type JsonRecord } from './lenient.ts'
import { checkRange, illegal, over, requireSome } from './request-limits.ts'

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

interface SpeechResult {
  readonly bytes: number
  readonly format: 'wav' | 'pcm'
  /**
   * Sample rate of PCM in hertz if the stream reports it, otherwise 24,000; null for WAV, whose header contains it.
   */
  readonly sampleRate: number | null
}

/** Text to speech (service-notes 3). Safe to repeat until the first audio: nothing is created. */
export type SpeechApi = ReturnType<typeof createSpeech>

export function createSpeech(parts: CallParts) {
  return {
    /** `POST /paas/v4/audio/speech`, not streamed. A JSON body in a 200 is an error. */
    async create(
      target: ServiceTarget,
      request: SpeechRequest,
      options: CallOptions,
    ): Promise<Answered<SpeechResult>> {
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
    /** The same as a stream of 16-bit mono PCM; `onAudio` receives each chunk on arrival, `to` receives all of it. */
    async stream(
      target: ServiceTarget,
      request: SpeechRequest,
      {
        onAudio,
        ...options
      }: CallOptions & { onAudio?(pcm: Uint8Array, sampleRate: number): void },
    ): Promise<Answered<SpeechResult>> {
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

/**
 * Rejects a 200 response that is not audio (service-notes 3): an empty one, JSON, a page, an event stream, or a WAV without a
 * WAV header. Only the bytes matter, not the content type. Raw PCM may begin with any byte, so only a complete JSON text
 * distinguishes text from audio.
 */
async function assertAudio(
  saved: SavedPart,
  format: 'wav' | 'pcm',
  reply: HttpReply,
  context: ReadContext,
): Promise<void> {
  if (saved.bytes === 0) throw malformed('empty')
  const head = Buffer.from(saved.head)
  const words = head.toString('utf8').replace(/^[\s\ufeff]+/, '')
  if (/^[{["]/.test(words)) {
    const json = parseJson((await saved.text()) ?? '')
    if (json !== undefined) throw failureOf(json, reply, context)
  }
  if (startsAsPage(words)) {
    // Reports the page by its title.
    requireJson((await saved.text()) ?? '<', reply, context.redact)
  }
  if (/^(data|event):\s?[{[\w]/.test(words)) throw malformed('events')
  if (format === 'wav' && !/^(RIFF|RIFX|RF64)$/.test(head.toString('latin1', 0, 4)))
    throw malformed('not-wav')
}

/** Returns the error for a JSON body in a successful response, with its own message if it has one. */
function failureOf(json: unknown, reply: HttpReply, context: ReadContext): Error {
  const failure = failureInside(json)
  if (failure) return context.failure(reply, failure)
  const message = isRecord(json) ? (textIn(json, 'message') ?? textIn(json, 'msg')) : null
  return message === null ? malformed('json') : context.failure(reply, { code: null, message })
}

/**
 * Base64 of 1,024 slowly spoken characters is some tens of megabytes; only its beginning is stored in addition to the audio.
 */
const bounds = { maxSaved: 4096, maxTotal: 512 * 1024 * 1024 }

/** Called with each chunk of whole 16-bit samples and their rate in hertz. */
type OnAudio = (pcm: Uint8Array, sampleRate: number) => void

/**
 * Reads an audio stream into the file `to`. A stream that does not reach its end leaves the received data in a part file next
 * to it, named in the error's params as `part`, with its `bytes`, so that audio the user already listened to is not lost. A
 * JSON answer in place of a stream is an error.
 */
async function readSpeechStream(
  reply: HttpReply,
  context: ReadContext,
  to: string,
  onAudio: OnAudio | undefined,
): Promise<Answered<SpeechResult>> {
  const sink = await openSink(to)
  try {
    const answer = await readEventReply(reply, context, {
      open: () => readerOver(sink, context, onAudio),
      broken: (reason) => reason,
      bounds,
    })
    if (sink.bytes === 0)
      throw new AppError('MALFORMED_REPLY', 'The stream contained no audio.', {
        params: { reason: 'no-sound' },
      })
    await sink.finish()
    return answer
  } catch (error) {
    const part = await sink.keep()
    throw part === null ? error : naming(part, sink.bytes, error)
  }
}

/** Returns a reader that passes decoded chunks to the disk and to the caller. */
function readerOver(
  sink: FileSink,
  context: ReadContext,
  onAudio: OnAudio | undefined,
): EventReader<SpeechResult> {
  let broken: Error | null = null
  return createSpeechReader((pcm, sampleRate) => {
    // A full disk ends the stream at the next chunk.
    if (broken) throw broken
    sink.write(pcm).catch((error: Error) => (broken = error))
    context.streamed()
    onAudio?.(pcm, sampleRate)
  })
}

function naming(part: string, bytes: number, error: unknown): unknown {
  if (!(error instanceof AppError)) return error
  const silent = error.code === 'TIMEOUT' || error.code === 'OFFLINE'
  return new AppError(silent ? 'STREAM_CUT' : error.code, error.message, {
    retriable: error.retriable,
    params: { ...error.params, part, bytes },
    ...(error.service && { service: error.service }),
    ...(error.retryAfterMs !== undefined && { retryAfterMs: error.retryAfterMs }),
    cause: error,
  })
}

/** Default sample rate of PCM in hertz (service-notes 3). */
const defaultSampleRate = 24_000

/**
 * Reads the chunks of a speech stream (service-notes 3): `choices[].delta.content` in base64 or hex, `return_sample_rate`
 * next to it, a last chunk without `delta`, an `error` instead. `onPcm` receives whole samples: a byte without its other half
 * is held back until the next chunk.
 */
function createSpeechReader(
  onPcm: (pcm: Uint8Array, sampleRate: number) => void,
): EventReader<SpeechResult> {
  let end: EndMark = 'open'
  let sampleRate = defaultSampleRate
  let bytes = 0
  let half: Uint8Array = new Uint8Array(0)
  const decode = createDecoder()

  const give = (chunk: Uint8Array): void => {
    const joined = half.length === 0 ? chunk : Buffer.concat([half, chunk])
    const whole = joined.length - (joined.length % 2)
    half = joined.subarray(whole)
    if (whole === 0) return
    bytes += whole
    onPcm(joined.subarray(0, whole), sampleRate)
  }

  const receiveChoice = (choice: JsonRecord, event: JsonRecord): ErrorBody | null => {
    const delta = recordFrom(choice['delta']) ?? recordFrom(choice['message']) ?? {}
    const rate =
      numberIn(delta, 'return_sample_rate') ??
      numberIn(choice, 'return_sample_rate') ??
      numberIn(event, 'return_sample_rate')
    if (rate !== null && rate > 0) sampleRate = rate
    const content = textIn(delta, 'content')
    if (content !== null) give(decode(content))
    const finish = choice['finish_reason']
    if (typeof finish === 'string' && finish !== '') end = 'said'
    return failureOfFinish(finish)
  }

  return {
    take(event) {
      const { error } = event
      if (
        (isRecord(error) && Object.keys(error).length > 0) ||
        (typeof error === 'string' && error !== '')
      )
        return readErrorBody(event) ?? { code: null, message: null }
      for (const choice of recordsFrom(event['choices'])) {
        const failure = receiveChoice(choice, event)
        if (failure) return failure
      }
      return null
    },
    // Audio is never sent as one JSON value: whatever this contains, it is not an answer.
    whole(json) {
      const message = textIn(json, 'message') ?? textIn(json, 'msg')
      if (message === null) throw malformed('json')
      return { code: null, message }
    },
    get end() {
      return end
    },
    value: () => ({ bytes, format: 'pcm', sampleRate }),
  }
}

/**
 * Decodes the chunks of one stream; the encoding of the first applies to all. Throws MALFORMED_REPLY for anything else.
 */
function createDecoder(): (content: string) => Buffer {
  let encoding: 'base64' | 'hex' | null = null
  return (content) => {
    const text = content.trim()
    encoding ??= encodingOf(text)
    const legal = encoding === 'hex' ? /^(?:[\da-f]{2})*$/i : /^[\w+/-]*={0,2}$/
    if (!legal.test(text)) throw malformed('audio-encoding')
    return Buffer.from(text, encoding)
  }
}

/**
 * Returns base64 unless the text can only be hex: pairs of the sixteen digits in one case. Silence is `AAAA...` in base64 and
 * `0000...` in hex; letters alone are therefore base64, and real audio contains other letters within a few samples.
 */
function encodingOf(text: string): 'base64' | 'hex' {
  const pairs = text.length % 2 === 0 && /\d/.test(text)
  return pairs && (/^[\da-f]+$/.test(text) || /^[\dA-F]+$/.test(text)) ? 'hex' : 'base64'
}
