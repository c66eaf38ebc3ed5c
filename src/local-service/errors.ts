import { jsonReply, type ServiceReply } from './http.ts'

/**
 * Failures of the service: HTTP status and business code (service-notes 14; unknown path: service-notes 1), and the code
 * of the Responses API (service-notes 14). Without a business code, the status is used.
 */
const failures = {
  noKey: [401, 1001, 'authentication_error'],
  wrongKey: [401, 1000, 'invalid_api_key'],
  keyExpired: [401, 1003, 'expired'],
  /** The client lacks permission. */
  permission: [403, 1220, 'permission_denied'],
  badRequest: [400, 1210, 'invalid_request'],
  unknownModel: [400, 1211, 'model_not_found'],
  /** The model exists but does not support this. */
  unsupported: [400, 1212, 'not_implemented'],
  fieldMissing: [400, 1213, 'invalid_request'],
  fieldIllegal: [400, 1214, 'invalid_request'],
  /** Two fields contradict each other. */
  conflict: [400, 1215, 'invalid_request'],
  engineUnavailable: [400, 1221, 'not_implemented'],
  notImplemented: [400, 1222, 'not_implemented'],
  /** The text exceeds the limit of the model. */
  contextTooLong: [400, 1261, 'context_length_exceeded'],
  contentBlocked: [400, 1301, 'content_filter'],
  /** The resource does not exist (a knowledge base, document, task or response). */
  notFound: [404, 404, 'invalid_request'],
  fileTooLarge: [435, 435, 'request_too_large'],
  bodyTooLarge: [413, 413, 'request_too_large'],
  tooManyRequests: [429, 1302, 'rate_limit_exceeded'],
  overloaded: [429, 1305, 'server_is_overloaded'],
  /** The balance is exhausted. */
  quota: [429, 1113, 'insufficient_quota'],
  callFailed: [500, 1200, 'server_error'],
  networkError: [500, 1234, 'server_error'],
  unknownPath: [500, 404, 'not_implemented'],
} as const

/** Name of a failure in the table above. */
export type ServiceFailure = keyof typeof failures

/** Failure that is reported to the client. The message must contain no API key and no local path. */
export class ServiceError extends Error {
  readonly failure: ServiceFailure

  constructor(failure: ServiceFailure, message: string) {
    super(message)
    this.name = 'ServiceError'
    this.failure = failure
  }
}

/** Format of a failure body (service-notes 14). */
type FailureForm = 'number' | 'text' | 'response'

/**
 * Returns the failure format for a path: agent chat, knowledge, the assistant chat and the Responses API differ from the
 * rest.
 */
export function failureForm(path: string): FailureForm {
  if (path === '/v1/responses' || path.startsWith('/v1/responses/')) return 'response'
  const numbers =
    path.startsWith('/zrag/') ||
    path.startsWith('/llm-application/') ||
    path === '/paas/v4/assistant'
  return numbers ? 'number' : 'text'
}

const statusOf = (failure: ServiceFailure): number => failures[failure][0]

/**
 * Returns the failure body for the family of `path`: `{code:<integer>,message}`, `{error:{code:"<digits>",message}}`, or
 * `{error:{code:"<word>",message}}`. Without a path: the second, which most families use.
 */
export function errorBody(failure: ServiceFailure, message: string, path = ''): object {
  const [, number, word] = failures[failure]
  const form = failureForm(path)
  if (form === 'number') return { code: number, message }
  return { error: { code: form === 'response' ? word : String(number), message } }
}

/** Returns the reportable part of an error; the text of unexpected errors is omitted. */
export function publicError(error: unknown): {
  readonly failure: ServiceFailure
  readonly message: string
} {
  if (error instanceof ServiceError) return error
  return { failure: 'callFailed', message: 'The on-device service failed' }
}

export function errorReply(error: unknown, path: string): ServiceReply {
  const { failure, message } = publicError(error)
  return jsonReply(errorBody(failure, message, path), statusOf(failure))
}
