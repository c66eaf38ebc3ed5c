import type {
  Answered,
  CallOptions,
  ServiceTarget,
  TranscriptionRequest,
} from '../../src/main/provider-client/types.ts'
import type { Api } from '../../src/main/provider-client/api.ts'
import type { FormFile } from '../../src/main/provider-client/multipart.ts'
import type { Profile } from '../../src/shared/provider/profiles.ts'
import type { RecordedRequest, ScriptedReply } from '../fixtures/scripted-server.ts'
import type { ParsedRequest } from './reader.ts'

/** Tools of a row: the client, its target, and files on disk. */
export interface Kit {
  readonly api: Api
  target(profile?: Partial<Profile>): ServiceTarget
  /** Creates a file of this many bytes; the extension has no effect on its content. */
  file(name: string, bytes: number, mime?: string): FormFile
  audio(more?: Partial<TranscriptionRequest['file']>): TranscriptionRequest['file']
  /** Returns a path for the output of an operation. */
  out(name: string): string
}

/** Call of an operation. */
export type Run = (kit: Kit, options: CallOptions) => Promise<unknown>

/** Reply with its expected result (part of the answer's value). */
export interface Exchange {
  readonly name: string
  readonly reply: ScriptedReply
  readonly value: unknown
  /** Call to use instead of the row's own. */
  readonly run?: Run
}

/** Limit, tested at its boundary and one beyond. */
export interface Limit {
  readonly what: string
  readonly edge: Run
  readonly over: Run
  /** LIMIT_EXCEEDED when absent. */
  readonly code?: string
  /** Values that the error's params must contain; absent for limits that are not numbers. */
  readonly limit?: number
  readonly value?: number
}

/** Operation with all its test data. */
export interface Row {
  readonly name: string
  /** Call with all options set. */
  readonly run: Run
  /** Expected path and query below the base URL. */
  readonly url: string
  /** Exact body: JSON, or the texts of the form in order. */
  readonly json?: unknown
  readonly texts?: readonly (readonly [name: string, value: string])[]
  /** Runs further checks of the request; throws if one fails. */
  check?(request: RecordedRequest, parsed: ParsedRequest, kit: Kit): void
  readonly happy: Exchange
  readonly odd: readonly Exchange[]
  readonly limits: readonly Limit[]
  /** Creates something on each request: never retried once it may have arrived. */
  readonly creating?: true
  /** Creating operation that adds to a chat: a 429 adds nothing, so it is retried after the pause. */
  readonly turn?: true
  /** Responds with an event stream; `half` is a part of it, and `kept` the data that must be kept of that part. */
  readonly stream?: { readonly half: string; readonly partial: unknown }
  /** May be silent while it thinks, as long as for the response header. */
  readonly thinks?: true
  /** Responds with bytes: malformed JSON is valid here. */
  readonly bytes?: true
}

/** Limits of a request ID (service-notes 16), for an operation that sends one. */
export const requestIdLimits = (run: Run): readonly Limit[] =>
  [
    [6, 5],
    [64, 65],
  ].map(([edge = 0, over = 0]) => ({
    what: `request ID of ${over} characters`,
    edge: (kit, options) => run(kit, { ...options, requestId: 'x'.repeat(edge) }),
    over: (kit, options) => run(kit, { ...options, requestId: 'x'.repeat(over) }),
    limit: edge,
    value: over,
  }))

/** Limits of an end user's ID (service-notes 16); `run` makes the call with such an ID. */
export const userIdLimits = (run: (userId: string) => Run): readonly Limit[] =>
  [
    [6, 5],
    [128, 129],
  ].map(([edge = 0, over = 0]) => ({
    what: `user ID of ${over} characters`,
    edge: run('u'.repeat(edge)),
    over: run('u'.repeat(over)),
    limit: edge,
    value: over,
  }))

/** Returns a JSON reply. */
export const json = (
  value: unknown,
  headers: Readonly<Record<string, string>> = { 'content-type': 'application/json' },
): ScriptedReply => ({
  headers,
  body: JSON.stringify(value),
})

/** Returns JSON without a content type (service-notes 1). */
export const untyped = (value: unknown): ScriptedReply => ({ body: JSON.stringify(value) })

/** Returns an event stream of JSON events; `end` closes it. */
export const events = (list: readonly unknown[], end = ''): ScriptedReply => ({
  headers: { 'content-type': 'text/event-stream' },
  body: eventText(list) + end,
})

/** Returns the text of events. */
export const eventText = (list: readonly unknown[]): string =>
  list.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')

/** End marker of a stream. */
export const done = 'data: [DONE]\n\n'

/** Returns the value of an answer; a transcription is its own value. */
export const valueOf = (answer: unknown): unknown => {
  const { value } = answer as Partial<Answered<unknown>>
  return value === undefined ? answer : value
}

/** Returns a knowledge envelope (service-notes 7 to 11). */
export const enveloped = (data?: unknown, more: object = {}): ScriptedReply =>
  json({
    ...(data !== undefined && { data }),
    code: 200,
    message: 'ok',
    timestamp: 1_780_000_000_000,
    ...more,
  })
