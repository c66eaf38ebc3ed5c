/** Every failure the app can show, one code each. What the user reads is chosen by this code (renderer/src/i18n). */
export const errorCodes = [
  // the bridge
  'BAD_REQUEST',
  'ROUTE_NOT_FOUND',
  'INTERNAL',
  'CANCELLED',
  'NOT_FOUND',
  'REFUSED',
  'LEFT_UNFINISHED',
  // the key and the account
  'NO_KEY',
  'KEY_REJECTED',
  'PERMISSION_DENIED',
  'QUOTA_EXHAUSTED',
  'KEYCHAIN_UNAVAILABLE',
  'KEYCHAIN_LOCKED',
  'BASE_URL_REFUSED',
  // reaching the service
  'OFFLINE',
  'TIMEOUT',
  'TLS_UNTRUSTED',
  'STREAM_CUT',
  'ANSWER_TOO_LONG',
  'MALFORMED_REPLY',
  'REDIRECTED',
  // what the service says
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
  // what was dropped or typed
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
  'DATABASE_BUSY',
  'ENGINE_UNAVAILABLE',
] as const

/** One of {@link errorCodes}. */
export type ErrorCode = (typeof errorCodes)[number]

/** What the service itself said about a failure; shown under Details, never interpreted by the page. */
export interface ServiceDetail {
  readonly status?: number
  /** The code of the error body: a string code (service-notes 14) or a numeric business code, as text. */
  readonly code?: string
  readonly message?: string
  readonly requestId?: string
  /** The `X-Log-Id` reply header, which the service's support asks for. */
  readonly logId?: string
}

/** A failure as it crosses the bridge: plain data, redacted, safe to show. */
export interface Failure {
  readonly code: ErrorCode
  /** One English sentence for the log and for Details. The page shows its own words, chosen by `code`. */
  readonly message: string
  /** True when the same call may succeed later without any change. */
  readonly retriable: boolean
  /** Values for the sentence the user reads: the thing, the limit, the value, seconds to wait. */
  readonly params?: Readonly<Record<string, string | number>>
  readonly service?: ServiceDetail
  /** Unix milliseconds. */
  readonly at: number
}

/** The envelope of every bridge answer: never a throw. */
export type Reply<T> =
  | { readonly ok: true; readonly data: T }
  | { readonly ok: false; readonly error: Failure }
