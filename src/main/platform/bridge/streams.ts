import type { StreamEvent, StreamSnapshot } from '../../../shared/contract/events.ts'
import type { Failure } from '../../../shared/contract/reply.ts'
import type { EventBatch } from '../../../shared/model/run.ts'
import type { Log } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import type { Pages } from './events.ts'

/** Milliseconds for which deltas are collected before they are sent over the bridge. */
const batchMs = 30
/**
 * Milliseconds for which finished streams stay attachable, so that a page that reconnects late receives the outcome.
 */
const finishedRetentionMs = 5 * 60_000

/** Writer with which a service writes the text of one stream. Calls after the terminal event are ignored. */
export interface StreamWriter {
  readonly streamId: string
  delta(text: string): void
  /** Pushes a batch of events that its owner has stored; immediately, and in order with the text. */
  events(batch: EventBatch): void
  /** Ends the stream successfully; `text` is the whole text, which may correct the deltas. */
  end(text: string): void
  fail(error: Failure): void
}

interface StreamOptions {
  /** Pages that are attached from the first event. */
  readonly connectionIds: readonly string[]
  /**
   * Called with the whole text before a batch is pushed, so that everything a page has seen is already stored.
   */
  beforePush?(text: string): void
}

/** All streams of the app: they live here, outlive every view, and can be attached to at any time. */
export interface StreamHub {
  /** Throws REFUSED if the ID is in use: an ID names one stream forever. */
  open(streamId: string, options: StreamOptions): StreamWriter
  /** Returns whether a stream with this ID is known. */
  has(streamId: string): boolean
  /** Returns the text so far and the next `seq`; throws NOT_FOUND for an unknown ID. */
  attach(streamId: string, connectionId: string): StreamSnapshot
  detach(streamId: string, connectionId: string): void
  /** Detaches a page that is gone from all streams; the streams continue. */
  dropConnection(connectionId: string): void
}

interface Stream {
  text: string
  pending: string
  seq: number
  /** Position of the next event; null in a stream that had no events. */
  nextEvent: number | null
  timer: NodeJS.Timeout | null
  outcome: StreamSnapshot['outcome'] | null
  readonly attached: Set<string>
  readonly beforePush: ((text: string) => void) | undefined
}

/** `Omit` that is applied to each member of a union. */
type Body = StreamEvent extends infer E
  ? E extends StreamEvent
    ? Omit<E, 'streamId' | 'seq'>
    : never
  : never

/** Creates the hub for the connected pages (architecture rule 2). */
export function createStreamHub(pages: Pages, log: Log): StreamHub {
  const streams = new Map<string, Stream>()

  const push = (streamId: string, stream: Stream, body: Body): void => {
    const event: StreamEvent = { streamId, seq: stream.seq++, ...body }
    for (const id of stream.attached) pages.push(id, { channel: 'stream', event })
  }

  /**
   * A failing store must not stop the stream: the whole text is written again with the next batch and at the end.
   */
  const store = (stream: Stream): void => {
    try {
      stream.beforePush?.(stream.text)
    } catch (error) {
      log.warn('a stream was not stored', { error })
    }
  }

  const flush = (streamId: string, stream: Stream): void => {
    if (stream.timer) clearTimeout(stream.timer)
    stream.timer = null
    if (stream.pending === '') return
    const text = stream.pending
    stream.pending = ''
    stream.text += text
    store(stream)
    push(streamId, stream, { type: 'delta', text })
  }

  const finish = (streamId: string, stream: Stream, body: Body): void => {
    stream.outcome = body.type === 'error' ? { type: 'error', error: body.error } : { type: 'end' }
    push(streamId, stream, body)
    stream.attached.clear()
    setTimeout(() => streams.delete(streamId), finishedRetentionMs).unref()
  }

  return {
    open(streamId, options) {
      if (streams.has(streamId)) throw new AppError('REFUSED', 'The stream ID is already in use')
      const stream: Stream = {
        text: '',
        pending: '',
        seq: 0,
        nextEvent: null,
        timer: null,
        outcome: null,
        attached: new Set(options.connectionIds),
        beforePush: options.beforePush,
      }
      streams.set(streamId, stream)
      return {
        streamId,
        delta(text) {
          if (stream.outcome || text === '') return
          stream.pending += text
          stream.timer ??= setTimeout(() => flush(streamId, stream), batchMs)
        },
        events(batch) {
          if (stream.outcome) return
          flush(streamId, stream)
          stream.nextEvent = batch.first + batch.count
          push(streamId, stream, { type: 'events', batch })
        },
        end(text) {
          if (stream.outcome) return
          flush(streamId, stream)
          stream.text = text
          finish(streamId, stream, { type: 'end', text })
        },
        fail(error) {
          if (stream.outcome) return
          flush(streamId, stream)
          finish(streamId, stream, { type: 'error', error })
        },
      }
    },
    has: (streamId) => streams.has(streamId),
    attach(streamId, connectionId) {
      const stream = streams.get(streamId)
      if (!stream) throw new AppError('NOT_FOUND', 'Stream not found')
      flush(streamId, stream)
      const snapshot: StreamSnapshot = {
        streamId,
        text: stream.text,
        nextSeq: stream.seq,
        ...(stream.nextEvent !== null && { nextEvent: stream.nextEvent }),
      }
      if (stream.outcome) return { ...snapshot, outcome: stream.outcome }
      stream.attached.add(connectionId)
      return snapshot
    },
    detach(streamId, connectionId) {
      streams.get(streamId)?.attached.delete(connectionId)
    },
    dropConnection(connectionId) {
      for (const stream of streams.values()) stream.attached.delete(connectionId)
    },
  }
}
