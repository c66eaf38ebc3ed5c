/** Maximum silence of a call in milliseconds. */
export interface Timeouts {
  /** From the request to the response head. While a body is being sent, each chunk restarts it. */
  readonly replyMs: number
  /** Between two chunks of the response body. */
  readonly idleMs: number
}

/** Until a connection is established, TLS included. */
export const connectTimeoutMs = 15_000

/** For requests that only read. */
export const shortCall: Timeouts = { replyMs: 30_000, idleMs: 30_000 }

/** For requests that run a model; the vendor's own clients wait up to five minutes (service-notes 3 and 12). */
export const longCall: Timeouts = { replyMs: 300_000, idleMs: 120_000 }

/**
 * For streams whose model reasons or uses tools between two outputs: silence may last as long as the wait for the first one.
 */
export function thinkingCall({ replyMs }: Timeouts): Timeouts {
  return { replyMs, idleMs: replyMs }
}
