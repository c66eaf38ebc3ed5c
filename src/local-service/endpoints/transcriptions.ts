import { limits } from '../../shared/provider/limits.ts'
import type { ServiceContext, Handler } from '../context.ts'
import { SpeechFailure } from '../engines/speech.ts'
import { errorBody, ServiceError } from '../errors.ts'
import type { SpeechOutcome } from '../protocol.ts'
import {
  endEvent,
  eventStream,
  jsonEvent,
  jsonReply,
  type ServiceReply,
  type ServiceRequest,
} from '../http.ts'
import { noticeOf } from './notices.ts'
import { readTranscriptionForm, type TranscriptionForm } from './transcription-form.ts'

/** Common fields of each stream chunk and of the whole response. */
interface Head {
  readonly id: string
  /** Unix seconds. */
  readonly created: number
  readonly model: string
}

function asServiceError(error: unknown): unknown {
  if (!(error instanceof SpeechFailure)) return error
  if (error.trouble === 'engine-unavailable')
    return new ServiceError(
      'engineUnavailable',
      'The on-device speech engine isn’t available: its model is missing or can’t be loaded. Run `npm run setup` to get it.',
    )
  if (error.trouble === 'damaged')
    return new ServiceError('fieldIllegal', `file can’t be read: ${error.message}`)
  if (error.trouble === 'too-long')
    return new ServiceError(
      'fieldIllegal',
      `file must be at most ${limits.transcription.seconds} seconds long: ${error.message}`,
    )
  if (error.trouble === 'busy')
    return new ServiceError('tooManyRequests', `Too many parallel requests: ${error.message}`)
  return new ServiceError('callFailed', 'The transcription failed')
}

/** `POST /paas/v4/audio/transcriptions` (service-notes 4), as a whole or as an event stream. */
export const transcribe: Handler = async (request, context) => {
  const form = await readTranscriptionForm(request.incoming)
  const head: Head = {
    id: `asr-${context.ids()}`,
    created: Math.floor(context.clock() / 1000),
    model: form.model,
  }
  const tail = (outcome: SpeechOutcome): Record<string, unknown> => {
    const notice = noticeOf(outcome, {
      prompt: form.prompt !== '',
      hotwords: form.hotwords.length > 0,
      longPrompt: form.prompt.length >= limits.transcription.promptChars,
    })
    return {
      request_id: form.requestId ?? context.ids(),
      text: outcome.text,
      engine: context.speech.name,
      ...(notice !== undefined && { notice }),
    }
  }
  const answer = form.stream ? streamed : whole
  return answer(form, request, context, head, tail)
}

type Answer = (
  form: TranscriptionForm,
  request: ServiceRequest,
  context: ServiceContext,
  head: Head,
  tail: (outcome: SpeechOutcome) => Record<string, unknown>,
) => Promise<ServiceReply>

const whole: Answer = async (form, { signal }, { speech }, head, tail) => {
  try {
    const outcome = await speech.transcribe({ kind: form.kind, audio: form.audio, signal })
    return jsonReply({ ...head, ...tail(outcome) })
  } catch (error) {
    throw asServiceError(error)
  }
}

/**
 * Sends the headers when the model starts transcribing, so that earlier failures still result in a status instead of a
 * stream.
 */
const streamed: Answer = async (form, { signal }, { speech }, head, tail) => {
  const events = createChannel<string>()
  const started = Promise.withResolvers<void>()
  const { name: engine } = speech
  const work = speech
    .transcribe({
      kind: form.kind,
      audio: form.audio,
      signal,
      onStart: started.resolve,
      onDelta: (delta) =>
        events.push(jsonEvent({ ...head, type: 'transcript.text.delta', delta, engine })),
    })
    .then((outcome) => {
      events.push(jsonEvent({ ...head, type: 'transcript.text.done', delta: '', ...tail(outcome) }))
      events.push(endEvent)
    })
  work.then(events.close, (error: unknown) => {
    const known = asServiceError(error)
    const message = known instanceof ServiceError ? known.message : 'The transcription failed'
    // The status was already sent with the headers: the failure is sent as a chunk, without an end marker
    // (service-notes 1).
    events.push(jsonEvent(errorBody('callFailed', message)))
    events.close()
  })
  try {
    await Promise.race([started.promise, work])
  } catch (error) {
    throw asServiceError(error)
  }
  return eventStream(events.values)
}

/** Queue from a callback to a `for await` loop: no value is lost, and it may end with an error. */
interface Channel<T> {
  push(value: T): void
  /** Ends the channel. */
  close(): void
  /** Ends the channel with an error, which the consumer gets after the values pushed before. */
  fail(error: unknown): void
  readonly values: AsyncIterable<T>
}

/** Creates an empty channel for one consumer. */
function createChannel<T>(): Channel<T> {
  const waiting: T[] = []
  let end: { readonly error?: unknown } | undefined
  let wake: () => void = () => undefined

  async function* read(): AsyncGenerator<T> {
    for (;;) {
      const value = waiting.shift()
      if (value !== undefined) {
        yield value
        continue
      }
      if (end && 'error' in end) throw end.error
      if (end) return
      await new Promise<void>((resolve) => (wake = resolve))
    }
  }

  const finish = (how: { readonly error?: unknown }): void => {
    end ??= how
    wake()
  }
  return {
    push(value) {
      waiting.push(value)
      wake()
    },
    close: () => finish({}),
    fail: (error) => finish({ error }),
    values: read(),
  }
}
