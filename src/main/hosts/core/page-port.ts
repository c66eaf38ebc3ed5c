import { z } from 'zod'
import type { Failure, Reply } from '../../../shared/contract/reply.ts'
import { fileOnDisk, putFile, type IncomingFile } from '../../platform/bridge/intake.ts'
import type { Clock, Log } from '../../deps.ts'
import { AppError, misfit, toFailure } from '../../errors.ts'
import type { App, PageConnection } from '../../host.ts'
import type { PortAnswer, PortRequest, PushedEvent } from '../../../shared/contract/transport.ts'

/** One end of a message channel, like Electron's `MessagePortMain`. */
export interface Port {
  postMessage(message: unknown): void
  on(event: 'message', listener: (event: { readonly data: unknown }) => void): unknown
  on(event: 'close', listener: () => void): unknown
  /** Starts delivery; messages are queued until then. */
  start(): void
  close(): void
}

/**
 * Maximum calls in flight and parallel files of a page, and milliseconds between two progress messages of a file.
 */
const bounds = { calls: 256, files: 64, progressMs: 100 } as const

const id = z.int().nonnegative()
/** Message of a page; any other message closes the port. The router validates the payload of a call. */
const requestShape: z.ZodType<PortRequest> = z.discriminatedUnion('t', [
  z.strictObject({ t: z.literal('req'), id, route: z.string(), payload: z.unknown() }),
  z.strictObject({
    t: z.literal('file'),
    id,
    target: z.enum(['intake', 'archive', 'self-test']),
    name: z.string(),
    size: z.number().nonnegative(),
    path: z.string().min(1).nullable(),
  }),
  z.strictObject({ t: z.literal('piece'), id, bytes: z.instanceof(ArrayBuffer).nullable() }),
  z.strictObject({ t: z.literal('unreadable'), id }),
  z.strictObject({ t: z.literal('cancel'), id }),
  z.strictObject({ t: z.literal('confirm'), mark: id }),
])

/** A file being uploaded. */
interface Transfer {
  readonly controller: AbortController
  /** Receives the requested chunk, or the error; null while no chunk is requested. */
  onChunk: ((bytes: ArrayBuffer | null | AppError) => void) | null
}

/** Serves one page over its port until the port closes; returns a function that stops it. */
export function servePort(
  port: Port,
  connectionId: string,
  deps: { readonly app: App; readonly clock: Clock; readonly log: Log },
): () => void {
  const { app, clock, log } = deps
  const transfers = new Map<number, Transfer>()
  let open = true
  let calls = 0

  const send = (answer: PortAnswer): void => {
    if (open) port.postMessage(answer)
  }
  const refuse = (failure: Failure): Reply<never> => ({ ok: false, error: failure })
  const answer = (call: number, reply: Reply<unknown>): void => {
    try {
      send({ t: 'res', id: call, reply })
    } catch (error) {
      // It contains a value that cannot be cloned: a bug of ours, and the page must not wait forever.
      log.error('failed to send a response', { error })
      send({ t: 'res', id: call, reply: refuse(toFailure(error, clock())) })
    }
  }
  const tooMany = (call: number): void => {
    const error = new AppError('REFUSED', 'Too many parallel requests', { retriable: true })
    answer(call, refuse(toFailure(error, clock())))
  }

  const pushes = createPushWindow()
  const connection: PageConnection = {
    id: connectionId,
    push(event) {
      if (!open) return
      try {
        const message = pushes.message(event)
        if (message) send(message)
      } catch (error) {
        log.error('failed to send an event', { error })
      }
    },
  }

  const request = async (call: number, route: string, payload: unknown): Promise<void> => {
    if (calls >= bounds.calls) return tooMany(call)
    calls++
    const reply = await app.request(connection, route, payload)
    calls--
    answer(call, reply)
  }

  const take = async (frame: Extract<PortRequest, { t: 'file' }>): Promise<void> => {
    if (transfers.size >= bounds.files || transfers.has(frame.id)) return tooMany(frame.id)
    const transfer: Transfer = { controller: new AbortController(), onChunk: null }
    transfers.set(frame.id, transfer)
    let reportedAt = 0
    try {
      const { signal } = transfer.controller
      const file =
        frame.path === null
          ? chunksOf(frame, transfer)
          : { ...(await fileOnDisk(frame.target, frame.path)), name: frame.name }
      const reply = await putFile((each) => app.fetch(each), file, {
        signal,
        onBytes(bytes) {
          const now = performance.now()
          if (now - reportedAt < bounds.progressMs && bytes < frame.size) return
          reportedAt = now
          send({ t: 'progress', id: frame.id, bytes })
        },
      })
      answer(frame.id, reply)
    } catch (error) {
      const cancelled = transfer.controller.signal.aborted
      if (!(error instanceof AppError) && !cancelled)
        log.error('failed to receive an uploaded file', { error })
      const failure = cancelled ? new AppError('CANCELLED', 'The upload was stopped') : error
      answer(frame.id, refuse(toFailure(failure, clock())))
    } finally {
      transfers.delete(frame.id)
    }
  }

  const chunksOf = (
    { id: call, target, name, size }: Extract<PortRequest, { t: 'file' }>,
    transfer: Transfer,
  ): IncomingFile => {
    const { signal } = transfer.controller
    const next = (): Promise<ArrayBuffer | null> =>
      new Promise((resolve, reject) => {
        const stopped = (): void => reject(new AppError('CANCELLED', 'The upload was stopped'))
        if (signal.aborted) return stopped()
        signal.addEventListener('abort', stopped, { once: true })
        transfer.onChunk = (bytes) => {
          signal.removeEventListener('abort', stopped)
          transfer.onChunk = null
          if (bytes instanceof AppError) reject(bytes)
          else resolve(bytes)
        }
        send({ t: 'more', id: call })
      })
    const body = async function* (): AsyncGenerator<Uint8Array> {
      for (let bytes = await next(); bytes !== null; bytes = await next())
        yield new Uint8Array(bytes)
    }
    return { target, name, size, body: body() }
  }

  const leave = (): void => {
    if (!open) return
    open = false
    for (const { controller } of transfers.values()) controller.abort()
    app.disconnect(connection)
    port.close()
  }

  port.on('message', ({ data }) => {
    const parsed = requestShape.safeParse(data)
    if (!parsed.success) {
      log.warn('a page sent an invalid request', { connectionId, ...misfit(parsed.error.issues) })
      return leave()
    }
    const frame = parsed.data
    switch (frame.t) {
      case 'req':
        return void request(frame.id, frame.route, frame.payload)
      case 'file':
        return void take(frame)
      case 'piece':
        return transfers.get(frame.id)?.onChunk?.(frame.bytes)
      case 'unreadable':
        return transfers
          .get(frame.id)
          ?.onChunk?.(new AppError('FILE_UNREADABLE', 'The file changed while it was read'))
      case 'cancel':
        return transfers.get(frame.id)?.controller.abort()
      case 'confirm': {
        const message = pushes.confirmed(frame.mark)
        return message ? send(message) : undefined
      }
    }
  })
  port.on('close', leave)
  app.connect(connection)
  port.start()
  return leave
}

/**
 * Limits of the events and characters waiting for a page that does not read, and after how many it is asked to confirm.
 */
const pushBounds = {
  waiting: { events: 4096, characters: 8 * 1024 * 1024 },
  confirm: { events: 64, characters: 512 * 1024 },
} as const

/** Flow control of the events sent to one page. */
interface PushWindow {
  /**
   * Returns the message that carries this event; null while the page is behind, which then misses the event.
   */
  message(event: PushedEvent): PortAnswer | null
  /**
   * Handles a confirmation of the page. Returns a message that reports missed events, once nothing else is waiting.
   */
  confirmed(mark: number): PortAnswer | null
}

interface Count {
  events: number
  characters: number
}

/** Limits what waits for one page: a port accepts any amount of data, and a page may not read for minutes. */
function createPushWindow(): PushWindow {
  const sent: Count = { events: 0, characters: 0 }
  let read: Count = { ...sent }
  /** Amount sent up to each mark that the page has not confirmed. */
  const marks = new Map<number, Count>()
  let marked: Count = { ...sent }
  let lastMark = 0
  let missed = false
  let mayWait: number = pushBounds.waiting.characters

  const isSince = (since: Count, max: Count): boolean =>
    sent.events - since.events >= max.events || sent.characters - since.characters >= max.characters

  return {
    message(event) {
      const { events, characters } = pushBounds.waiting
      missed ||= isSince(read, { events, characters: mayWait })
      if (missed) return null
      const length = lengthOf(event)
      // A single large event may wait in addition to the others: a page that reads receives it, however long that takes.
      if (sent.characters - read.characters < characters) mayWait = characters + length
      sent.events += 1
      sent.characters += length
      if (!isSince(marked, pushBounds.confirm)) return { t: 'push', event }
      marked = { ...sent }
      marks.set(++lastMark, marked)
      return { t: 'push', event, confirm: lastMark }
    },
    confirmed(mark) {
      read = marks.get(mark) ?? read
      for (const each of marks.keys()) if (each <= mark) marks.delete(each)
      if (!missed || marks.size > 0) return null
      missed = false
      return { t: 'missed' }
    },
  }
}

const lengths = new WeakMap<object, number>()

/** Measures each event once, regardless of the number of pages that receive it. */
function lengthOf({ event }: PushedEvent): number {
  const known = lengths.get(event)
  if (known !== undefined) return known
  const length = JSON.stringify(event).length
  lengths.set(event, length)
  return length
}
