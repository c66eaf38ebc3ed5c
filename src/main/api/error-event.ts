import { readErrorBody } from './errors.ts'
import type { ErrorBody } from './errors.ts'
import { isRecord } from './json.ts'
import { recordFrom } from './lenient.ts'
import type { JsonRecord } from './lenient.ts'

/**
 * Returns the failure of an error event: one named `error`, or the agent's `{type: "error", data}` (service-notes 1 and 6),
 * whose data is an object, its JSON text, or plain text. Null for every other event.
 */
export function errorOfEvent(event: JsonRecord, name?: string): ErrorBody | null {
  if (name !== 'error' && event['type'] !== 'error') return null
  const { type, data, ...outside } = event
  const inside = recordFrom(data)
  const reported = inside && readErrorBody(inside)
  const around = readErrorBody(isRecord(outside['error']) || type === 'error' ? outside : event)
  const words = inside === null && typeof data === 'string' && data !== '' ? data : null
  return {
    code: reported?.code ?? around?.code ?? null,
    message: reported?.message ?? words ?? around?.message ?? null,
  }
}
