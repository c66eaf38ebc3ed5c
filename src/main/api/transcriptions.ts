import { wireModel } from '../../shared/service/profiles.ts'
import { AppError } from '../errors.ts'
import { performCall } from './call.ts'
import type { Call, CallParts } from './call.ts'
import { readEventReply } from './event-reply.ts'
import type { EventReader } from './event-reply.ts'
import type { TextBounds } from './bounded-text.ts'
import { createMaskedFragments } from './masked-fragments.ts'
import { multipart } from './multipart.ts'
import type { FormField } from './multipart.ts'
import { isNoSpeech } from './no-speech.ts'
import type { RetryBounds } from './retry.ts'
import { createTranscriptText } from './transcript-text.ts'
import { TranscriptionCut } from './transcription-cut.ts'
import { checkTranscription } from './request-limits.ts'
import type {
  CallOptions,
  ServiceTarget,
  TranscriptionRequest,
  TranscriptionResult,
} from './types.ts'

/** Neutral id of the transcription model (service-notes 4). */
const transcriptionModel = 'gen-asr-2512'

/**
 * A transcription is a job that tries again by itself, where everybody sees it wait. In here only what passes in a moment is
 * repeated, once: a connection that was closed while idle, a single failure.
 */
const transcriptionRetries: RetryBounds = { attempts: 2, maxWaitMs: 2000 }

/** Largest event stream that is read, all of it kept: half a minute of speech is some kilobytes. */
const streamBounds: TextBounds = { maxSaved: 16 * 1024 * 1024, maxTotal: 16 * 1024 * 1024 }

/** Called with each piece of text as it comes; joined they are the text, unless the end replaced it. */
export type OnDelta = (delta: string) => void

/**
 * `POST /paas/v4/audio/transcriptions` (service-notes 4), plain or streaming. Limits are checked before sending. Safe to repeat:
 * nothing is created. Throws AppError; a stream that broke off throws {@link TranscriptionCut} with the text it had brought.
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
      // Either form is read.
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
        // Pieces of the text may make a key together that no piece held.
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

/** The form, fields before the file so that a service can refuse early. */
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

/** The file's name with the ending its content asks for: services judge the format by it. */
function fileNameOf(file: TranscriptionRequest['file']): string {
  const ending = file.mime === 'audio/wav' ? '.wav' : '.mp3'
  const base = file.name.replace(/^.*[/\\]/, '').slice(0, 200)
  if (base.toLowerCase().endsWith(ending)) return base
  return `${base.replace(/\.[A-Za-z0-9]{1,5}$/, '') || 'audio'}${ending}`
}

/** Longest name of an engine or a model that is shown, in characters. */
const maxNameLength = 200

/** Whom the transcript is told to come from: the engine the reply names, its model, or the model that was asked for. */
function modelNameOf(engine: string | null, reportedModel: string | null, requestedModel: string): string {
  const name = [engine, reportedModel].find((one) => one !== null && one.trim() !== '')
  return name?.trim().slice(0, maxNameLength) ?? requestedModel
}

/** The text of a reply in either form, and the model it names. */
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
        throw new AppError('MALFORMED_REPLY', 'The reply holds no text.', {
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
