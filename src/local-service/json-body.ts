import type { IncomingMessage } from 'node:http'
import { ServiceError } from './errors.ts'

/** Maximum number of bytes of a text body: more than all documented limits allow. */
const maxJsonBytes = 16 * 1024 * 1024

/**
 * Maximum number of bytes of a body with images. The API does not limit the number of images (up to 10 MB each) in a
 * message; this local limit fits four of the largest as base64, with room for text.
 */
export const maxImageJsonBytes = 64 * 1024 * 1024

/**
 * JSON object of a request: its values, and its path in the body (`messages[0]`), which is empty for the body itself.
 */
export interface JsonObject {
  readonly path: string
  readonly values: Readonly<Record<string, unknown>>
}

async function collect(incoming: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of incoming) {
    const buffer = chunk as Buffer
    bytes += buffer.length
    // Reads and discards the excess, so that the client gets a response instead of a broken connection.
    if (bytes <= maxBytes) chunks.push(buffer)
  }
  if (bytes > maxBytes)
    throw new ServiceError('bodyTooLarge', `The body must be at most ${maxBytes} bytes`)
  return Buffer.concat(chunks)
}

/** Returns the object in a JSON text. Throws 1210. */
export function parseJsonObject(bytes: Uint8Array): JsonObject {
  let values: unknown
  try {
    values = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new ServiceError('badRequest', 'The body is not valid JSON')
  }
  if (!isObject(values)) throw new ServiceError('badRequest', 'The body must be a JSON object')
  return { path: '', values }
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Throws 1210 for a body of another type. */
export function requireJsonType({ headers }: IncomingMessage): void {
  if (!/^application\/json\b/i.test(headers['content-type'] ?? ''))
    throw new ServiceError('badRequest', 'The body must be application/json')
}

/**
 * Reads a complete `application/json` body that is one object. Throws 413 if it is too large, otherwise 1210.
 */
export async function readJsonBody(
  incoming: IncomingMessage,
  maxBytes = maxJsonBytes,
): Promise<JsonObject> {
  const bytes = await collect(incoming, maxBytes)
  requireJsonType(incoming)
  return parseJsonObject(bytes)
}

/** Returns the unchanged value of a field; undefined if it is absent or null. */
export function jsonValue(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object.values, name) ? (object.values[name] ?? undefined) : undefined
}

/** Returns the full name of a field for messages: `messages[0].role`. */
export const fieldName = (object: JsonObject, name: string): string =>
  object.path === '' ? name : `${object.path}.${name}`

/** Creates error 1213 for a missing required field. */
export const fieldMissing = (name: string): ServiceError =>
  new ServiceError('fieldMissing', `${name} is required`)

/** Creates error 1214 for a field that violates a rule: `query must have at most 4096 characters`. */
export const fieldIllegal = (name: string, rule: string): ServiceError =>
  new ServiceError('fieldIllegal', `${name} must ${rule}`)
