import type { Answered, CallOptions, ServiceTarget, RawReply } from './types.ts'
import { performCall, type CallParts, requireSuccess, type ReadContext } from './call.ts'
import { jsonBody, type HttpReply } from './http.ts'
import { type TextBounds, saveText } from './bounded-text.ts'
import type { Repeat, RetryBounds } from './retry.ts'
import { StreamBroken } from './stream-broken.ts'
import type { Timeouts } from './timeouts.ts'
import { isRecord, parseJson, textField } from './json.ts'
import { type JsonRecord, malformed, recordFrom } from './lenient.ts'
import { AppError } from '../errors.ts'
import { jsonReplyLimit, peek, readText, requireJson } from './body.ts'
import { type ErrorBody, readErrorBody } from './errors.ts'
import { networkError } from './network-errors.ts'
import { readSse } from './sse.ts'
import { readUsage, type Usage } from './usage.ts'

/** An operation that sends JSON and receives an event stream, or one JSON value in its place. */
interface EventOperation<T> {
  /** Name in Activity, for example `agents.chat`. */
  readonly operation: string
  /** Model ID in the API; null for calls without one. */
  readonly model: string | null
  readonly repeat: Repeat
  readonly retryBounds?: RetryBounds
  /** Path below the base URL. The method is POST. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** Returns the body for the ID that all attempts share. */
  json(requestId: string): unknown
  /** Requested format; either is read. */
  readonly accept: 'application/json' | 'text/event-stream'
  readonly timeouts: Timeouts
  /**
   * Returns a reader for one attempt. It calls `streamed` with each event before emitting it, after which nothing is retried.
   * Throws ANSWER_TOO_LONG for an answer beyond the limit.
   */
  open(streamed: (event: object) => void): EventReader<T>
}

/**
 * Raw streams of some megabytes are saved in full. Of a longer stream only the beginning is: its events contain everything
 * that was received. A stream with images may be longer and is still read.
 */
const bounds: TextBounds = { maxSaved: 4 * 1024 * 1024, maxTotal: 256 * 1024 * 1024 }

/**
 * Performs the call; the caller makes the checks. Throws AppError, or {@link StreamBroken} with the partial result when the
 * stream did not end.
 */
export async function callEvents<T>(
  parts: CallParts,
  target: ServiceTarget,
  operation: EventOperation<T>,
  options: CallOptions,
): Promise<Answered<T>> {
  const { operation: name, model, repeat, retryBounds, path, headers, accept } = operation
  return performCall<Answered<T>>(
    parts,
    target,
    {
      operation: name,
      model,
      repeat,
      ...(retryBounds && { retryBounds }),
      exchange: (requestId) => ({
        method: 'POST',
        path,
        ...(headers && { headers }),
        body: jsonBody(operation.json(requestId)),
        accept,
        timeouts: operation.timeouts,
      }),
      read: (reply, context) =>
        readEventReply(reply, context, {
          open() {
            const count = createAnswerLimit()
            return operation.open((event) => {
              context.streamed()
              count(event)
            })
          },
          eventLimit,
          broken: (reason, partial, raw) => new StreamBroken(reason, partial, raw),
          bounds: options.omitRawResponse ? { ...bounds, maxSaved: 0 } : bounds,
        }),
    },
    options,
  )
}

/** Fields that may contain the text of an event, most likely first. */
const textNames = ['text', 'content', 'answer', 'delta', 'message', 'reasoning', 'thought', 'value']

/**
 * Returns the text in an event's `data` (service-notes 6): plain text, an object with a text field, or a list of such.
 * Missing data has none (''); null for any other content. Text itself is never parsed: an answer may be JSON.
 */
export function wordsOf(data: unknown): string | null {
  return wordsAt(data, 0)
}

/** Maximum nesting depth of text: deeper values are not text and could exhaust the stack. */
const deepest = 8

function wordsAt(data: unknown, depth: number): string | null {
  if (depth > deepest) return null
  if (typeof data === 'string') return data
  if (data === undefined || data === null) return ''
  if (typeof data === 'number') return String(data)
  if (Array.isArray(data)) {
    const parts: (string | null)[] = data.map((part) => wordsAt(part, depth + 1))
    return parts.includes(null) ? null : parts.join('')
  }
  return isRecord(data) ? wordsIn(data, depth) : null
}

function wordsIn(record: JsonRecord, depth: number): string | null {
  for (const name of textNames) {
    const value = record[name]
    if (typeof value === 'string') return value
    if (typeof value === 'object' && value !== null) return wordsAt(value, depth + 1)
  }
  return null
}

/**
 * Whether the end of a stream was received: `said` when all content was received but more may follow (usage, `[DONE]`),
 * `over` when nothing follows.
 */
export type EndMark = 'open' | 'said' | 'over'

/** Parser of one family's responses. Created for each attempt; emits each step to its own caller. */
export interface EventReader<T> {
  /** Handles one event's JSON and its `event:` name; returns the failure it reports, or null. */
  take(event: JsonRecord, name: string | undefined): ErrorBody | null
  /** Handles an event whose data is not a JSON object; returns false when the family does not know it. */
  takeText?(text: string, name: string): boolean
  /** Handles a complete JSON answer in place of a stream. Throws MALFORMED_REPLY when it contains no answer. */
  whole(json: JsonRecord): ErrorBody | null
  readonly end: EndMark
  /** Tokens, if the family reports them elsewhere than in `usage`. */
  readonly usage?: unknown
  /** Returns the result so far; `complete` when that is all. Called once. */
  value(complete: boolean): T
}

/** How the responses of a family are read. */
interface EventReplyOptions<T> {
  open(): EventReader<T>
  /** The error for a stream that did not reach its end. */
  broken(reason: AppError, partial: T, raw: RawReply): AppError
  readonly bounds: TextBounds
  /** Maximum number of characters of an event, and the error for longer ones. */
  readonly eventLimit?: { readonly characters: number; tooLong(): AppError }
}

/** Maximum silence of a stream after its content is complete, in milliseconds: some senders never close. */
const restMs: Readonly<Record<EndMark, number>> = { open: Infinity, said: 3000, over: 0 }

/** Fields that responses of every family may contain in addition to their content. */
interface ReplyMeta {
  requestId: string | null
  engine: string | null
  notice: string | null
  usage: unknown
}

/**
 * Reads a response by its actual format: a stream request may be answered with JSON and the other way round. Throws AppError.
 */
export async function readEventReply<T>(
  reply: HttpReply,
  context: ReadContext,
  options: EventReplyOptions<T>,
): Promise<Answered<T>> {
  const { first, body } = await peek(reply.body)
  const streamed = first !== '' && first !== '{' && first !== '[' && first !== '<'
  const read = streamed ? readStream : readWhole
  return read({ ...reply, body }, context, options)
}

async function readWhole<T>(
  reply: HttpReply,
  context: ReadContext,
  options: EventReplyOptions<T>,
): Promise<Answered<T>> {
  const body = context.mask(await readText(reply.body, jsonReplyLimit))
  const json = requireJson(body, reply, context.redact)
  requireSuccess(json, reply, context)
  const reader = options.open()
  const meta: ReplyMeta = { requestId: null, engine: null, notice: null, usage: undefined }
  const raw = { status: reply.status, contentType: reply.contentType, body }
  const events = Array.isArray(json) ? json.filter(isRecord) : null
  if (events === null && !isRecord(json)) throw malformed('not-an-object')
  if (events?.length === 0) throw malformed('empty')
  for (const event of events ?? [json as JsonRecord]) {
    note(event, meta)
    const failure =
      errorOfEvent(event) ?? (events ? reader.take(event, undefined) : reader.whole(event))
    if (failure) throw options.broken(context.failure(reply, failure), reader.value(false), raw)
  }
  if (events && reader.end === 'open')
    throw options.broken(endless(context), reader.value(false), raw)
  return answered(reader, meta, raw, context)
}

async function readStream<T>(
  reply: HttpReply,
  context: ReadContext,
  options: EventReplyOptions<T>,
): Promise<Answered<T>> {
  const reader = options.open()
  const meta: ReplyMeta = { requestId: null, engine: null, notice: null, usage: undefined }
  const text = saveText(options.bounds, context.mask)
  const raw = (): RawReply => ({
    status: reply.status,
    contentType: reply.contentType,
    body: text.join(),
  })
  try {
    const { done } = await readSse(reply.body, {
      onText: text.add,
      onEvent({ name, data }) {
        if (reader.end === 'over') return
        const event = parseJson(context.mask(data))
        if (!isRecord(event)) return takeText(reader, data, name, reply, context)
        note(event, meta)
        const failure = errorOfEvent(event, name) ?? reader.take(event, name)
        if (failure) throw context.failure(reply, failure)
      },
      restMs: () => restMs[reader.end],
      ...(options.eventLimit && {
        maxPending: options.eventLimit.characters,
        tooLong: options.eventLimit.tooLong,
      }),
    })
    if (!done && reader.end === 'open') throw endless(context)
  } catch (thrown) {
    const progress = { sent: true, replied: true, host: context.trace.host }
    const error = networkError(thrown, progress, context.signal)
    if (!(error instanceof AppError)) throw error
    // All content was received before the connection broke.
    if (reader.end === 'open' || !isCut(error)) {
      context.usage(usageOf(reader, meta))
      throw options.broken(error, reader.value(false), raw())
    }
  }
  // The last events were just emitted: let waiting work run before joining a long text.
  await new Promise((resolve) => setImmediate(resolve))
  return answered(reader, meta, raw(), context)
}

function endless(context: ReadContext): AppError {
  return new AppError('STREAM_CUT', 'The stream ended before its end marker.', {
    retriable: true,
    params: { host: context.trace.host, reason: 'no-end' },
  })
}

function isCut(error: AppError): boolean {
  return error.code === 'STREAM_CUT' || error.params?.['phase'] === 'idle'
}

/** Empty data and events of other names are keep-alives; anything else may have been text. */
function takeText<T>(
  reader: EventReader<T>,
  data: string,
  name: string | undefined,
  reply: HttpReply,
  context: ReadContext,
): void {
  if (name === 'error') throw context.failure(reply, { code: null, message: data })
  if (name !== undefined && reader.takeText?.(context.mask(data), name)) return
  if (data.trim() === '' || (name !== undefined && name !== 'message')) return
  throw new AppError('MALFORMED_REPLY', 'The stream contains data that is not events.', {
    params: { reason: 'not-json' },
  })
}

function note(event: JsonRecord, meta: ReplyMeta): void {
  meta.requestId = textField(event, 'request_id') ?? meta.requestId
  meta.engine = textField(event, 'engine') ?? meta.engine
  meta.notice = textField(event, 'notice') ?? meta.notice
  meta.usage = event['usage'] ?? meta.usage
}

function usageOf(reader: EventReader<unknown>, meta: ReplyMeta): Usage {
  return readUsage(meta.usage ?? reader.usage)
}

function answered<T>(
  reader: EventReader<T>,
  meta: ReplyMeta,
  raw: RawReply,
  context: ReadContext,
): Answered<T> {
  const usage = usageOf(reader, meta)
  context.usage(usage)
  return {
    value: reader.value(true),
    requestId: meta.requestId ?? context.requestId,
    engine: meta.engine,
    notice: meta.notice,
    usage,
    raw,
  }
}

/**
 * Returns the failure of an error event: one named `error`, or the agent's `{type: "error", data}` (service-notes 1 and 6),
 * whose data is an object, its JSON text, or plain text. Null for every other event.
 */
function errorOfEvent(event: JsonRecord, name?: string): ErrorBody | null {
  if (name !== 'error' && event['type'] !== 'error') return null
  const { type, data, ...outside } = event
  const inside = recordFrom(data)
  const reported = inside && readErrorBody(inside)
  const around = readErrorBody(isRecord(outside['error']) || type === 'error' ? outside : event)
  const words = inside === null && typeof data === 'string' && data !== '' ? data : null
  return {
    code: reported?.code ?? around?.code ?? null,
    message: reported?.message ?? words ?? around?.message ?? null,
  }
}

/**
 * Maximum size of one answer in bytes of UTF-8: text, reasoning and tool results together. No model writes a tenth of it. The
 * whole answer is in memory while it streams, but a message contains only its beginning (`shownUnits`), and it is stored in
 * parts.
 */
export const maxAnswerBytes = 16 * 1024 * 1024

const tooLong = (): AppError =>
  new AppError('ANSWER_TOO_LONG', 'The answer exceeds the size limit.', {
    params: { limit: maxAnswerBytes },
  })

/** Maximum length of one event of an answer: the last event may repeat the whole answer. */
const eventLimit = { characters: maxAnswerBytes + 64 * 1024, tooLong } as const

/** Cost of an event in addition to its text: events without text are stored too. */
const eventBytes = 16

/** Estimates the size of a value as JSON in bytes, without building the JSON. */
function bytesOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value)
  if (typeof value !== 'object' || value === null) return 4
  let bytes = 2
  if (Array.isArray(value)) for (const each of value) bytes += 1 + bytesOf(each)
  else
    for (const [name, each] of Object.entries(value))
      bytes += 4 + Buffer.byteLength(name) + bytesOf(each)
  return bytes
}

/**
 * Returns a counter of the answer's size. It throws ANSWER_TOO_LONG for the event that exceeds the limit, before the event is
 * emitted.
 */
function createAnswerLimit(): (event: object) => void {
  let bytes = 0
  return (event) => {
    const length =
      'text' in event && typeof event.text === 'string' ? bytesOf(event.text) : bytesOf(event)
    const type = 'type' in event ? event.type : undefined
    bytes = type === 'done' ? Math.max(bytes, length) : bytes + eventBytes + length
    if (bytes > maxAnswerBytes) throw tooLong()
  }
}
