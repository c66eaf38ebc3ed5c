import type { ErrorCode } from '../../shared/bridge/reply.ts'
import { AppError } from '../errors.ts'

/** An AppError on its way over a thread's edge, where its class is lost. */
export interface Failed {
  readonly type: 'failed'
  readonly code: ErrorCode
  readonly message: string
  readonly params: Readonly<Record<string, string | number>> | null
}

/** Errors on purpose keep their code; others are the program's own, and its client's to name: they are thrown on. */
export function failedBy(error: unknown): Failed {
  if (!(error instanceof AppError)) throw error
  const { code, message, params = null } = error
  return { type: 'failed', code, message, params }
}

/** The error as it was on the other side. */
export function errorOf({ code, message, params }: Failed): AppError {
  return new AppError(code, message, params ? { params } : {})
}
