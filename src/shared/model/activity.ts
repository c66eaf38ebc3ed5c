import type { ErrorCode } from '../bridge/reply.ts'

/** One call to the service, as Activity shows it. Never holds a body, a key or a query value. */
export interface ActivityCall {
  /** Rising number in this database. */
  readonly id: number
  /** Unix milliseconds of the moment the call was asked for. */
  readonly at: number
  readonly accountId: string
  readonly accountName: string
  /** Operation name, for example `transcriptions.create`. */
  readonly operation: string
  readonly method: string
  /** Path below the base URL, without query. */
  readonly path: string
  readonly model: string | null
  /** HTTP status; null when no reply came. */
  readonly status: number | null
  readonly outcome: 'ok' | 'failed' | 'cancelled'
  readonly errorCode: ErrorCode | null
  /** Milliseconds in the limiter's queue, from sending to the first byte, and in all. */
  readonly queuedMs: number
  /** From being asked for to being sent: the queue, the proxy, the connection; null when nothing was sent. */
  readonly sentMs: number | null
  readonly firstByteMs: number | null
  readonly durationMs: number
  readonly bytesSent: number
  readonly bytesReceived: number
  readonly promptTokens: number | null
  readonly completionTokens: number | null
  readonly totalTokens: number | null
  /** 1 for a first try; retries of one call share `requestId` and count up. */
  readonly attempt: number
  readonly requestId: string | null
  /** The `X-Log-Id` reply header. */
  readonly logId: string | null
}

/** Calls and tokens of one model on one day. */
export interface UsageRow {
  /** `YYYY-MM-DD` in this computer's time zone. */
  readonly day: string
  /** Null for calls without a model. */
  readonly model: string | null
  readonly calls: number
  readonly failed: number
  readonly promptTokens: number
  readonly completionTokens: number
  readonly totalTokens: number
}

/** Filters of the Activity list; `before` pages backwards by id. */
export interface ActivityQuery {
  readonly outcome?: 'ok' | 'failed' | 'cancelled'
  readonly accountId?: string
  /** Model id on the wire. */
  readonly model?: string
  /** Unix milliseconds, from the first (inclusive) to before the second. */
  readonly since?: number
  readonly until?: number
  readonly text?: string
  readonly before?: number
  readonly limit: number
}
