import type { ErrorCode } from '../contract/reply.ts'

/** Request to a provider, as Activity shows it. Never contains a body, an API key or a query value. */
export interface ActivityCall {
  /** Ascending number in this database. */
  readonly id: number
  /** Unix milliseconds at which the request was made. */
  readonly at: number
  readonly accountId: string
  readonly accountName: string
  /** Operation name, for example `transcriptions.create`. */
  readonly operation: string
  readonly method: string
  /** Path below the base URL, without query. */
  readonly path: string
  readonly model: string | null
  /** HTTP status; null if no response was received. */
  readonly status: number | null
  readonly outcome: 'ok' | 'failed' | 'cancelled'
  readonly errorCode: ErrorCode | null
  /** Milliseconds in the limiter's queue, from sending to the first byte, and in total. */
  readonly queuedMs: number
  /** Milliseconds from the request until it was sent: queue, proxy, connection; null if nothing was sent. */
  readonly sentMs: number | null
  readonly firstByteMs: number | null
  readonly durationMs: number
  readonly bytesSent: number
  readonly bytesReceived: number
  readonly promptTokens: number | null
  readonly completionTokens: number | null
  readonly totalTokens: number | null
  /** 1 for the first attempt; retries of one request share `requestId` and count up. */
  readonly attempt: number
  readonly requestId: string | null
  /** `X-Log-Id` response header. */
  readonly logId: string | null
}

/** Requests and tokens of one model on one day. */
export interface UsageRow {
  /** `YYYY-MM-DD` in this computer's time zone. */
  readonly day: string
  /** Null for requests without a model. */
  readonly model: string | null
  readonly calls: number
  readonly failed: number
  readonly promptTokens: number
  readonly completionTokens: number
  readonly totalTokens: number
}

/** Filters of the Activity list; `before` pages backward by ID. */
export interface ActivityQuery {
  readonly outcome?: 'ok' | 'failed' | 'cancelled'
  readonly accountId?: string
  /** Model ID in the request. */
  readonly model?: string
  /** Unix milliseconds; the first is inclusive, the second exclusive. */
  readonly since?: number
  readonly until?: number
  readonly text?: string
  readonly before?: number
  readonly limit: number
}
