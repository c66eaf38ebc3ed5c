/** How long a call may stay silent, in milliseconds. */
export interface Timeouts {
  /** From the request to the head of the reply. While a body is being sent, each piece starts it again. */
  readonly replyMs: number
  /** Between two pieces of the reply's body. */
  readonly idleMs: number
}

/** Until a connection stands, TLS included. */
export const connectTimeoutMs = 15_000

/** For calls that only read. */
export const shortCall: Timeouts = { replyMs: 30_000, idleMs: 30_000 }

/** For calls behind which a model works; the vendor's own clients wait up to five minutes (service-notes 3 and 12). */
export const longCall: Timeouts = { replyMs: 300_000, idleMs: 120_000 }

/** For streams whose model thinks or uses tools between two words: silence may last as long as the wait for the first of them. */
export function thinkingCall({ replyMs }: Timeouts): Timeouts {
  return { replyMs, idleMs: replyMs }
}
