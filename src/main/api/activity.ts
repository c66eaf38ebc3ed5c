import type { AppError } from '../errors.ts'
import type { NewActivityCall } from '../store/types.ts'
import type { Exchange, Trace } from './http.ts'
import type { ServiceTarget } from './types.ts'
import type { Usage } from './usage.ts'

/** One finished attempt. Times are Unix milliseconds. */
export interface MadeAttempt {
  readonly exchange: Exchange
  readonly trace: Trace
  readonly usage: Usage
  /** Null when it succeeded. */
  readonly error: AppError | null
  readonly requestedAt: number
  readonly ended: number
  readonly queuedMs: number
  /** From 1. */
  readonly attempt: number
  readonly requestId: string
}

/** Returns the Activity entry of an attempt: names, numbers and IDs, never a body, a key or a query value. */
export function activityOf(
  target: ServiceTarget,
  call: { readonly operation: string; readonly model: string | null },
  made: MadeAttempt,
): NewActivityCall {
  const { trace, error, usage, exchange } = made
  const { repliedAt, sentAt } = trace
  return {
    at: made.requestedAt,
    accountId: target.accountId,
    accountName: target.accountName,
    operation: call.operation,
    method: exchange.method,
    path: exchange.path,
    model: call.model,
    status: trace.status,
    outcome: error === null ? 'ok' : error.code === 'CANCELLED' ? 'cancelled' : 'failed',
    errorCode: error?.code ?? null,
    queuedMs: made.queuedMs,
    sentMs: sentAt === null ? null : Math.max(0, sentAt - made.requestedAt),
    // The system clock may be set back during a request.
    firstByteMs: repliedAt === null || sentAt === null ? null : Math.max(0, repliedAt - sentAt),
    durationMs: Math.max(0, made.ended - made.requestedAt),
    bytesSent: trace.bytesSent,
    bytesReceived: trace.bytesReceived,
    ...usage,
    attempt: made.attempt,
    requestId: made.requestId,
    logId: trace.logId,
  }
}
