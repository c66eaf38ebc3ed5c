/** A reply of the service as it was received. */
export interface RawBody {
  readonly status: number
  readonly contentType: string
  readonly body: string
}
