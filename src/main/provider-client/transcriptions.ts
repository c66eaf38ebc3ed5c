import { wireModel } from '../../shared/provider/profiles.ts'
import { AppError } from '../errors.ts'
import { performCall, type Call, type CallParts } from './call.ts'
import { readEventReply, type EventReader } from './event-call.ts'
import type { TextBounds } from './bounded-text.ts'
import { createMaskedFragments } from './masked-fragments.ts'
import { multipart, type FormField } from './multipart.ts'
import { isNoSpeech } from './no-speech.ts'
import type { RetryBounds } from './retry.ts'
import { createTranscriptText } from './transcript-text.ts'
import { TranscriptionCut } from './stream-broken.ts'
import { checkTranscription } from './request-limits.ts'
import type {
  CallOptions,
  ServiceTarget,
  TranscriptionRequest,
  TranscriptionResult,
} from './types.ts'

/** Neutral ID of the transcription model (service-notes 4). */
const transcriptionModel = 'gen-asr-2512'

/**
 * A transcription is a job that retries automatically and visibly. Here only momentary failures are retried, once: a
 * connection that was closed while idle, or a single failure.
 */
const transcriptionRetries: RetryBounds = { attempts: 2, maxWaitMs: 2000 }

/** Maximum size of an event stream, all of it stored: half a minute of speech is some kilobytes. */
const streamBounds: TextBounds = { maxSaved: 16 * 1024 * 1024, maxTotal: 16 * 1024 * 1024 }

/** Called with each text delta on arrival; joined they form the text, unless the end replaced it. */
type OnDelta = (delta: string) => void

/**
 * `POST /paas/v4/audio/transcriptions` (service-notes 4), streamed or not. Limits are checked before sending. Safe to repeat:
 * nothing is created. Throws AppError; a stream that broke off throws {@link TranscriptionCut} with the text received.
 */
export async function createTranscription(
  parts: CallParts,
  target: ServiceTarget,
  request: TranscriptionRequest,
  options: CallOptions & { onDelta?: OnDelta },
): Promise<TranscriptionResult> {
  checkTranscription(request, target)
  const model = wireModel(target.profile, transcriptionModel)
  const boundary = `lectern-${parts.deps.ids()}`
  const call: Call<TranscriptionResult> = {
    operation: 'transcriptions.create',
    model,
    repeat: 'safe',
    retryBounds: transcriptionRetries,
    exchange: (requestId) => ({
      method: 'POST',
      path: '/paas/v4/audio/transcriptions',
      // Either format is read.
      accept: request.stream ? 'text/event-stream, application/json' : 'application/json',
      timeouts: parts.longCall,
      body: multipart(formOf(request, target, model, requestId), boundary),
    }),
    async read(reply, context) {
      const fragments = createMaskedFragments(parts.redactor, (text) => {
        context.streamed()
        options.onDelta?.(text)
      })
      const transcribed = await readEventReply<TranscriptReply>(reply, context, {
        open: () => readerOf(fragments.add),
        // Several fragments may form a key together.
        broken: (reason, { text }, raw) => new TranscriptionCut(reason, context.mask(text), raw),
        bounds: streamBounds,
      }).finally(() => fragments.end())
      const { value, engine, requestId, notice, raw } = transcribed
      return {
        text: context.mask(value.text),
        noSpeech: isNoSpeech(value.text),
        model: modelNameOf(engine, value.model, model),
        requestId,
        notice,
        raw,
      }
    },
  }
  return performCall(parts, target, call, options)
}

/** Returns the form, with fields before the file so that a provider can reject early. */
function formOf(
  request: TranscriptionRequest,
  target: ServiceTarget,
  model: string,
  requestId: string,
): readonly FormField[] {
  const { wire } = target.profile
  const { file, prompt, hotwords, userId } = request
  return [
    { name: 'model', value: model },
    { name: 'stream', value: String(request.stream) },
    { name: 'request_id', value: requestId },
    ...(userId === undefined ? [] : [{ name: 'user_id', value: userId }]),
    ...(prompt === '' ? [] : [{ name: wire.transcriptionPrompt, value: prompt }]),
    ...hotwords.map((word) => ({ name: wire.transcriptionHotwords, value: word })),
    { name: 'file', file: { ...file, name: fileNameOf(file) } },
  ]
}

/** Returns the file name with the extension of its content: providers detect the format by it. */
function fileNameOf(file: TranscriptionRequest['file']): string {
  const ending = file.mime === 'audio/wav' ? '.wav' : '.mp3'
  const base = file.name.replace(/^.*[/\\]/, '').slice(0, 200)
  if (base.toLowerCase().endsWith(ending)) return base
  return `${base.replace(/\.[A-Za-z0-9]{1,5}$/, '') || 'audio'}${ending}`
}

/** Maximum shown length of an engine or model name, in characters. */
const maxNameLength = 200

/** Returns the source of the transcript: the engine named in the response, its model, or the requested model. */
function modelNameOf(
  engine: string | null,
  reportedModel: string | null,
  requestedModel: string,
): string {
  const name = [engine, reportedModel].find((one) => one !== null && one.trim() !== '')
  return name?.trim().slice(0, maxNameLength) ?? requestedModel
}

/** The text of a response in either format, and the model it names. */
interface TranscriptReply {
  readonly text: string
  readonly model: string | null
}

function readerOf(emit: (text: string) => void): EventReader<TranscriptReply> {
  const transcript = createTranscriptText()
  return {
    take(event) {
      const step = transcript.take(event)
      if (step.type === 'failure') return step.body
      if (step.type === 'delta') emit(step.text)
      return null
    },
    whole(json) {
      const text = json['text']
      if (typeof text !== 'string')
        throw new AppError('MALFORMED_REPLY', 'The response contains no text.', {
          params: { reason: 'no-text' },
        })
      const step = transcript.take({ model: json['model'], text: text })
      if (step.type === 'delta') emit(step.text)
      return null
    },
    get end() {
      return transcript.finished ? 'said' : 'open'
    },
    value: () => ({ text: transcript.text, model: transcript.model }),
  }
}
