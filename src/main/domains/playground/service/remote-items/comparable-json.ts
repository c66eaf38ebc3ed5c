import { unsigned } from '../../../../platform/security/unsigned.ts'
import { isRecord } from '../../../../provider-client/json.ts'

/** Fields that differ with each request and do not describe the item. */
const passing =
  /^(request_id|trace_id|log_id|timestamp|time|date|now|server_time|expires?|expires_(at|in)|expired_at|updated|updated_at|accessed_at|retrieved_at|fetched_at|polled_at)$/i

/**
 * Canonical text of a response, equal for equivalent responses: without volatile fields and signatures, fields in a fixed order.
 */
export const essenceOf = (json: unknown): string => JSON.stringify(essence(json, 0))

/** Maximum depth; deeper values are compared unchanged. */
const deepest = 60

function essence(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return unsigned(value)
  if (depth > deepest) return value
  if (Array.isArray(value)) return value.map((one) => essence(one, depth + 1))
  if (!isRecord(value)) return value
  return Object.keys(value)
    .filter((name) => !passing.test(name))
    .toSorted()
    .map((name) => [name, essence(value[name], depth + 1)])
}
