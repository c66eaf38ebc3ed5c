import type { ErrorCode, Failure, ServiceDetail } from '../shared/contract/reply.ts'

/** Optional properties of an {@link AppError}. */
export interface AppErrorOptions {
  readonly retriable?: boolean
  readonly params?: Readonly<Record<string, string | number>>
  readonly service?: ServiceDetail
  readonly cause?: unknown
  /** Milliseconds to wait as requested by the provider (Retry-After). */
  readonly retryAfterMs?: number
}

/**
 * The only error that services throw intentionally. Any other thrown error is a bug and crosses the bridge as INTERNAL.
 */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly retriable: boolean
  readonly params: Readonly<Record<string, string | number>> | undefined
  readonly service: ServiceDetail | undefined
  readonly retryAfterMs: number | undefined

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.retriable = options.retriable ?? false
    this.params = options.params
    this.service = options.service
    this.retryAfterMs = options.retryAfterMs
  }
}

/**
 * Converts an error to plain data. Errors that are not {@link AppError} lose their text: it may contain an API key, a
 * path or a body.
 */
export function toFailure(error: unknown, at: number): Failure {
  if (!(error instanceof AppError))
    return { code: 'INTERNAL', message: 'Internal error', retriable: false, at }
  return {
    code: error.code,
    message: error.message,
    retriable: error.retriable,
    ...(error.params && { params: error.params }),
    ...(error.service && { service: error.service }),
    at,
  }
}

/** Problems of requests that name an item of the provider: a voice, a model, a file. */
const problemsOfItems: ReadonlySet<string> = new Set(['voiceCloning', 'textToSpeech'])

/**
 * Returns a 404 that is not about an item of the provider as NOT_IMPLEMENTED: it doesn't have the operation at all. If the
 * request names an item, a 404 with a code or a message of the provider is about that item. `problem` selects the message.
 */
export function asNotOffered(
  error: unknown,
  problem: 'api' | 'voiceCloning' | 'knowledgeBases' | 'textToSpeech',
): unknown {
  if (!(error instanceof AppError) || error.code !== 'SERVICE_NOT_FOUND') return error
  const { code, message } = error.service ?? {}
  const isPlain = (code ?? '404') === '404' && /^(404 )?(not[ _]found)?$/i.test(message ?? '')
  if (problemsOfItems.has(problem) && !isPlain) return error
  return new AppError('NOT_IMPLEMENTED', 'The provider does not have this operation.', {
    params: { problem },
    ...(error.service && { service: error.service }),
    cause: error,
  })
}

/** Validation issue of a schema, as far as it is reported. */
interface SchemaIssue {
  readonly code?: string | undefined
  readonly path: readonly PropertyKey[]
  readonly message: string
}

/** Names of fields are short words; anything longer or unusual is a key from the request. */
const fieldName = /^[A-Za-z]\w{0,30}$/

/**
 * Describes where a value does not match its schema, and why: never the value, nor the names of unknown fields, since
 * the input may be an API key.
 */
export function misfit([issue]: readonly SchemaIssue[]): { what: string; reason: string } {
  const names = (issue?.path ?? []).map((step) =>
    typeof step === 'number' || fieldName.test(String(step)) ? String(step) : '*',
  )
  const strange = issue?.code === 'unrecognized_keys'
  const reason = strange
    ? 'It has an unknown field'
    : (issue?.message ?? 'It does not match the schema')
  return { what: names.join('.') || 'input', reason }
}
