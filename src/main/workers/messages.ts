/** Asks a worker's program to come to its own end. */
export const endMessage = 'end'

/**
 * Milliseconds a program gets for that before its thread is stopped. A thread that is stopped inside native code, above all while
 * it loads SQLite, takes the whole process with it.
 */
export const endMs = 5000

/** A request on its way to a worker. */
export interface WorkerRequest {
  readonly id: number
  readonly request: unknown
}

/** A worker's answer; `code` is SQLite's or the system's code where the error had one. */
export type WorkerAnswer =
  | { readonly id: number; readonly ok: true; readonly value: unknown }
  | { readonly id: number; readonly ok: false; readonly code: string; readonly message: string }

/** The answer for what a program threw. */
export function failed(id: number, error: unknown): WorkerAnswer {
  const code =
    error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
  return { id, ok: false, code, message: error instanceof Error ? error.message : String(error) }
}
