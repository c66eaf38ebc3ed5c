import type { ErrorCode, Failure } from '../../../shared/bridge/reply.ts'

/** Failures by which the provider cannot have done anything: the request was not sent, or was refused as it came. */
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

/** Whether the provider may have taken a request that failed, and done and billed it. */
export const mayHaveBeenReceived = (error: Failure): boolean =>
  !(isUnsent(error) || isRefused(error))

/** A connection that broke may have carried the request before. */
function isUnsent({ code, params }: Failure): boolean {
  if (code === 'TIMEOUT') return params?.['phase'] === 'connect'
  return (
    neverReceived.has(code) && params?.['reason'] !== 'reset' && params?.['reason'] !== 'closed'
  )
}

/** Statuses by which somebody on the way gives up waiting for the provider, which may have the request. */
const abandonedStatuses: ReadonlySet<number> = new Set([408, 499, 502, 504])

/** Whether the provider itself refused the request as a whole. A failure that a stream tells has a status of success. */
function isRefused({ service }: Failure): boolean {
  const { status = 0, code } = service ?? {}
  if (abandonedStatuses.has(status)) return false
  return (status >= 400 && status < 500) || (status >= 500 && code !== undefined)
}
