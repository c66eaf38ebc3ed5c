import { createHash } from 'node:crypto'
import type { Span } from '../../../../../shared/model/meeting.ts'
import { wireModel } from '../../../../../shared/provider/profiles.ts'
import type {
  RawReply,
  ServiceTarget,
  TranscriptionResult,
} from '../../../../provider-client/types.ts'
import { TranscriptionCut } from '../../../../provider-client/index.ts'
import type { Api } from '../../../../provider-client/api.ts'
import { transcribeOnce } from '../transcribe/transcribe-once.ts'
import type { AudioWork } from '../parts.ts'

/** A range of audio with its transcription options. */
export interface SegmentRequest {
  readonly meetingId: string
  readonly channel: number
  readonly span: Span
  readonly prompt: string
  readonly hotwords: readonly string[]
}

/** Dependencies of requests; `replies` receives every raw response, whether usable or not. */
export interface AskDeps {
  readonly api: Pick<Api, 'transcriptions'>
  readonly audio: Pick<AudioWork, 'extractSegment'>
  readonly target: ServiceTarget
  readonly signal: AbortSignal
  readonly replies: RawReply[]
  onDelta(delta: string): void
}

/** Requests the transcription of one range (service-notes 4). Throws the errors of the client and of reading the audio. */
export async function ask(deps: AskDeps, question: SegmentRequest): Promise<TranscriptionResult> {
  const content = await deps.audio.extractSegment(
    question.meetingId,
    question.channel,
    question.span,
  )
  return requestWith(deps, question, content)
}

/** {@link ask} for audio that is already loaded. */
export async function requestWith(
  deps: AskDeps,
  { span, prompt, hotwords }: SegmentRequest,
  content: Uint8Array,
): Promise<TranscriptionResult> {
  const file = {
    content,
    bytes: content.byteLength,
    name: 'audio.wav',
    mime: 'audio/wav' as const,
    seconds: (span.endMs - span.startMs) / 1000,
  }
  deps.signal.throwIfAborted()
  try {
    const result = await transcribeOnce(
      deps.api,
      deps.target,
      { file, prompt, hotwords, stream: true },
      { signal: deps.signal, onDelta: (delta) => deps.onDelta(delta) },
    )
    deps.replies.push(result.raw)
    return result
  } catch (error) {
    if (error instanceof TranscriptionCut) deps.replies.push(error.raw)
    throw error
  }
}

/** Hash of everything that determines the response: the audio's bytes, the model, the hotwords and the context. */
export function nameOf(
  question: SegmentRequest,
  content: Uint8Array,
  target: ServiceTarget,
): string {
  const { prompt, hotwords } = question
  const model = wireModel(target.profile, 'gen-asr-2512')
  return createHash('sha256')
    .update(JSON.stringify([target.baseUrl, model, prompt, hotwords]))
    .update(content)
    .digest('base64url')
}
