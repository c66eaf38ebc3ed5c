import type { ErrorCode } from '../../../../../shared/contract/reply.ts'
import type { Job } from '../../../../../shared/model/job.ts'
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
const fixableCodes: readonly ErrorCode[] = [
  'CANCELLED',
  'KEYCHAIN_UNAVAILABLE',
  'DISK_FULL',
  'DATABASE_BUSY',
]

/** Whether a stopped job may succeed on a retry: a transient failure, account, key or network can have changed. */
export function canRetry(job: Job): boolean {
  if (job.state === 'cancelled') return true
  if (job.state !== 'failed') return false
  const { error } = job
  if (error === null) return true
  if (hopeless.includes(error.code)) return false
  return error.retriable || fixableCodes.includes(error.code) || isAccountFailure(error.code)
}
