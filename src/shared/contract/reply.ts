/**
 * All failures the app can show, one code each. The message for the user is chosen by this code (renderer/src/i18n).
 */
export const errorCodes = [
  // bridge
  'BAD_REQUEST',
  'ROUTE_NOT_FOUND',
  'INTERNAL',
  'CANCELLED',
  'NOT_FOUND',
  'REFUSED',
  'LEFT_UNFINISHED',
  // API key and account
  'ACCOUNT_REMOVED',
  'NO_KEY',
  'KEY_REJECTED',
  'PERMISSION_DENIED',
  'QUOTA_EXHAUSTED',
  'KEYCHAIN_UNAVAILABLE',
  'KEYCHAIN_LOCKED',
  'BASE_URL_REFUSED',
  // connection to the provider
  'OFFLINE',
  'TIMEOUT',
  'TLS_UNTRUSTED',
  'STREAM_CUT',
  'ANSWER_TOO_LONG',
  'MALFORMED_REPLY',
  'REDIRECTED',
  // errors reported by the provider
  'RATE_LIMITED',
  'OVERLOADED',
  'SERVER_ERROR',
  'INVALID_INPUT',
  'MODEL_UNKNOWN',
  'CONTEXT_TOO_LONG',
  'CONTENT_BLOCKED',
  'NOT_IMPLEMENTED',
  'SERVICE_NOT_FOUND',
  'SERVICE_FAILED',
  // dropped files and user input
  'FILE_TOO_LARGE',
  'AUDIO_TOO_LONG',
  'UNSUPPORTED_FORMAT',
  'DAMAGED_FILE',
  'EMPTY_FILE',
  'NO_SOUND',
  'PROTECTED_SOUND',
  'FILE_MISSING',
  'FILE_UNREADABLE',
  'LIMIT_EXCEEDED',
  // archives and backups
  'ARCHIVE_DAMAGED',
  'ARCHIVE_REFUSED',
  'ARCHIVE_FROM_FUTURE',
  'WORK_UNDER_WAY',
  // this computer
  'DISK_FULL',
  'SAVE_FAILED',
  'READ_ONLY',
  'DATABASE_DAMAGED',
  'DATABASE_FROM_FUTURE',
  'DATABASE_TOO_OLD',
  'DATABASE_BUSY',
  'ENGINE_UNAVAILABLE',
] as const

/** One of {@link errorCodes}. */
export type ErrorCode = (typeof errorCodes)[number]

/** The provider's own description of a failure; shown under Details, never interpreted by the page. */
export interface ServiceDetail {
  readonly status?: number
  /** Code in the error body: a string code (service-notes 14) or a numeric business code, as text. */
  readonly code?: string
  readonly message?: string
  readonly requestId?: string
  /** `X-Log-Id` response header, which the provider's support asks for. */
  readonly logId?: string
}

/** Failure as sent over the bridge: plain data, redacted, safe to show. */
export interface Failure {
  readonly code: ErrorCode
  /** English sentence for the log and for Details. The page shows its own message, chosen by `code`. */
  readonly message: string
  /** Whether the same request may succeed later without any change. */
  readonly retriable: boolean
  /** Values for the user message: the item, the limit, the value, seconds to wait. */
  readonly params?: Readonly<Record<string, string | number>>
  readonly service?: ServiceDetail
  /** Unix milliseconds. */
  readonly at: number
}

/** Envelope of every bridge reply; handlers never throw. */
export type Reply<T> =
  | { readonly ok: true; readonly data: T }
  | { readonly ok: false; readonly error: Failure }
