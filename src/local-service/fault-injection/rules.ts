const replacedAnswers = [
  '401',
  '403',
  '429',
  '500',
  '503',
  'quota',
  'content',
  'context',
  'no-model',
  'permission',
  'not-found',
  '200-error',
  'html',
  'malformed',
  'empty',
] as const

const corruptedStreams = [
  'mid-error',
  'mid-error-named',
  'mid-error-finish',
  'mid-error-bare',
  'no-end',
] as const

/** An answer that stands in the place of the right one, by name. */
export type ReplacedAnswer = (typeof replacedAnswers)[number]

/**
 * The right stream, spoiled. The first four end it with a failure after `afterEvents` events: as the family tells it, as
 * `event: error`, as an abnormal `finish_reason`, as `{error:{...}}` whatever the family (service-notes 1 and 6). `no-end`
 * leaves out the end mark and the event that says the same.
 */
export type CorruptedStream = (typeof corruptedStreams)[number]

/** An answer that is wrong on purpose, by name. */
export type FaultAnswer = ReplacedAnswer | CorruptedStream

/** True for the faults that need a stream to spoil. */
export const corruptsStream = (answer: FaultAnswer): answer is CorruptedStream =>
  corruptedStreams.some((name) => name === answer)

/** One event of a scripted stream. `raw` is sent as it is, else `data` (text, or JSON of anything else) after `event`. */
export interface ScriptedEvent {
  readonly raw?: string
  readonly event?: string
  readonly data?: unknown
  readonly delayMs?: number
}

/** A whole scripted answer. `body`: text as it is, anything else as JSON; `events` makes a stream instead. */
export interface ScriptedReply {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly events?: readonly ScriptedEvent[]
}

/** How one call, or the next ones, shall be misbehaved to. All fields may be combined. */
export interface FaultRule {
  /** Absent: any method. */
  readonly method?: string
  /** Whole path, or its beginning when it ends in `*`. Absent: any path. */
  readonly path?: string
  /** Calls this rule is used for; absent: until it is removed. */
  readonly times?: number
  /** Milliseconds before the head of the answer. */
  readonly delayMs?: number
  /** Milliseconds before each piece of the body after the first. */
  readonly chunkDelayMs?: number
  /** The connection breaks after so many bytes of the body, even where they are all of it; 0 is right after the head. */
  readonly cutAfterBytes?: number
  /** The body goes out in pieces of so many bytes. */
  readonly pieceBytes?: number
  /** The body is cut inside each character of several bytes. */
  readonly splitCharacters?: boolean
  /** The connection breaks without any answer. */
  readonly hangUp?: boolean
  /** The right answer under this content type; empty for none. */
  readonly contentType?: string
  readonly answer?: FaultAnswer
  /** Events of the right stream before `mid-error…`; absent: 1. */
  readonly afterEvents?: number
  /** The header Retry-After of the answer, as text. */
  readonly retryAfter?: string
  readonly reply?: ScriptedReply
}

type Kind = 'text' | 'number' | 'boolean' | 'object'

const kinds: Readonly<Record<keyof FaultRule, Kind>> = {
  method: 'text',
  path: 'text',
  times: 'number',
  delayMs: 'number',
  chunkDelayMs: 'number',
  cutAfterBytes: 'number',
  pieceBytes: 'number',
  splitCharacters: 'boolean',
  hangUp: 'boolean',
  contentType: 'text',
  answer: 'text',
  afterEvents: 'number',
  retryAfter: 'text',
  reply: 'object',
}

const answers: ReadonlySet<string> = new Set([...replacedAnswers, ...corruptedStreams])

const fits: Readonly<Record<Kind, (value: unknown) => boolean>> = {
  text: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number' && Number.isInteger(value) && value >= 0,
  boolean: (value) => typeof value === 'boolean',
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
}

/** Reads one rule; a test that misspells a fault must not pass because of it. Throws an Error that says what is wrong. */
export function parseFaultRule(value: unknown): FaultRule {
  if (!fits.object(value)) throw new Error('A rule is an object')
  for (const [name, field] of Object.entries(value as object)) {
    const kind = Object.hasOwn(kinds, name) ? kinds[name as keyof FaultRule] : undefined
    if (!kind) throw new Error(`There is no fault ${name}`)
    if (!fits[kind](field)) throw new Error(`${name} must be a ${kind}`)
  }
  const rule = value as FaultRule
  if (rule.answer !== undefined && !answers.has(rule.answer))
    throw new Error(`There is no answer ${rule.answer}`)
  if (rule.pieceBytes === 0) throw new Error('pieceBytes must be at least 1')
  return rule
}
