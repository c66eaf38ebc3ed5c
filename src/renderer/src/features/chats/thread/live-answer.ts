import {
  shownFold,
  type AnswerEvent,
  type AnswerFold,
  type AnswerSoFar,
} from '../../../../../shared/chat/answer.ts'
import { beginningOf, shownUnits } from '../../../../../shared/chat/shown-answer.ts'
import type { ChatMessage } from '../../../../../shared/model/chat.ts'
import type { EventBatch } from '../../../../../shared/model/run.ts'
import type { Client } from '../../../api/client.ts'
import { createTextParts, type TextParts } from '../../../markdown/stream/text-parts.ts'

/** Events asked for at a time. */
const pageSize = 5000
/** First and longest pause before an answer is looked after again whose end was told but not stored yet, in milliseconds. */
const againMs = 500
const longestMs = 30_000
/** Times that nobody answers any more and no end is stored, a minute and a half in all, after which none is taken to come. */
const maxInspections = 8

/** A running answer as the page holds it: no more of it than a message carries. */
export interface LiveAnswer {
  readonly answer: AnswerSoFar
  /** Its text in parts: the same ones as long as it only grows. */
  readonly parts: TextParts
  /** Place of the next event. */
  readonly next: number
  /** Takes it up from a message that is further on than what is held. */
  catchUp(message: ChatMessage): void
  /** Leaves it running. */
  leave(): void
}

/** What a live answer tells. */
export interface LiveListener {
  /** There is more of it: called at most once a frame, less often the longer the text is. */
  grown(): void
  /** It is over, and this is what it came to. */
  over(message: ChatMessage): void
}

/** Milliseconds between two drawings: a frame, and more of a long text, which nobody follows word by word. */
export const cadence = (chars: number): number =>
  chars < 200_000 ? 16 : chars < 1_000_000 ? 60 : 200

/**
 * Follows a running answer: what is stored first, then what comes. A hole in the events is filled from the store; when the stream is
 * over or unknown, the message itself says what became of it.
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
    const keeperStore = {
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
    return shownFold(soFar, keeperStore)
  }
  let fold = begin(message)
  let next = message.nextEvent
  let left = false
  let looks = 0
  let reading: Promise<void> | null = null
  let frame: ReturnType<typeof setTimeout> | undefined
  let again: ReturnType<typeof setTimeout> | undefined
  let detach = (): void => undefined

  const tell = (): void => {
    frame ??= setTimeout(() => {
      frame = undefined
      if (!left) grown()
    }, cadence(parts.length))
  }
  const take = (batch: EventBatch): boolean => {
    if (batch.first > next) return false
    for (const event of eventsOf(batch).slice(next - batch.first)) fold.take(event)
    next = Math.max(next, batch.first + batch.count)
    tell()
    return true
  }
  const readAll = async (): Promise<void> => {
    for (;;) {
      const from = next
      const reply = await client.request('chats.events', { messageId: id, from, limit: pageSize })
      if (left || !reply.ok) return
      for (const batch of reply.data.batches) take(batch)
      // What did not come further will not by asking on: the stream tells of the next hole.
      if (reply.data.next === null || next === from) return
    }
  }
  const read = (): Promise<void> => (reading ??= readAll().finally(() => (reading = null)))
  const settle = async (): Promise<void> => {
    if (left) return
    const reply = await client.request('chats.message', { id })
    if (left) return
    if (reply.ok && reply.data.state !== 'running') return over(reply.data)
    if (reply.ok && looks >= maxInspections) return over(cutOff(reply.data, fold.answer))
    // Deleted meanwhile.
    if (!reply.ok && reply.error.code === 'NOT_FOUND') return
    // The bridge is down, or its end is about to be stored.
    again = setTimeout(() => void follow(), Math.min(againMs * 2 ** looks, longestMs))
    if (reply.ok) looks += 1
  }
  const follow = async (): Promise<void> => {
    if (left || message.streamId === null) return
    detach = client.follow(message.streamId, {
      text: () => undefined,
      events(batch) {
        looks = 0
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

/** An answer that nobody gives any more and whose end was never stored. */
const cutOff = (message: ChatMessage, answer: AnswerSoFar): ChatMessage => ({
  ...withAnswer(message, answer),
  state: 'broken',
  error: {
    code: 'STREAM_CUT',
    message: 'The end of the answer was not stored',
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

/** A message as far as its answer has come. */
export function appendedMessage(
  message: ChatMessage,
  { answer, parts, next }: LiveAnswer,
): ChatMessage {
  const grown = { ...withAnswer(message, answer), nextEvent: next }
  growing.set(grown, parts)
  return grown
}

/** A message with the stretch of its text that follows what it has. */
export function lengthenedMessage(message: ChatMessage, more: string): ChatMessage {
  const parts = growing.get(message) ?? createTextParts(message.text)
  parts.add(more)
  const longer = { ...message, text: parts.text }
  growing.set(longer, parts)
  return longer
}

/** Whether there is more of a message's text than it has; of an answer that runs the rest is read when it is over. */
export const hasMoreText = ({ state, text, shortened }: ChatMessage): boolean =>
  state !== 'running' && shortened !== undefined && text.length < shortened.text

/** The text of a message as it is best read: in parts where it grows. */
export const textOf = (message: ChatMessage): string | TextParts =>
  growing.get(message) ?? message.text
