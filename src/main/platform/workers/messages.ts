/** Message that asks a worker's program to end. */
export const endMessage = 'end'

/**
 * Milliseconds a program gets for that before its thread is stopped. A thread that is stopped inside native code, above all while
 * it loads SQLite, crashes the whole process.
 */
export const endMs = 5000

/** Request sent to a worker. */
export interface WorkerRequest {
  readonly id: number
  readonly request: unknown
}

/** Response of a worker; `code` is SQLite's or the system's code if the error had one. */
export type WorkerAnswer =
  | { readonly id: number; readonly ok: true; readonly value: unknown }
  | { readonly id: number; readonly ok: false; readonly code: string; readonly message: string }

/** Builds the response for an error thrown by a program. */
export function failed(id: number, error: unknown): WorkerAnswer {
  const code =
    error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
  return { id, ok: false, code, message: error instanceof Error ? error.message : String(error) }
}
