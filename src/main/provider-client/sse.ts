import { createParser } from 'eventsource-parser'
import { AppError } from '../errors.ts'
import { isRecord, parseJson } from './json.ts'

export interface ServerEvent {
  /** The `event:` field; undefined when the stream has none, as in the provider's streams. */
  readonly name: string | undefined
  readonly data: string
}

/** Options for reading a stream. */
interface SseOptions {
  /** Called for each event except `[DONE]`, in order. Throwing ends the reading. */
  onEvent(event: ServerEvent): void
  /** Called with each decoded chunk before its events, for storing the raw stream. */
  onText?(text: string): void
  /** Maximum number of characters waiting for the end of a line or an event. */
  readonly maxPending?: number
  /** Returns the error when the maximum is exceeded; MALFORMED_REPLY when absent. */
  tooLong?(): AppError
  /**
   * Called before each chunk: returns the milliseconds to wait for it when the stream's own end mark was received and the
   * sender may never close. 0 ends the reading at once; Infinity, the default, leaves it to the connection.
   */
  restMs?(): number
}

/** A line of a transcript or an answer has some hundred characters; images inside a stream reach a few million. */
const defaultMaxPending = 16 * 1024 * 1024

/** Milliseconds of work on chunks after which other work runs: a fast sender fills one turn with many chunks. */
const turnMs = 5

/** Maximum bytes of a line buffered until its end before they are decoded: a long line does not become many small strings. */
const maxLineBuffer = 512 * 1024

/** How long the connection may stay open after `[DONE]`, in milliseconds, so that it can be used again. */
const lingerMs = 250

/**
 * Reads a server-sent event stream to its end (service-notes 1): LF, CR and CRLF, comments, a byte order mark, characters
 * split anywhere. Returns whether `[DONE]` was received. When the bytes end in the middle of an event, a payload that is
 * already complete (`[DONE]` or a closed JSON object) still counts; an incomplete one never does. Rejects with the source's
 * error, after delivering everything received before. The caller closes the connection afterwards in any case. A plain loop
 * on purpose: stream transforms cost several times as much as the parsing.
 */
export async function readSse(
  body: AsyncIterable<Uint8Array>,
  options: SseOptions,
): Promise<{ readonly done: boolean }> {
  let done = false
  let overflow = false
  let ended = false
  const maxPending = options.maxPending ?? defaultMaxPending
  const parser = createParser({
    maxBufferSize: maxPending,
    onEvent({ event, data }) {
      if (done) return
      if (isDone(data)) done = true
      else if (!ended || isRecord(parseJson(data))) options.onEvent({ name: event, data })
    },
    onError(error) {
      if (error.type === 'max-buffer-size-exceeded') overflow = true
    },
  })
  const decoder = new TextDecoder()
  const take = (text: string): void => {
    if (text === '') return
    options.onText?.(text)
    parser.feed(text)
    if (!overflow) return
    if (options.tooLong) throw options.tooLong()
    throw new AppError('MALFORMED_REPLY', 'The stream contained a line that is too long.', {
      params: { reason: 'too-large' },
    })
  }

  const bufferSize = Math.min(maxLineBuffer, Math.ceil(maxPending / 8))
  /** Beginning of an incomplete line; allocated for the first line that arrives in several chunks. */
  let buffer: Uint8Array | null = null
  let buffered = 0
  const decode = (bytes: Uint8Array): void => {
    if (bytes.byteLength > 0) take(decoder.decode(bytes, { stream: true }))
  }
  const flushBuffer = (): void => {
    const bytes = buffer?.subarray(0, buffered)
    buffered = 0
    if (bytes) decode(bytes)
  }
  const addToBuffer = (bytes: Uint8Array): void => {
    if (bytes.byteLength === 0) return
    buffer ??= new Uint8Array(bufferSize)
    buffer.set(bytes, buffered)
    buffered += bytes.byteLength
  }
  const receive = (bytes: Uint8Array): void => {
    if (buffered + bytes.byteLength > bufferSize) flushBuffer()
    if (bytes.byteLength > bufferSize) return decode(bytes)
    const end = 1 + Math.max(bytes.lastIndexOf(0x0a), bytes.lastIndexOf(0x0d))
    if (end === 0) return addToBuffer(bytes)
    if (buffered === 0) decode(bytes.subarray(0, end))
    else {
      addToBuffer(bytes.subarray(0, end))
      flushBuffer()
    }
    addToBuffer(bytes.subarray(end))
  }
  const finish = (): void => {
    flushBuffer()
    take(decoder.decode())
    ended = true
    parser.feed('\n\n')
  }

  const source = body[Symbol.asyncIterator]()
  let worked = 0
  while (!done) {
    const rest = options.restMs?.() ?? Infinity
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

/** Returns the next chunk, or the end when it does not arrive in time. */
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

/** Gives the sender a short time to close the stream properly. */
async function linger(source: AsyncIterator<Uint8Array>): Promise<void> {
  const rest = async (): Promise<void> => {
    for (let next = await source.next(); !next.done;) next = await source.next()
  }
  const late = Promise.withResolvers<void>()
  const timer = setTimeout(late.resolve, lingerMs)
  // The text is already complete: how the connection ends no longer matters.
  await Promise.race([rest().catch(() => {}), late.promise])
  clearTimeout(timer)
}
