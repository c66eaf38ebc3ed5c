import type { Usage } from './usage.ts'

/** A reply as it was received, but for the key should the service ever repeat it. */
export interface RawReply {
  readonly status: number
  /** As sent; empty when missing. */
  readonly contentType: string
  /** JSON, or the event stream's text; for files a short JSON note of what was stored. */
  readonly body: string
}

/** What a reply means, with what the replies of every family may tell beside it. */
export interface Answered<T> {
  readonly value: T
  /** The reply's own id where it tells one, else the id that was sent. */
  readonly requestId: string
  /** Who answered, where the reply names its engine (this computer does). */
  readonly engine: string | null
  /** What the engine could not do, in the service's words; this computer says so in every such answer. */
  readonly notice: string | null
  readonly usage: Usage
  readonly raw: RawReply
}
