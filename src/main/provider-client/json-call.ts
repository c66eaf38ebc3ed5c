import { jsonReplyLimit, notJson, readText } from './body.ts'
import { performCall, requireSuccess, type CallParts } from './call.ts'
import type { Answered, CallOptions, ServiceTarget } from './types.ts'
import { jsonBody, type Exchange, type OutgoingBody } from './http.ts'
import { isRecord, parseJson, textField, defaultJsonValues } from './json.ts'
import type { Repeat, RetryBounds } from './retry.ts'
import type { Timeouts } from './timeouts.ts'
import { readUsage } from './usage.ts'

/** Content of a response text that an external parser has read. */
export interface TextResult<T> {
  /**
   * The JSON without its long parts: fields for failures, usage and the engine. Undefined when the text is not JSON.
   */
  readonly json: unknown
  /** Returns the parsed content; throws AppError MALFORMED_REPLY when it has an unexpected form. */
  value(): T
}

/** An operation that sends JSON, a form or nothing, and receives one JSON value. */
export interface JsonExchange {
  /** Name in Activity, for example `rerank.create`. */
  readonly operation: string
  /** Model ID in the API; null for calls without one. */
  readonly model: string | null
  readonly repeat: Repeat
  readonly retryBounds?: RetryBounds
  readonly method: Exchange['method']
  /** Below the base URL; IDs in it are already percent-encoded. */
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  /** Headers of this operation only; most have none. */
  headers?(requestId: string): Readonly<Record<string, string>>
  /** Returns a JSON value for the ID that all attempts share; absent for calls without a body. */
  json?(requestId: string): unknown
  /** Returns another body instead. */
  body?(requestId: string): OutgoingBody
  readonly timeouts: Timeouts
  /** Maximum response size in bytes, if the default is too small. */
  readonly replyLimit?: number
  /** Maximum number of values in a response read here, if it exceeds {@link defaultJsonValues}. */
  readonly maxValues?: number
  /**
   * Returns true when the failure in a response is the requested content (a failed task): `read` receives it instead of an
   * error being thrown.
   */
  reportsFailure?(json: unknown): boolean
}

/** How a response is read; error envelopes are handled earlier. */
type JsonReader<T> =
  /** Converts the response value; throws AppError MALFORMED_REPLY when it cannot. */
  | { read(json: unknown): T }
  /** Same as `read`, but from the response text and off the main thread. */
  | { readText(text: string): Promise<TextResult<T>> }

/** A JSON operation and how its response is read. */
type JsonOperation<T> = JsonExchange & JsonReader<T>

/** Performs the call; the caller makes the checks, everything else happens here. Throws AppError. */
export async function callJson<T>(
  parts: CallParts,
  target: ServiceTarget,
  operation: JsonOperation<T>,
  options: CallOptions,
): Promise<Answered<T>> {
  return performCall<Answered<T>>(
    parts,
    target,
    {
      operation: operation.operation,
      model: operation.model,
      repeat: operation.repeat,
      ...(operation.retryBounds && { retryBounds: operation.retryBounds }),
      exchange(requestId) {
        const body =
          operation.body?.(requestId) ??
          (operation.json ? jsonBody(operation.json(requestId)) : undefined)
        return {
          method: operation.method,
          path: operation.path,
          ...(operation.query && { query: operation.query }),
          ...(operation.headers && { headers: operation.headers(requestId) }),
          ...(body && { body }),
          accept: 'application/json',
          timeouts: operation.timeouts,
        }
      },
      async read(reply, context) {
        const limit = operation.replyLimit ?? jsonReplyLimit
        const body = context.mask(await readText(reply.body, limit))
        const result = await resultOf(operation, body)
        if (result.json === undefined) throw notJson(body, reply, context.redact)
        const json = result.json
        if (operation.reportsFailure?.(json) !== true) requireSuccess(json, reply, context)
        const usage = readUsage(isRecord(json) ? json['usage'] : undefined)
        context.usage(usage)
        const fields = isRecord(json) ? json : {}
        return {
          value: result.value(),
          requestId: textField(fields, 'request_id') ?? context.requestId,
          engine: textField(fields, 'engine'),
          notice: textField(fields, 'notice'),
          usage,
          raw: { status: reply.status, contentType: reply.contentType, body },
        }
      },
    },
    options,
  )
}

async function resultOf<T>(how: JsonOperation<T>, text: string): Promise<TextResult<T>> {
  if ('readText' in how) return how.readText(text)
  const json = parseJson(text, how.maxValues ?? defaultJsonValues)
  return { json, value: () => how.read(json) }
}

/** An operation as its callers see it: checks the request, sends it and reads the response. Throws AppError. */
export type Endpoint<Request, Value> = (
  target: ServiceTarget,
  request: Request,
  options: CallOptions,
) => Promise<Answered<Value>>

/** What a request makes of its endpoint; absent fields have the defaults of {@link endpointsOf}. */
type EndpointCall<Value> = Partial<Omit<JsonExchange, 'operation' | 'path'>> &
  Pick<JsonExchange, 'path'> & { read(json: unknown): Value }

/**
 * Returns what creates the endpoints of a family. `describe` checks a request, and returns what is sent and how the response is
 * read. By default a call is short, safe to repeat, without a model, and POST if it has a body, otherwise GET.
 */
export const endpointsOf =
  (parts: CallParts) =>
  <Request, Value>(
    operation: string,
    describe: (request: Request, target: ServiceTarget) => EndpointCall<Value>,
  ): Endpoint<Request, Value> =>
  async (target, request, options) => {
    const call = describe(request, target)
    const method = call.json || call.body ? 'POST' : 'GET'
    const { shortCall: timeouts } = parts
    return callJson(
      parts,
      target,
      { operation, model: null, repeat: 'safe', method, timeouts, ...call },
      options,
    )
  }
