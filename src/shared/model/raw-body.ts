export interface RawBody {
  readonly status: number
  readonly contentType: string
  readonly body: string
}
