import {
  shownFold,
  type AnswerEvent,
  type AnswerFold,
  type AnswerSoFar,
} from '../../../../../shared/chats/answer.ts'
import { beginningOf, shownUnits } from '../../../../../shared/chats/shown-answer.ts'
import type { ChatMessage } from '../../../../../shared/model/chat.ts'
import type { EventBatch } from '../../../../../shared/model/run.ts'
import type { Client } from '../../../lib/bridge/client.ts'
import { createTextParts, type TextParts } from '../../../lib/markdown/stream/text-parts.ts'

/** Number of events requested at a time. */
const pageSize = 5000
/**
 * First and maximum milliseconds before an answer is checked again whose end was reported but is not stored yet.
 */
const againMs = 500
const maxRetryMs = 30_000
/**
 * Number of checks, a minute and a half in all, after which an answer without a stream and a stored end counts as cut
 * off.
 */
const maxEndChecks = 8

/** A running answer in the page, up to the length that a message contains. */
export interface LiveAnswer {
  readonly answer: AnswerSoFar
  /** Its text in parts: the same objects as long as it only grows. */
  readonly parts: TextParts
  /** Position of the next event. */
  readonly next: number
  /** Continues from a message that is more recent than the current state. */
  catchUp(message: ChatMessage): void
  /** Stops following; the answer continues. */
  leave(): void
}

/** Callbacks of a live answer. */
interface LiveListener {
  /** Called when there is more text: at most once a frame, less often the longer the text is. */
  grown(): void
  /** Called with the final message. */
  over(message: ChatMessage): void
}

/**
 * Returns the milliseconds between two renderings: a frame, and more for a long text, which is not followed word by
 * word.
 */
export const cadence = (chars: number): number =>
  chars < 200_000 ? 16 : chars < 1_000_000 ? 60 : 200
/** The same once the page has all of the text that a message contains: only its steps and the number of characters change. */
const completeCadence = 500

/**
 * Follows a running answer: stored events first, then new ones. A gap in the events is filled from the store; when the
 * stream has ended or is unknown, the message itself has the outcome.
 */
export function followAnswer(
  client: Client,
  message: ChatMessage,
  { grown, over }: LiveListener,
): LiveAnswer {
  const { id } = message
  let parts = createTextParts(message.text)
  const begin = ({ text, steps, shortened }: ChatMessage): AnswerFold => {
    parts = createTextParts(text)
    let length = shortened?.text ?? text.length
    const textStore = {
      get length() {
        return length
      },
      get text() {
        return parts.text
      },
      add(more: string) {
        if (length === parts.length)
          parts.add(beginningOf(more, Math.max(0, shownUnits.text - length)))
        length += more.length
      },
      put(other: string) {
        parts = createTextParts(beginningOf(other, shownUnits.text))
        length = other.length
      },
    }
    const soFar = { text, steps, sessionId: null, ...(shortened && { shortened }) }
    return shownFold(soFar, textStore)
  }
  let fold = begin(message)
  let next = message.nextEvent
  let left = false
  let inspections = 0
  let pendingRead: Promise<void> | null = null
  let frame: ReturnType<typeof setTimeout> | undefined
  let again: ReturnType<typeof setTimeout> | undefined
  let detach = (): void => undefined

  const notify = (): void => {
    // Half of a surrogate pair is left out.
    const isComplete = parts.length >= shownUnits.text - 1
    frame ??= setTimeout(
      () => {
        frame = undefined
        if (!left) grown()
      },
      isComplete ? completeCadence : cadence(parts.length),
    )
  }
  const take = (batch: EventBatch): boolean => {
    if (batch.first > next) return false
    for (const event of eventsOf(batch).slice(next - batch.first)) fold.take(event)
    next = Math.max(next, batch.first + batch.count)
    notify()
    return true
  }
  const readAll = async (): Promise<void> => {
    for (;;) {
      const from = next
      const reply = await client.request('chats.events', { messageId: id, from, limit: pageSize })
      if (left || !reply.ok) return
      for (const batch of reply.data.batches) take(batch)
      // Repeating the request would not bring more events: the stream reports the next gap.
      if (reply.data.next === null || next === from) return
    }
  }
  const read = (): Promise<void> => (pendingRead ??= readAll().finally(() => (pendingRead = null)))
  const settle = async (): Promise<void> => {
    if (left) return
    const reply = await client.request('chats.message', { id })
    if (left) return
    if (reply.ok && reply.data.state !== 'running') return over(reply.data)
    if (reply.ok && inspections >= maxEndChecks) return over(cutOff(reply.data, fold.answer))
    // Deleted in the meantime.
    if (!reply.ok && reply.error.code === 'NOT_FOUND') return
    // The bridge is down, or its end is about to be stored.
    again = setTimeout(() => void follow(), Math.min(againMs * 2 ** inspections, maxRetryMs))
    if (reply.ok) inspections += 1
  }
  const follow = async (): Promise<void> => {
    if (left || message.streamId === null) return
    detach = client.follow(message.streamId, {
      events(batch) {
        inspections = 0
        if (!take(batch)) void read()
      },
      missed(before) {
        if (before > next) void read()
      },
      end: () => void settle(),
      error: () => void settle(),
      gone: () => void settle(),
    })
  }
  void follow()

  return {
    get answer() {
      return fold.answer
    },
    get parts() {
      return parts
    },
    get next() {
      return next
    },
    catchUp(newer) {
      if (newer.nextEvent <= next) return
      fold = begin(newer)
      next = newer.nextEvent
    },
    leave() {
      left = true
      clearTimeout(frame)
      clearTimeout(again)
      detach()
    },
  }
}

/** Returns an answer that has no stream any more and whose end was never stored. */
const cutOff = (message: ChatMessage, answer: AnswerSoFar): ChatMessage => ({
  ...withAnswer(message, answer),
  state: 'broken',
  error: {
    code: 'STREAM_CUT',
    message: 'The end of the answer was not saved',
    retriable: true,
    at: Date.now(),
  },
})

const withAnswer = (
  { shortened: _, ...message }: ChatMessage,
  { text, steps, shortened }: AnswerSoFar,
): ChatMessage => ({ ...message, text, steps, ...(shortened && { shortened }) })

function eventsOf(batch: EventBatch): readonly AnswerEvent[] {
  return JSON.parse(batch.json) as readonly AnswerEvent[]
}

const growing = new WeakMap<ChatMessage, TextParts>()

/** Returns a message with the answer received so far. */
export function appendedMessage(
  message: ChatMessage,
  { answer, parts, next }: LiveAnswer,
): ChatMessage {
  const grown = { ...withAnswer(message, answer), nextEvent: next }
  growing.set(grown, parts)
  return grown
}

/** Returns a message with the next range of its text. */
export function lengthenedMessage(message: ChatMessage, more: string): ChatMessage {
  const parts = growing.get(message) ?? createTextParts(message.text)
  parts.add(more)
  const longer = { ...message, text: parts.text }
  growing.set(longer, parts)
  return longer
}

/** Whether more of a message's text can be loaded; the rest of a running answer is loaded after its end. */
export const hasMoreText = ({ state, text, shortened }: ChatMessage): boolean =>
  state !== 'running' && shortened !== undefined && text.length < shortened.text

/** Returns the text of a message in its most efficient form: in parts while it grows. */
export const textOf = (message: ChatMessage): string | TextParts =>
  growing.get(message) ?? message.text
