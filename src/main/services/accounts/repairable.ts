import type { ErrorCode } from '../../../shared/bridge/reply.ts'

/** Failures of an account that another key, profile or network setting may have fixed. */
export const repairable: ReadonlySet<ErrorCode> = new Set([
  'NO_KEY',
  'KEY_REJECTED',
  'KEYCHAIN_LOCKED',
  'KEYCHAIN_UNAVAILABLE',
  'BASE_URL_REFUSED',
  'TLS_UNTRUSTED',
  'ENGINE_UNAVAILABLE',
])
