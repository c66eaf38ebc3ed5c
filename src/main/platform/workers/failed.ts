import type { ErrorCode } from '../../../shared/contract/reply.ts'
import { AppError } from '../../errors.ts'

/** AppError serialized for another thread, where its class is lost. */
export interface Failed {
  readonly type: 'failed'
  readonly code: ErrorCode
  readonly message: string
  readonly params: Readonly<Record<string, string | number>> | null
}

/**
 * Serializes an AppError with its code; other errors are internal to the program, so they are rethrown for its client to name.
 */
export function failedBy(error: unknown): Failed {
  if (!(error instanceof AppError)) throw error
  const { code, message, params = null } = error
  return { type: 'failed', code, message, params }
}

/** Restores the error of the other thread. */
export function errorOf({ code, message, params }: Failed): AppError {
  return new AppError(code, message, params ? { params } : {})
}
