import { wireModel } from '../../shared/service/profiles.ts'
import { AppError } from '../errors.ts'
import { jsonReplyLimit, peek, readText, requireJson } from './body.ts'
import { performCall, requireSuccess } from './call.ts'
import type { Call, CallParts, ReadContext } from './call.ts'
import type { HttpReply } from './http.ts'
import { readErrorBody } from './errors.ts'
import { isRecord, parseJson, textField } from './json.ts'
import { multipart } from './multipart.ts'
import type { FormField } from './multipart.ts'
import { networkError } from './network-errors.ts'
import { isNoSpeech } from './no-speech.ts'
import type { RetryBounds } from './retry.ts'
import { readSse } from './sse.ts'
import { createTranscriptText, withoutLeadingBreaks } from './transcript-text.ts'
import type { TranscriptText } from './transcript-text.ts'
import { TranscriptionCut } from './transcription-cut.ts'
import { checkTranscription } from './request-limits.ts'
import type {
  CallOptions,
  ServiceTarget,
  TranscriptionRequest,
  TranscriptionResult,
} from './types.ts'
import { readUsage } from './usage.ts'

/** Neutral id of the transcription model (spec 4.14). */
const transcriptionModel = 'gen-asr-2512'

/**
 * A transcription is a job that tries again by itself, where everybody sees it wait. In here only what passes in a moment is
 * repeated, once: a connection that was closed while idle, a single failure.
 */
const transcriptionRetries: RetryBounds = { attempts: 2, longestWaitMs: 2000 }

/** Largest event stream that is kept, in bytes: half a minute of speech is some kilobytes. */
const streamLimit = 16 * 1024 * 1024

/** Called with each piece of text as it comes; joined they are the text, unless the end replaced it. */
export type OnDelta = (delta: string) => void

/**
 * `POST /paas/v4/audio/transcriptions` (spec 4.14), plain or streaming. Limits are checked before sending. Safe to repeat:
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
      accept: request.stream ? 'text/event-stream' : 'application/json',
      timeouts: parts.longCall,
      body: multipart(formOf(request, target, model, requestId), boundary),
    }),
    // What came back decides how it is read: a stream may be answered with JSON and the other way round.
    async read(reply, context) {
      const { first, body } = await peek(reply.body)
      const streamed = first !== '' && first !== '{' && first !== '[' && first !== '<'
      return streamed
        ? readStream({ ...reply, body }, context, model, options.onDelta)
        : readWhole({ ...reply, body }, context, model, options.onDelta)
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
  const { file, prompt, hotwords } = request
  return [
    { name: 'model', value: model },
    { name: 'stream', value: String(request.stream) },
    { name: 'request_id', value: requestId },
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
const longestName = 200

/** Whom the transcript is told to come from: the engine the reply names, its model, or the model that was asked for. */
function heardBy(engine: string | null, told: string | null, asked: string): string {
  const name = [engine, told].find((one) => one !== null && one.trim() !== '')
  return name?.trim().slice(0, longestName) ?? asked
}

async function readWhole(
  reply: HttpReply,
  context: ReadContext,
  model: string,
  onDelta: OnDelta | undefined,
): Promise<TranscriptionResult> {
  const body = context.mask(await readText(reply.body, jsonReplyLimit))
  const json = requireJson(body, reply, context.redact)
  requireSuccess(json, reply, context)
  const said = isRecord(json) ? json['text'] : undefined
  if (!isRecord(json) || typeof said !== 'string')
    throw new AppError('MALFORMED_REPLY', 'The reply holds no text.', {
      params: { reason: 'no-text' },
    })
  context.usage(readUsage(json['usage']))
  const text = withoutLeadingBreaks(said)
  if (text !== '') onDelta?.(text)
  return {
    text,
    noSpeech: isNoSpeech(text),
    model: heardBy(textField(json, 'engine'), textField(json, 'model'), model),
    requestId: textField(json, 'request_id') ?? context.requestId,
    notice: textField(json, 'notice'),
    raw: { status: reply.status, contentType: reply.contentType, body },
  }
}

async function readStream(
  reply: HttpReply,
  context: ReadContext,
  model: string,
  onDelta: OnDelta | undefined,
): Promise<TranscriptionResult> {
  const transcript = createTranscriptText()
  let received = ''
  const raw = (): TranscriptionResult['raw'] => ({
    status: reply.status,
    contentType: reply.contentType,
    body: context.mask(received),
  })
  try {
    const { done } = await readSse(reply.body, {
      onText(text) {
        received += text
        if (received.length > streamLimit)
          throw new AppError('MALFORMED_REPLY', 'The stream is longer than any transcript.', {
            params: { reason: 'too-large' },
          })
      },
      onEvent: ({ name, data }) => takeEvent(name, data, transcript, reply, context, onDelta),
    })
    if (!done && !transcript.finished)
      throw new AppError('STREAM_CUT', 'The stream ended before its end mark.', {
        retriable: true,
        params: { host: context.trace.host, reason: 'no-end' },
      })
  } catch (thrown) {
    const { host } = context.trace
    const error = networkError(thrown, { sent: true, replied: true, host }, context.signal)
    if (!(error instanceof AppError)) throw error
    // Everything was said before the connection broke.
    if (!(transcript.finished && error.code === 'STREAM_CUT'))
      throw new TranscriptionCut(error, transcript.text, raw())
  }
  context.usage(readUsage(transcript.usage))
  return {
    text: transcript.text,
    noSpeech: isNoSpeech(transcript.text),
    model: heardBy(transcript.engine, transcript.model, model),
    requestId: transcript.requestId ?? context.requestId,
    notice: transcript.notice,
    raw: raw(),
  }
}

function takeEvent(
  name: string | undefined,
  data: string,
  transcript: TranscriptText,
  reply: HttpReply,
  context: ReadContext,
  onDelta: OnDelta | undefined,
): void {
  const event = parseJson(context.mask(data))
  if (name === 'error')
    throw context.failure(reply, readErrorBody(event) ?? { code: null, message: data })
  if (!isRecord(event)) {
    // Empty data and events of other names are keep-alives; anything else may have been words.
    if (data.trim() === '' || (name !== undefined && name !== 'message')) return
    throw new AppError('MALFORMED_REPLY', 'The stream sent something other than events.', {
      params: { reason: 'not-json' },
    })
  }
  const step = transcript.take(event)
  if (step.type === 'failure') throw context.failure(reply, step.body)
  if (step.type === 'nothing') return
  context.streamed()
  onDelta?.(step.text)
}
