import type { ErrorCode, Failure } from '../../../../../shared/contract/reply.ts'
import { isAccountFailure } from '../../settings/index.ts'

/** Errors caused by the file or the request: the same attempt fails the same way. */
const hopeless: readonly ErrorCode[] = [
  'AUDIO_TOO_LONG',
  'FILE_TOO_LARGE',
  'UNSUPPORTED_FORMAT',
  'DAMAGED_FILE',
  'EMPTY_FILE',
  'FILE_MISSING',
  'LIMIT_EXCEEDED',
  'NOT_FOUND',
  'CONTENT_BLOCKED',
  'CONTEXT_TOO_LONG',
]
/** Errors that the user can fix on this computer. */
const fixableCodes: readonly ErrorCode[] = ['KEYCHAIN_UNAVAILABLE', 'DISK_FULL', 'DATABASE_BUSY']

/** Whether a failed job may succeed on a retry: a transient failure, account, key or network can have changed. */
export function canRetry(error: Failure | null): boolean {
  if (error === null) return true
  if (hopeless.includes(error.code)) return false
  return error.retriable || fixableCodes.includes(error.code) || isAccountFailure(error.code)
}
