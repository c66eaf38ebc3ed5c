import type { IncomingMessage } from 'node:http'

/** One call as the handlers see it. */
export interface ServiceRequest {
  readonly method: string
  /** Without query. */
  readonly path: string
  readonly query: URLSearchParams
  /** Values of the `:name` parts of the route. */
  readonly params: Readonly<Record<string, string>>
  readonly incoming: IncomingMessage
  /** Aborted when the caller went away before its answer was complete, or the service stops. */
  readonly signal: AbortSignal
}
