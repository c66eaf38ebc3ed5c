import { createParser } from 'eventsource-parser'
import { AppError } from '../errors.ts'
import { isRecord, parseJson } from './json.ts'

/** One event of a stream. */
export interface ServerEvent {
  /** The `event:` field; undefined when the stream names none, as the service's streams do. */
  readonly name: string | undefined
  readonly data: string
}

/** How a stream is read. */
export interface SseResult {
  /** Called for each event but `[DONE]`, in order. Whatever it throws ends the reading. */
  onEvent(event: ServerEvent): void
  /** Called with each decoded piece before its events, for keeping the stream as received. */
  onText?(text: string): void
  /** Characters that may wait for the end of a line or an event. */
  readonly maxPending?: number
  /** The error for more; MALFORMED_REPLY when absent. */
  tooLong?(): AppError
  /**
   * Asked before each piece: milliseconds to wait for it, where the stream's own end mark has come and nobody may ever close.
   * 0 ends the reading at once; Infinity, the default, leaves it to the connection.
   */
  restMs?(): number
}

/** A line of a transcript or an answer is some hundred characters; pictures inside a stream reach a few million. */
const defaultMaxPending = 16 * 1024 * 1024

/** After so much work on pieces, in milliseconds, everything else has its turn: a sender that is fast fills one turn with many. */
const turnMs = 5

/** Bytes of a line that wait for its end before they become text: a long line leaves no pieces behind. */
const lineBytes = 512 * 1024

/** How long the connection may stay open after `[DONE]`, in milliseconds, so that it can be used again. */
const lingerMs = 250

/**
 * Reads a server-sent event stream to its end (service-notes 1): LF, CR and CRLF, comments, a byte order mark, characters
 * split anywhere. Returns whether `[DONE]` came. When the bytes end in the middle of an event, a payload that is already
 * whole (`[DONE]` or a closed JSON object) still counts; half of one never does. Rejects with what the source threw, after
 * delivering everything that came before. The caller gives the connection up afterwards, whatever came of it.
 * A plain loop on purpose: stream transforms cost several times the parsing.
 */
export async function readSse(
  body: AsyncIterable<Uint8Array>,
  reading: SseResult,
): Promise<{ readonly done: boolean }> {
  let done = false
  let overflow = false
  let ended = false
  const maxPending = reading.maxPending ?? defaultMaxPending
  const parser = createParser({
    maxBufferSize: maxPending,
    onEvent({ event, data }) {
      if (done) return
      if (isDone(data)) done = true
      else if (!ended || isRecord(parseJson(data))) reading.onEvent({ name: event, data })
    },
    onError(error) {
      if (error.type === 'max-buffer-size-exceeded') overflow = true
    },
  })
  const decoder = new TextDecoder()
  const take = (text: string): void => {
    if (text === '') return
    reading.onText?.(text)
    parser.feed(text)
    if (!overflow) return
    if (reading.tooLong) throw reading.tooLong()
    throw new AppError('MALFORMED_REPLY', 'The stream sent a line without end.', {
      params: { reason: 'too-large' },
    })
  }

  const mostWaiting = Math.min(lineBytes, Math.ceil(maxPending / 8))
  /** The beginning of a line; made for the first one that does not come at once. */
  let line: Uint8Array | null = null
  let waiting = 0
  const decoded = (bytes: Uint8Array): void => {
    if (bytes.byteLength > 0) take(decoder.decode(bytes, { stream: true }))
  }
  const takeWaiting = (): void => {
    const bytes = line?.subarray(0, waiting)
    waiting = 0
    if (bytes) decoded(bytes)
  }
  const wait = (bytes: Uint8Array): void => {
    if (bytes.byteLength === 0) return
    line ??= new Uint8Array(mostWaiting)
    line.set(bytes, waiting)
    waiting += bytes.byteLength
  }
  const receive = (bytes: Uint8Array): void => {
    if (waiting + bytes.byteLength > mostWaiting) takeWaiting()
    if (bytes.byteLength > mostWaiting) return decoded(bytes)
    const end = 1 + Math.max(bytes.lastIndexOf(0x0a), bytes.lastIndexOf(0x0d))
    if (end === 0) return wait(bytes)
    if (waiting === 0) decoded(bytes.subarray(0, end))
    else {
      wait(bytes.subarray(0, end))
      takeWaiting()
    }
    wait(bytes.subarray(end))
  }
  const finish = (): void => {
    takeWaiting()
    take(decoder.decode())
    ended = true
    parser.feed('\n\n')
  }

  const source = body[Symbol.asyncIterator]()
  let worked = 0
  while (!done) {
    const rest = reading.restMs?.() ?? Infinity
    if (rest <= 0) break
    let next: IteratorResult<Uint8Array>
    try {
      next = await (rest === Infinity ? source.next() : within(source.next(), rest))
    } catch (error) {
      finish()
      if (done) return { done }
      throw error
    }
    if (next.done) {
      finish()
      return { done }
    }
    const before = performance.now()
    receive(next.value)
    worked += performance.now() - before
    if (worked < turnMs) continue
    worked = 0
    await new Promise((resolve) => setImmediate(resolve))
  }
  await linger(source)
  return { done }
}

function isDone(data: string): boolean {
  return data.length < 20 && data.trim() === '[DONE]'
}

/** The next piece, or the end when it does not come in time. */
async function within(
  next: Promise<IteratorResult<Uint8Array>>,
  ms: number,
): Promise<IteratorResult<Uint8Array>> {
  const late = Promise.withResolvers<IteratorResult<Uint8Array>>()
  const timer = setTimeout(() => late.resolve({ done: true, value: undefined }), ms)
  try {
    return await Promise.race([next, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** Lets the sender close the stream properly, for a short while. */
async function linger(source: AsyncIterator<Uint8Array>): Promise<void> {
  const rest = async (): Promise<void> => {
    for (let next = await source.next(); !next.done;) next = await source.next()
  }
  const late = Promise.withResolvers<void>()
  const timer = setTimeout(late.resolve, lingerMs)
  // The text is whole already: how the connection ends no longer matters.
  await Promise.race([rest().catch(() => {}), late.promise])
  clearTimeout(timer)
}
