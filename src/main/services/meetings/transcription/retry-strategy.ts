import type { Flag, Span } from '../../../../shared/model/meeting.ts'
import type { TranscriptionResult } from '../../../api/types.ts'
import { joinTexts } from '../../../../shared/text/join.ts'
import { ask, requestWith, type AskDeps, type SegmentRequest } from './transcription-request.ts'
import { checkText, voicedMsOf } from './hallucination-checks/checks.ts'
import { spokenText } from './speech-duration.ts'

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
