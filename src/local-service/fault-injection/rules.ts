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

/** Name of a response that replaces the correct one. */
export type ReplacedAnswer = (typeof replacedAnswers)[number]

/**
 * Name of a corruption of the correct stream. The first four end it with a failure after `afterEvents` events: in the
 * family's format, as `event: error`, as an abnormal `finish_reason`, or as `{error:{...}}` for any family
 * (service-notes 1 and 6). `no-end` omits the end marker and the equivalent event.
 */
export type CorruptedStream = (typeof corruptedStreams)[number]

/** Name of an intentionally wrong response. */
type FaultAnswer = ReplacedAnswer | CorruptedStream

/** Returns true for faults that need a stream to corrupt. */
export const corruptsStream = (answer: FaultAnswer): answer is CorruptedStream =>
  corruptedStreams.some((name) => name === answer)

/**
 * Event of a scripted stream. Sends `raw` unchanged, otherwise `data` (text, or anything else as JSON) after `event`.
 */
export interface ScriptedEvent {
  readonly raw?: string
  readonly event?: string
  readonly data?: unknown
  readonly delayMs?: number
}

/**
 * Complete scripted response. `body`: text unchanged, anything else as JSON; `events` makes it a stream instead.
 */
export interface ScriptedReply {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly events?: readonly ScriptedEvent[]
}

/** Faults to inject into one or more requests. All fields can be combined. */
export interface FaultRule {
  /** Absent: any method. */
  readonly method?: string
  /** Whole path, or a prefix that ends in `*`. Absent: any path. */
  readonly path?: string
  /** Number of requests this rule applies to; absent: until it is removed. */
  readonly times?: number
  /** Delay in milliseconds before the response headers. */
  readonly delayMs?: number
  /** Delay in milliseconds before each chunk of the body after the first. */
  readonly chunkDelayMs?: number
  /**
   * Breaks the connection after this many bytes of the body, even if that is all of it; 0 is right after the headers.
   */
  readonly cutAfterBytes?: number
  /** Sends the body in chunks of this many bytes. */
  readonly pieceBytes?: number
  /** Splits the body inside each multi-byte character. */
  readonly splitCharacters?: boolean
  /** Breaks the connection without any response. */
  readonly hangUp?: boolean
  /** Sends the correct response with this content type; empty for none. */
  readonly contentType?: string
  readonly answer?: FaultAnswer
  /** Number of correct stream events before `mid-error…`; default 1. */
  readonly afterEvents?: number
  /** Retry-After header of the response, as text. */
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

/**
 * Parses one rule, so that a test with a misspelled fault cannot pass because of it. Throws an Error that describes the
 * problem.
 */
export function parseFaultRule(value: unknown): FaultRule {
  if (!fits.object(value)) throw new Error('A rule must be an object')
  for (const [name, field] of Object.entries(value as object)) {
    const kind = Object.hasOwn(kinds, name) ? kinds[name as keyof FaultRule] : undefined
    if (!kind) throw new Error(`Unknown fault ${name}`)
    if (!fits[kind](field)) throw new Error(`${name} must be a ${kind}`)
  }
  const rule = value as FaultRule
  if (rule.answer !== undefined && !answers.has(rule.answer))
    throw new Error(`Unknown answer ${rule.answer}`)
  if (rule.pieceBytes === 0) throw new Error('pieceBytes must be at least 1')
  return rule
}
