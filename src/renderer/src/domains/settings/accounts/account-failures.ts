import type { ErrorCode } from '../../../../../shared/contract/reply.ts'

const accountCodes: readonly ErrorCode[] = [
  'NO_KEY',
  'KEY_REJECTED',
  'PERMISSION_DENIED',
  'QUOTA_EXHAUSTED',
  'KEYCHAIN_LOCKED',
  'BASE_URL_REFUSED',
  'OFFLINE',
  'TLS_UNTRUSTED',
  'MALFORMED_REPLY',
  'REDIRECTED',
  'MODEL_UNKNOWN',
  'INVALID_INPUT',
  'CONTENT_BLOCKED',
  'SERVICE_NOT_FOUND',
  'ENGINE_UNAVAILABLE',
]

/** Whether another or a corrected account would not have failed like this. */
export function isAccountFailure(code: ErrorCode): boolean {
  return accountCodes.includes(code)
}
