import { type ErrorBody, failureInside } from './errors.ts'
import { failureOfFinish } from './finish-reasons.ts'
import { isRecord, textField } from './json.ts'

/** Result of one event of a transcription stream. */
type TranscriptStep =
  | { readonly type: 'nothing' }
  | { readonly type: 'delta'; readonly text: string }
  | { readonly type: 'failure'; readonly body: ErrorBody }

/** Accumulated text of a transcription stream (service-notes 4). */
interface TranscriptText {
  /** Processes one event's JSON and returns what is new. */
  take(event: unknown): TranscriptStep
  readonly text: string
  /** Whether the last event was a `transcript.text.done` or a normal `finish_reason`. */
  readonly finished: boolean
  /** From the events, if they report it. */
  readonly model: string | null
}

/** Creates an empty text. */
export function createTranscriptText(): TranscriptText {
  let text = ''
  /** Range from the first word of the text to the end of the last one. */
  let words: TextSpan = noWords
  let finished = false
  let model: string | null = null

  const append = (fragment: string): TranscriptStep => {
    finished = false
    // The provider may begin with a line break (service-notes 4) that is not part of the speech.
    const added = text === '' ? withoutLeadingBreaks(fragment) : fragment
    words = spanOf(added, text.length, words)
    text += added
    return added === '' ? { type: 'nothing' } : { type: 'delta', text: added }
  }

  /** Emits the text that a final text adds to the accumulated one as a delta. */
  const replace = (whole: string): TranscriptStep => {
    const before = text
    text = withoutLeadingBreaks(whole)
    words = spanOf(text, 0, noWords)
    return text.length > before.length && text.startsWith(before)
      ? { type: 'delta', text: text.slice(before.length) }
      : { type: 'nothing' }
  }

  /**
   * Returns whether a closing fragment is the whole text again (perhaps longer), rather than its last words. Lengths first:
   * the text is joined only for a fragment that is as long.
   */
  const repeats = (fragment: string): boolean => {
    const trimmed = fragment.trim()
    return (
      trimmed.length >= words.end - words.start &&
      trimmed.startsWith(text.slice(words.start, words.end))
    )
  }

  /**
   * Processes the final text, or the last fragment of it. A text that neither repeats nor extends the accumulated one is a
   * correction or only a part of it, and there is no telling which: the longer of the two is used, so that no words are lost.
   */
  const end = (whole: string | null, fragment: string | null): TranscriptStep => {
    let step: TranscriptStep = { type: 'nothing' }
    if (whole !== null) {
      // A repetition of the text is at least as long.
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

/** Returns the text without the line breaks some responses start with. */
function withoutLeadingBreaks(text: string): string {
  return text.replace(/^[\r\n]+/, '')
}

interface TextSpan {
  readonly start: number
  readonly end: number
}

const noWords: TextSpan = { start: 0, end: 0 }

/**
 * Returns the word range of a text after appending a fragment at `at`. The text itself, which may be megabytes, is not
 * scanned again.
 */
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

/**
 * Processes the chat-like form that some clients tolerate: `choices[0].delta.content`, `.message.content`, `.text`.
 */
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
  // `length` ends a text like `stop` does: nothing more will follow.
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
