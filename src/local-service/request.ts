import type { IncomingMessage } from 'node:http'

/** Request as handlers receive it. */
export interface ServiceRequest {
  readonly method: string
  /** Without the query. */
  readonly path: string
  readonly query: URLSearchParams
  /** Values of the `:name` parts of the route. */
  readonly params: Readonly<Record<string, string>>
  readonly incoming: IncomingMessage
  /** Aborted if the client disconnects before its response is complete, or if the service stops. */
  readonly signal: AbortSignal
}
