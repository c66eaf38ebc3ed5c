import type { ErrorCode, Failure } from '../../../shared/bridge/reply.ts'

/** Failures after which the provider cannot have done anything: the request was not sent, or was refused on receipt. */
const neverReceived: ReadonlySet<ErrorCode> = new Set([
  'OFFLINE',
  'NO_KEY',
  'KEY_REJECTED',
  'KEYCHAIN_LOCKED',
  'KEYCHAIN_UNAVAILABLE',
  'BASE_URL_REFUSED',
  'TLS_UNTRUSTED',
  'ENGINE_UNAVAILABLE',
  'RATE_LIMITED',
  'OVERLOADED',
  'QUOTA_EXHAUSTED',
  'PERMISSION_DENIED',
  'INVALID_INPUT',
  'SERVICE_NOT_FOUND',
  'EMPTY_FILE',
  'FILE_MISSING',
  'FILE_TOO_LARGE',
  'UNSUPPORTED_FORMAT',
  'CONTEXT_TOO_LONG',
  'BAD_REQUEST',
  'NOT_FOUND',
])

/** Whether the provider may have received a failed request, and executed and billed it. */
export const mayHaveBeenReceived = (error: Failure): boolean =>
  !(isUnsent(error) || isRefused(error))

/** A connection that broke may have transmitted the request before. */
function isUnsent({ code, params }: Failure): boolean {
  if (code === 'TIMEOUT') return params?.['phase'] === 'connect'
  return (
    neverReceived.has(code) && params?.['reason'] !== 'reset' && params?.['reason'] !== 'closed'
  )
}

/** Statuses of an intermediary that stopped waiting for the provider, which may have received the request. */
const abandonedStatuses: ReadonlySet<number> = new Set([408, 499, 502, 504])

/** Whether the provider itself refused the whole request. A failure reported within a stream has a success status. */
function isRefused({ service }: Failure): boolean {
  const { status = 0, code } = service ?? {}
  if (abandonedStatuses.has(status)) return false
  return (status >= 400 && status < 500) || (status >= 500 && code !== undefined)
}
