import { jsonReplyLimit, notJson, readText } from './body.ts'
import { performCall, requireSuccess } from './call.ts'
import type { Answered } from './answer.ts'
import type { CallParts } from './call.ts'
import { jsonBody } from './http.ts'
import type { Exchange, OutgoingBody } from './http.ts'
import { isRecord, parseJson, textField, defaultJsonValues } from './json.ts'
import type { Repeat, RetryBounds } from './retry.ts'
import type { Timeouts } from './timeouts.ts'
import type { CallOptions, ServiceTarget } from './types.ts'
import { readUsage } from './usage.ts'

/** What the text of a reply holds, read by somebody else. */
export interface TextResult<T> {
  /** The JSON without what is long: what tells of failures, usage and who answered. Undefined when the text is no JSON. */
  readonly json: unknown
  /** What it means; throws AppError MALFORMED_REPLY when it is not what the service sends. */
  value(): T
}

/** An operation that sends JSON, a form or nothing, and is answered with one JSON value. */
export interface JsonExchange {
  /** As Activity names it, for example `rerank.create`. */
  readonly operation: string
  /** The model id on the wire; null for calls without one. */
  readonly model: string | null
  readonly repeat: Repeat
  readonly retryBounds?: RetryBounds
  readonly method: Exchange['method']
  /** Below the base URL; ids in it are percent-encoded already. */
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  /** Headers of this operation alone; most have none. */
  headers?(requestId: string): Readonly<Record<string, string>>
  /** A JSON value, given the id that all attempts share; absent for calls without a body. */
  json?(requestId: string): unknown
  /** Another body in its place. */
  body?(requestId: string): OutgoingBody
  readonly timeouts: Timeouts
  /** Largest reply in bytes, where the usual one is too small. */
  readonly replyLimit?: number
  /** Most values of a reply that is read here, where it has more than {@link defaultJsonValues}. */
  readonly maxValues?: number
  /** True for a reply whose failure is what was asked about (a task that failed): `read` gets it in place of an error. */
  reportsFailure?(json: unknown): boolean
}

/** How its reply is read: envelopes of failure are told before. */
export type JsonReader<T> =
  /** Turns the reply's value into ours; throws AppError MALFORMED_REPLY when it cannot. */
  | { read(json: unknown): T }
  /** The same of its text, beside the main thread. */
  | { readText(text: string): Promise<TextResult<T>> }

/** Such an operation, and how its reply is read. */
export type JsonOperation<T> = JsonExchange & JsonReader<T>

/** Makes such a call: checks are the caller's, everything else is here. Throws AppError. */
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

/** {@link callJson} over some parts, for operations that are checked while they are made: what a check throws is what the promise rejects with. */
export const jsonCaller =
  (parts: CallParts) =>
  async <T>(
    target: ServiceTarget,
    options: CallOptions,
    operation: () => JsonOperation<T>,
  ): Promise<Answered<T>> =>
    callJson(parts, target, operation(), options)
