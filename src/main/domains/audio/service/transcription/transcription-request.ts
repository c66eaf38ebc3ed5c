import { createHash } from 'node:crypto'
import type { Flag, Span } from '../../../../../shared/model/meeting.ts'
import { localAccountId, wireModel } from '../../../../../shared/provider/profiles.ts'
import { joinTexts } from '../../../../../shared/text/join.ts'
import type {
  RawReply,
  ServiceTarget,
  TranscriptionResult,
} from '../../../../provider-client/types.ts'
import { TranscriptionCut } from '../../../../provider-client/index.ts'
import type { Api } from '../../../../provider-client/api.ts'
import { AppError } from '../../../../errors.ts'
import type { AudioWork } from '../audio-worker.ts'
import { checkText, voicedMsOf } from './hallucination-checks/checks.ts'
import { spokenText } from './speech-duration.ts'

/**
 * Sends one request of service-notes 4. Throws client errors, with one exception: the local service without its speech
 * engine returns 1221 (API offline, service-notes 14), which becomes ENGINE_UNAVAILABLE.
 */
export async function transcribeOnce(
  api: Pick<Api, 'transcriptions'>,
  ...[target, request, options]: Parameters<Api['transcriptions']['create']>
): Promise<TranscriptionResult> {
  try {
    return await api.transcriptions.create(target, request, options)
  } catch (error) {
    const missing =
      target.accountId === localAccountId &&
      error instanceof AppError &&
      error.service?.code === '1221'
    if (!missing) throw error
    throw new AppError('ENGINE_UNAVAILABLE', 'The on-device speech engine is missing')
  }
}

/** A range of audio with its transcription options. */
export interface SegmentRequest {
  readonly meetingId: string
  readonly channel: number
  readonly span: Span
  readonly prompt: string
  readonly hotwords: readonly string[]
}

/** Dependencies of requests; `replies` receives every raw response, whether usable or not. */
interface AskDeps {
  readonly api: Pick<Api, 'transcriptions'>
  readonly audio: Pick<AudioWork, 'extractSegment'>
  readonly target: ServiceTarget
  readonly signal: AbortSignal
  readonly replies: RawReply[]
  onDelta(delta: string): void
}

/** Requests the transcription of one range (service-notes 4). Throws the errors of the client and of reading the audio. */
async function ask(deps: AskDeps, question: SegmentRequest): Promise<TranscriptionResult> {
  const content = await deps.audio.extractSegment(
    question.meetingId,
    question.channel,
    question.span,
  )
  return requestWith(deps, question, content)
}

/** {@link ask} for audio that is already loaded. */
async function requestWith(
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

/** Transcription of a segment after all retries. */
export interface SegmentTranscript {
  readonly result: TranscriptionResult
  /** The text; empty if there is none. */
  readonly text: string
  readonly flags: readonly Flag[]
}

/** Flags that another request may clear. */
const retryFlags: ReadonlySet<Flag> = new Set(['loop', 'too-fast', 'prompt-echo', 'hotword-echo'])

/** Minimum length of a half that is requested, in milliseconds. */
const shortestHalfMs = 1_500

/**
 * Transcribes a segment; an answer that looks like a loop or an echo is requested again without context, then in two halves, and
 * if nothing helps the shortest is saved with its flags (service-notes 17.3). A failure on the way returns the best answer so
 * far.
 */
export async function transcribeSegment(
  deps: AskDeps,
  question: SegmentRequest,
  content: Uint8Array,
  voiced: readonly Span[],
): Promise<SegmentTranscript> {
  const voicedMs = voicedMsOf(question.span, voiced)
  const checked = (sent: SegmentRequest, result: TranscriptionResult): SegmentTranscript => {
    const text = result.noSpeech ? '' : spokenText(result.text)
    const evidence = { text, prompt: sent.prompt, hotwords: sent.hotwords, voicedMs }
    return { result, text, flags: text === '' ? [] : checkText(evidence) }
  }
  const first = checked(question, await requestWith(deps, question, content))
  if (!isDoubtful(first)) return first

  const echoed = first.flags.includes('hotword-echo')
  const bare = { ...question, prompt: '', hotwords: echoed ? [] : question.hotwords }
  const quiet = { ...deps, onDelta: () => {} }
  const tries: (() => Promise<SegmentTranscript>)[] = []
  if (question.prompt !== '' || echoed) {
    tries.push(async () => checked(bare, await requestWith(quiet, bare, content)))
  }
  const middle = middleOf(question.span, voiced)
  if (middle !== null) {
    tries.push(async () => {
      const left = { ...bare, span: { startMs: question.span.startMs, endMs: middle } }
      const right = { ...bare, span: { startMs: middle, endMs: question.span.endMs } }
      const halves = [await ask(quiet, left), await ask(quiet, right)] as const
      return checked(bare, joined(...halves))
    })
  }
  const further: SegmentTranscript[] = []
  for (const attempt of tries) {
    const next = await attempt().catch((error: unknown) => {
      if (deps.signal.aborted) throw error
      return null
    })
    if (next && !isDoubtful(next) && next.text !== '') return next
    if (next) further.push(next)
  }
  return shortest(first, further)
}

const isDoubtful = ({ flags }: SegmentTranscript): boolean =>
  flags.some((flag) => retryFlags.has(flag))

/**
 * The shortest non-empty text; `first` was doubtful, so it has one. An empty text is accepted if every further request agreed on
 * it.
 */
function shortest(
  first: SegmentTranscript,
  further: readonly SegmentTranscript[],
): SegmentTranscript {
  const silent = further[0]
  if (silent && further.every(({ text }) => text === '')) return silent
  const nonEmpty = [first, ...further].filter(({ text }) => text !== '')
  return nonEmpty.reduce((best, one) => (one.text.length < best.text.length ? one : best), first)
}

/** Where a segment is halved: in the longest pause of its middle third, else in its middle; null if it is too short. */
function middleOf({ startMs, endMs }: Span, voiced: readonly Span[]): number | null {
  const length = endMs - startMs
  if (length < 2 * shortestHalfMs) return null
  let best = Math.round((startMs + endMs) / 2)
  let longest = 0
  for (const [index, span] of voiced.entries()) {
    const next = voiced[index + 1]
    if (!next) break
    const at = Math.round((span.endMs + next.startMs) / 2)
    const central = at > startMs + length / 3 && at < endMs - length / 3
    if (central && next.startMs - span.endMs > longest) {
      longest = next.startMs - span.endMs
      best = at
    }
  }
  return best
}

/** Joins two halves to one answer. */
function joined(left: TranscriptionResult, right: TranscriptionResult): TranscriptionResult {
  const texts = [left, right]
    .filter(({ noSpeech }) => !noSpeech)
    .map(({ text }) => spokenText(text))
  return {
    ...left,
    text: joinTexts(texts),
    noSpeech: texts.length === 0,
    notice: left.notice ?? right.notice,
  }
}
