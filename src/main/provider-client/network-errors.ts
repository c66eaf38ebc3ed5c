import { AppError } from '../errors.ts'

/** Progress of a call when the network failed. */
interface Progress {
  /** Whether the request was written to a connected socket: it may have arrived. */
  readonly sent: boolean
  /** Whether the response head was received. */
  readonly replied: boolean
  /** Host and port, for the message to the user. */
  readonly host: string
}

type Reason = 'refused' | 'name' | 'unreachable' | 'reset' | 'proxy' | 'closed'

const offline: Readonly<Record<string, Reason>> = {
  ECONNREFUSED: 'refused',
  ENOTFOUND: 'name',
  EAI_AGAIN: 'name',
  EAI_FAIL: 'name',
  EAI_NODATA: 'name',
  EAI_NONAME: 'name',
  ENETUNREACH: 'unreachable',
  EHOSTUNREACH: 'unreachable',
  ENETDOWN: 'unreachable',
  EHOSTDOWN: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  ECONNRESET: 'reset',
  ECONNABORTED: 'reset',
  EPIPE: 'reset',
  ENOTCONN: 'reset',
  UND_ERR_SOCKET: 'reset',
  UND_ERR_PRX_CONN: 'proxy',
  UND_ERR_PRX_TLS: 'proxy',
}

/** Reasons for which there was no connection. */
const beforeSending: ReadonlySet<Reason> = new Set(['refused', 'name', 'unreachable'])

const timeouts: Readonly<Record<string, 'connect' | 'reply' | 'idle'>> = {
  UND_ERR_CONNECT_TIMEOUT: 'connect',
  ETIMEDOUT: 'connect',
  ESOCKETTIMEDOUT: 'connect',
  UND_ERR_HEADERS_TIMEOUT: 'reply',
  UND_ERR_BODY_TIMEOUT: 'idle',
}

const certificateProblem =
  /^(CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|ERR_TLS_|ERR_SSL_|EPROTO$|ERROR_IN_CERT|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED|HOSTNAME_MISMATCH)/

const unknownAuthority: ReadonlySet<string> = new Set([
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'CERT_UNTRUSTED',
])

/**
 * Returns true for a certificate whose only problem is an unknown authority: a longer list of authorities may help.
 */
export function isUnknownAuthority(error: unknown): boolean {
  return unknownAuthority.has(errnoOf(error) ?? '')
}

/**
 * Converts any error of sending or reading to an AppError without its text, since an error message may contain a URL, a path
 * or a header. Errors that are not network failures are returned unchanged: they are bugs and must stay visible.
 */
export function networkError(error: unknown, progress: Progress, signal?: AbortSignal): unknown {
  if (error instanceof AppError) return error
  if (signal?.aborted) return stopped(signal)
  const code = errnoOf(error) ?? parserProblem(error)
  if (code === null) return error

  const { host } = progress
  // On an established connection, the same codes mean that the provider may have received the request.
  const phase = progress.sent && timeouts[code] === 'connect' ? 'reply' : timeouts[code]
  if (phase)
    return new AppError('TIMEOUT', `The provider did not respond in time (${phase}).`, {
      retriable: true,
      params: { host, phase },
    })
  if (certificateProblem.test(code))
    return new AppError('TLS_UNTRUSTED', 'The provider’s certificate is not trusted.', {
      params: { host, reason: code },
    })
  if (code.startsWith('HPE_') || code === 'UND_ERR_HEADERS_OVERFLOW')
    return new AppError('MALFORMED_REPLY', 'The response was not HTTP.', {
      params: { host, reason: 'http' },
    })
  if (code === 'UND_ERR_DESTROYED' || code === 'UND_ERR_CLOSED') return cancelled()
  const found = offline[code] ?? proxyProblem(code, error)
  const reason = progress.sent && found && beforeSending.has(found) ? 'reset' : found
  if (progress.replied && (reason || code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH'))
    return new AppError('STREAM_CUT', 'The connection was lost before the response was complete.', {
      retriable: true,
      params: { host, reason: 'cut' },
    })
  if (!reason) return error
  return new AppError('OFFLINE', `The provider could not be reached (${reason}).`, {
    retriable: true,
    params: { host, reason },
  })
}

/** Returns the error for an aborted signal: TIMEOUT for a deadline (`AbortSignal.timeout`), otherwise CANCELLED. */
export function stopped(signal: AbortSignal): AppError {
  const reason: unknown = signal.reason
  const isDeadline = reason instanceof Error && reason.name === 'TimeoutError'
  if (!isDeadline) return cancelled()
  return new AppError('TIMEOUT', 'The request exceeded its deadline.', {
    retriable: true,
    params: { phase: 'deadline' },
  })
}

/** Returns the error for a call stopped by the user or by the app closing. */
export function cancelled(): AppError {
  return new AppError('CANCELLED', 'The request was canceled.')
}

/** Returns undici's parser error code, if its parser reports one. */
function parserProblem(error: unknown): string | null {
  return error instanceof Error && error.name === 'HTTPParserError' ? 'HPE_INVALID' : null
}

/** Detects a rejection by a proxy: undici only reports that the request was aborted or its argument invalid. */
function proxyProblem(code: string, error: unknown): Reason | undefined {
  const message = error instanceof Error ? error.message : ''
  const aboutProxy = message.startsWith('Proxy ')
  if (!aboutProxy) return code === 'UND_ERR_ABORTED' ? 'closed' : undefined
  return code === 'UND_ERR_ABORTED' || code === 'UND_ERR_INVALID_ARG' ? 'proxy' : undefined
}

/** Returns the `code` of an error, searching its causes and the errors of several tried addresses. */
function errnoOf(error: unknown, depth = 0): string | null {
  if (typeof error !== 'object' || error === null || depth > 4) return null
  if ('code' in error && typeof error.code === 'string' && error.code !== '') return error.code
  if ('errors' in error && Array.isArray(error.errors)) {
    for (const inner of error.errors) {
      const code = errnoOf(inner, depth + 1)
      if (code) return code
    }
  }
  return 'cause' in error ? errnoOf(error.cause, depth + 1) : null
}
