import { engineNotices } from '../../shared/provider/engine-notices.ts'
import { limits } from '../../shared/provider/limits.ts'
import type { ServiceContext, Route, Handler } from '../context.ts'
import { ServiceError } from '../errors.ts'
import { readJsonBody, type JsonObject } from '../json-body.ts'
import {
  booleanOf,
  choiceOf,
  numberOf,
  requestIdOf,
  requiredText,
  userIdOf,
} from '../json-fields.ts'
import { brandedModel } from '../model-field.ts'
import { endEvent, eventStream, jsonEvent } from '../http.ts'
import { officialIds } from '../voices/official.ts'
import { pcmInside, spoken, voiceRate, wavAround } from '../voices/voice-audio.ts'
import { voiceStore } from '../voices/store.ts'
import { voiceEngine } from './voices.ts'

/** Validated speech request (service-notes 3). */
interface SpeechOrder {
  readonly voice: string
  readonly speed: number
  readonly volume: number
  readonly format: 'pcm' | 'wav'
  /** Encoding of the stream chunks; null if the whole audio is returned at once. */
  readonly stream: 'base64' | 'hex' | null
  readonly requestId: string | undefined
}

const notice = engineNotices.cannotSpeak

/** Bytes of PCM in one stream chunk: 0.2 seconds. */
const chunkBytes = (voiceRate * 2) / 5

function readOrder(body: JsonObject): SpeechOrder {
  // Clients still send the older name `cogtts`.
  if (body.values['model'] !== 'cogtts') brandedModel(body, ['tts'])
  requiredText(body, 'input', { max: limits.speech.chars })
  const voice = requiredText(body, 'voice')
  const speed =
    numberOf(body, 'speed', { min: limits.speech.minSpeed, max: limits.speech.maxSpeed }) ?? 1
  const volume = numberOf(body, 'volume', { max: limits.speech.maxVolume }) ?? 1
  if (volume <= 0) throw new ServiceError('fieldIllegal', 'volume must be above 0 and at most 10')
  const format = choiceOf(body, 'response_format', ['pcm', 'wav']) ?? 'pcm'
  const encoding = choiceOf(body, 'encode_format', ['base64', 'hex']) ?? 'base64'
  const streamed = booleanOf(body, 'stream', false)
  if (streamed && format !== 'pcm')
    throw new ServiceError('conflict', 'Only pcm can be streamed: response_format must be pcm')
  booleanOf(body, 'watermark_enabled', true)
  userIdOf(body)
  const requestId = requestIdOf(body)
  return { voice, speed, volume, format, stream: streamed ? encoding : null, requestId }
}

/**
 * Returns the audio of a cloned voice. Throws 1212 for a built-in voice of the service, 1214 for an unknown one.
 */
async function audioOf(order: SpeechOrder, { state, media }: ServiceContext): Promise<Buffer> {
  const voice = voiceStore(state).get(order.voice)
  if (!voice && officialIds.has(order.voice))
    throw new ServiceError(
      'unsupported',
      'Speech isn’t available on-device. Only the sample of a cloned voice can be played',
    )
  if (!voice) throw new ServiceError('fieldIllegal', 'voice is not the id of a voice')
  const sample = await media.read(voice.sample)
  if (!sample) throw new ServiceError('callFailed', 'The voice’s sample is missing')
  return spoken(pcmInside(sample), order.speed, order.volume)
}

/** Stream chunks of service-notes 3: PCM data, a last chunk without `delta`, then `[DONE]`. */
async function* chunks(
  pcm: Buffer,
  encoding: 'base64' | 'hex',
  head: { readonly id: string; readonly created: number; readonly request_id: string },
): AsyncGenerator<string> {
  for (let at = 0; at < pcm.length; at += chunkBytes) {
    const content = pcm.subarray(at, at + chunkBytes).toString(encoding)
    const delta = { role: 'assistant', content, return_sample_rate: voiceRate }
    yield jsonEvent({ ...head, choices: [{ index: 0, delta, finish_reason: null }] })
  }
  const last = { ...head, choices: [{ index: 0, finish_reason: 'stop' }] }
  yield jsonEvent({ ...last, engine: voiceEngine, notice })
  yield endEvent
}

/** `POST /paas/v4/audio/speech` (service-notes 3): returns the whole audio or an event stream. */
const speak: Handler = async ({ incoming }, context) => {
  const order = readOrder(await readJsonBody(incoming))
  const pcm = await audioOf(order, context)
  if (order.stream === null) {
    const body = order.format === 'wav' ? wavAround(pcm) : pcm
    // Binary responses have no field for these texts, so they are sent as headers (RFC 8187).
    const headers = {
      'content-type': order.format === 'wav' ? 'audio/wav' : 'audio/pcm',
      'x-engine': voiceEngine,
      'x-notice': `UTF-8''${encodeURIComponent(notice)}`,
    }
    return { status: 200, headers, body }
  }
  const head = {
    id: `tts-${context.ids()}`,
    created: Math.floor(context.clock() / 1000),
    request_id: order.requestId ?? context.ids(),
  }
  return eventStream(chunks(pcm, order.stream, head))
}

export const speechRoutes: readonly Route[] = [['POST', '/paas/v4/audio/speech', speak]]
