import type { ErrorBody } from './errors.ts'

/** Finish reasons that report a failure without an error code in a stream (service-notes 9 and 1). */
const failed: ReadonlyMap<string, string> = new Map([
  ['sensitive', 'content_filter'],
  ['network_error', 'server_error'],
  ['model_context_window_exceeded', 'context_length_exceeded'],
])

/** Returns the failure for a finish reason; null for the normal ones. */
export function failureOfFinish(reason: unknown): ErrorBody | null {
  const code = typeof reason === 'string' ? failed.get(reason) : undefined
  return code === undefined ? null : { code, message: `finish_reason: ${String(reason)}` }
}
