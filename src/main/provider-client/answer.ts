import type { Usage } from './usage.ts'

/** A raw response, with the key masked in case the provider repeats it. */
export interface RawReply {
  readonly status: number
  /** As sent; empty when missing. */
  readonly contentType: string
  /** JSON, or the text of the event stream; for files a short JSON note about the stored file. */
  readonly body: string
}

/** Parsed response, with the fields that responses of every family may contain. */
export interface Answered<T> {
  readonly value: T
  /** The response's own ID if it has one, otherwise the ID that was sent. */
  readonly requestId: string
  /** Engine that answered, if the response names it (the local service does). */
  readonly engine: string | null
  /** Limitations of the engine in the provider's words; the local service includes them in every such response. */
  readonly notice: string | null
  readonly usage: Usage
  readonly raw: RawReply
}
