import type { Answered } from '../../src/main/api/answer.ts'
import type {
  Api,
  CallOptions,
  ServiceTarget,
  TranscriptionRequest,
} from '../../src/main/api/types.ts'
import type { FormFile } from '../../src/main/api/multipart.ts'
import type { Profile } from '../../src/shared/service/profiles.ts'
import type { RecordedRequest, ScriptedReply } from '../fixtures/scripted-server.ts'
import type { ParsedRequest } from './reader.ts'

/** What a row works with: the client, whom it calls, and files on disk. */
export interface Kit {
  readonly api: Api
  target(profile?: Partial<Profile>): ServiceTarget
  /** A file of so many bytes; the name's ending decides nothing but its name. */
  file(name: string, bytes: number, mime?: string): FormFile
  audio(more?: Partial<TranscriptionRequest['file']>): TranscriptionRequest['file']
  /** A path for what an operation writes. */
  out(name: string): string
}

/** One call of an operation. */
export type Run = (kit: Kit, options: CallOptions) => Promise<unknown>

/** A reply and what it must come to (a part of the answer's value). */
export interface Exchange {
  readonly name: string
  readonly reply: ScriptedReply
  readonly value: unknown
  /** Another call than the row's own. */
  readonly run?: Run
}

/** A limit, called at its edge and one past it. */
export interface Limit {
  readonly what: string
  readonly edge: Run
  readonly over: Run
  /** LIMIT_EXCEEDED when absent. */
  readonly code?: string
  /** What the error's params must tell; none for limits that are no number. */
  readonly limit?: number
  readonly value?: number
}

/** One operation and everything it is judged by. */
export interface Row {
  readonly name: string
  /** The call with every option it has. */
  readonly run: Run
  /** Path and query, as they must be sent below the base URL. */
  readonly url: string
  /** The body, exactly: JSON, or the texts of the form in order. */
  readonly json?: unknown
  readonly texts?: readonly (readonly [name: string, value: string])[]
  /** Further checks of the request; throws what it misses. */
  check?(request: RecordedRequest, parsed: ParsedRequest, kit: Kit): void
  readonly happy: Exchange
  readonly odd: readonly Exchange[]
  readonly limits: readonly Limit[]
  /** Makes something each time it arrives: never sent twice once it may have arrived. */
  readonly creating?: true
  /** Of these, one that adds to a conversation: a 429 adds nothing, and it is sent again after the pause. */
  readonly turn?: true
  /** Answers with an event stream; `half` is some of it, `kept` what must be kept of that. */
  readonly stream?: { readonly half: string; readonly partial: unknown }
  /** May fall silent while it thinks, for as long as the head of its reply may take. */
  readonly thinks?: true
  /** Answers with bytes: what JSON would be malformed is not. */
  readonly bytes?: true
}

/** The bounds of a request id (service-notes 16), for an operation that sends one. */
export const requestIdLimits = (run: Run): readonly Limit[] =>
  [
    [6, 5],
    [64, 65],
  ].map(([edge = 0, over = 0]) => ({
    what: `request id of ${over}`,
    edge: (kit, options) => run(kit, { ...options, requestId: 'x'.repeat(edge) }),
    over: (kit, options) => run(kit, { ...options, requestId: 'x'.repeat(over) }),
    limit: edge,
    value: over,
  }))

/** The bounds of an end user's id (service-notes 16); `run` makes the call with such an id. */
export const userIdLimits = (run: (userId: string) => Run): readonly Limit[] =>
  [
    [6, 5],
    [128, 129],
  ].map(([edge = 0, over = 0]) => ({
    what: `user id of ${over}`,
    edge: run('u'.repeat(edge)),
    over: run('u'.repeat(over)),
    limit: edge,
    value: over,
  }))

/** A JSON reply. */
export const json = (
  value: unknown,
  headers: Readonly<Record<string, string>> = { 'content-type': 'application/json' },
): ScriptedReply => ({
  headers,
  body: JSON.stringify(value),
})

/** JSON without any content type (service-notes 1). */
export const untyped = (value: unknown): ScriptedReply => ({ body: JSON.stringify(value) })

/** An event stream of JSON events; `end` closes it. */
export const events = (list: readonly unknown[], end = ''): ScriptedReply => ({
  headers: { 'content-type': 'text/event-stream' },
  body: eventText(list) + end,
})

/** The text of events. */
export const eventText = (list: readonly unknown[]): string =>
  list.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')

/** The end mark. */
export const done = 'data: [DONE]\n\n'

/** The value of an answer; a transcription is its own. */
export const valueOf = (answer: unknown): unknown => {
  const { value } = answer as Partial<Answered<unknown>>
  return value === undefined ? answer : value
}

/** A knowledge envelope (service-notes 7 to 11). */
export const enveloped = (data?: unknown, more: object = {}): ScriptedReply =>
  json({
    ...(data !== undefined && { data }),
    code: 200,
    message: 'ok',
    timestamp: 1_780_000_000_000,
    ...more,
  })
