import type { ErrorBody } from './errors.ts'
import { failureInside } from './errors.ts'
import { failureOfFinish } from './finish-reasons.ts'
import { isRecord, textField } from './json.ts'

/** What one event of a transcription stream brought. */
export type TranscriptStep =
  | { readonly type: 'nothing' }
  | { readonly type: 'delta'; readonly text: string }
  | { readonly type: 'failure'; readonly body: ErrorBody }

/** The text of a transcription stream as it grows (service-notes 4). */
export interface TranscriptText {
  /** Takes one event's JSON and says what is new. */
  take(event: unknown): TranscriptStep
  readonly text: string
  /** A `transcript.text.done` or a normal `finish_reason` was the last word. */
  readonly finished: boolean
  /** From the events, where they say it. */
  readonly model: string | null
}

/** Starts an empty text. */
export function createTranscriptText(): TranscriptText {
  let text = ''
  /** Where the first word of the text begins and the last one ends. */
  let words: TextSpan = noWords
  let finished = false
  let model: string | null = null

  const append = (fragment: string): TranscriptStep => {
    finished = false
    // The service may begin with a line break (service-notes 4); it is no part of what was said.
    const added = text === '' ? withoutLeadingBreaks(fragment) : fragment
    words = spanOf(added, text.length, words)
    text += added
    return added === '' ? { type: 'nothing' } : { type: 'delta', text: added }
  }

  /** What a final text adds to the gathered one goes out as a delta. */
  const replace = (whole: string): TranscriptStep => {
    const before = text
    text = withoutLeadingBreaks(whole)
    words = spanOf(text, 0, noWords)
    return text.length > before.length && text.startsWith(before)
      ? { type: 'delta', text: text.slice(before.length) }
      : { type: 'nothing' }
  }

  /** Whether a closing piece is the whole text again (perhaps longer), rather than its last words. Lengths first: the text is joined only for a piece that is as long. */
  const repeats = (fragment: string): boolean => {
    const trimmed = fragment.trim()
    return (
      trimmed.length >= words.end - words.start && trimmed.startsWith(text.slice(words.start, words.end))
    )
  }

  /**
   * Takes the final text, or the last piece of it. A text that neither repeats nor extends what was gathered is a correction,
   * or only a part of it, and nobody can tell which: the longer of the two stays, so that no words are lost.
   */
  const end = (whole: string | null, fragment: string | null): TranscriptStep => {
    let step: TranscriptStep = { type: 'nothing' }
    if (whole !== null) {
      // What repeats the text is at least as long.
      if (whole.trim().length >= words.end - words.start) step = replace(whole)
    } else if (fragment !== null) step = repeats(fragment) ? replace(fragment) : append(fragment)
    finished = true
    return step
  }

  return {
    take(event) {
      if (!isRecord(event)) return { type: 'nothing' }
      const failure = failureInside(event)
      if (failure) return { type: 'failure', body: failure }
      model = textField(event, 'model') ?? model

      const delta = textField(event, 'delta')
      if (event['type'] === 'transcript.text.done') return end(textField(event, 'text'), delta)
      if (delta !== null) return append(delta)
      const choice = firstChoice(event)
      if (choice) return receiveChoice(choice, append, end)
      const whole = textField(event, 'text')
      return whole !== null && event['type'] === undefined ? end(null, whole) : { type: 'nothing' }
    },
    get text() {
      return text
    },
    get finished() {
      return finished
    },
    get model() {
      return model
    },
  }
}

/** The text without the line breaks some replies start with. */
export function withoutLeadingBreaks(text: string): string {
  return text.replace(/^[\r\n]+/, '')
}

interface TextSpan {
  readonly start: number
  readonly end: number
}

const noWords: TextSpan = { start: 0, end: 0 }

/** The words of a text that a piece was added to at `at`. The text itself, which may be megabytes, is not looked at again. */
function spanOf(fragment: string, at: number, before: TextSpan): TextSpan {
  const length = fragment.trim().length
  if (length === 0) return before
  const start = at + fragment.length - fragment.trimStart().length
  return { start: before.end === 0 ? start : before.start, end: at + fragment.trimEnd().length }
}

function firstChoice(
  event: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> | null {
  const choices = event['choices']
  const first: unknown = Array.isArray(choices) ? choices[0] : undefined
  return isRecord(first) ? first : null
}

/** The chat-like form that some clients tolerate: `choices[0].delta.content`, `.message.content`, `.text`. */
function receiveChoice(
  choice: Readonly<Record<string, unknown>>,
  append: (fragment: string) => TranscriptStep,
  end: (whole: string | null, fragment: string | null) => TranscriptStep,
): TranscriptStep {
  const { delta, message, finish_reason: reason } = choice
  const failure = failureOfFinish(reason)
  if (failure) return { type: 'failure', body: failure }
  const fragment = isRecord(delta)
    ? (textField(delta, 'content') ?? textField(delta, 'text'))
    : typeof delta === 'string'
      ? delta
      : textField(choice, 'text')
  const whole = isRecord(message) ? textField(message, 'content') : null
  const step = whole === null ? (fragment === null ? nothing : append(fragment)) : end(whole, null)
  // `length` ends a text as `stop` does: it is all there will be.
  return reason === 'stop' || reason === 'length' ? closed(step, end) : step
}

const nothing: TranscriptStep = { type: 'nothing' }

function closed(
  step: TranscriptStep,
  end: (whole: string | null, fragment: string | null) => TranscriptStep,
): TranscriptStep {
  end(null, null)
  return step
}
