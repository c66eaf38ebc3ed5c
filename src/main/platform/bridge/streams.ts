import type { StreamEvent, StreamSnapshot } from '../../../shared/contract/events.ts'
import type { Failure } from '../../../shared/contract/reply.ts'
import type { EventBatch } from '../../../shared/model/run.ts'
import { AppError } from '../../errors.ts'
import type { Pages } from './events.ts'

/**
 * Milliseconds for which finished streams stay attachable, so that a page that reconnects late receives the outcome.
 */
const finishedRetentionMs = 5 * 60_000

/** Writer with which a service reports the events of one stream. Calls after the terminal event are ignored. */
export interface StreamWriter {
  readonly streamId: string
  /** Pushes a batch of events that its owner has stored. */
  events(batch: EventBatch): void
  /** Ends the stream successfully. */
  end(): void
  fail(error: Failure): void
}

interface StreamOptions {
  /** Pages that are attached from the first event. */
  readonly connectionIds: readonly string[]
}

/** All streams of the app: they live here, outlive every view, and can be attached to at any time. */
export interface StreamHub {
  /** Throws REFUSED if the ID is in use: an ID names one stream forever. */
  open(streamId: string, options: StreamOptions): StreamWriter
  /** Returns whether a stream with this ID is known. */
  has(streamId: string): boolean
  /** Returns the position and the next `seq`; throws NOT_FOUND for an unknown ID. */
  attach(streamId: string, connectionId: string): StreamSnapshot
  detach(streamId: string, connectionId: string): void
  /** Detaches a page that is gone from all streams; the streams continue. */
  dropConnection(connectionId: string): void
}

interface Stream {
  seq: number
  /** Position of the next event; null in a stream that had no events. */
  nextEvent: number | null
  outcome: StreamSnapshot['outcome'] | null
  readonly attached: Set<string>
}

/** `Omit` that is applied to each member of a union. */
type Body = StreamEvent extends infer E
  ? E extends StreamEvent
    ? Omit<E, 'streamId' | 'seq'>
    : never
  : never

/** Creates the hub for the connected pages (architecture rule 2). */
export function createStreamHub(pages: Pages): StreamHub {
  const streams = new Map<string, Stream>()

  const push = (streamId: string, stream: Stream, body: Body): void => {
    const event: StreamEvent = { streamId, seq: stream.seq++, ...body }
    for (const id of stream.attached) pages.push(id, { channel: 'stream', event })
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
        seq: 0,
        nextEvent: null,
        outcome: null,
        attached: new Set(options.connectionIds),
      }
      streams.set(streamId, stream)
      return {
        streamId,
        events(batch) {
          if (stream.outcome) return
          stream.nextEvent = batch.first + batch.count
          push(streamId, stream, { type: 'events', batch })
        },
        end() {
          if (!stream.outcome) finish(streamId, stream, { type: 'end' })
        },
        fail(error) {
          if (!stream.outcome) finish(streamId, stream, { type: 'error', error })
        },
      }
    },
    has: (streamId) => streams.has(streamId),
    attach(streamId, connectionId) {
      const stream = streams.get(streamId)
      if (!stream) throw new AppError('NOT_FOUND', 'Stream not found')
      const snapshot: StreamSnapshot = {
        streamId,
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
