import type { IncomingMessage } from 'node:http'
import { ServiceError } from './errors.ts'

/** Bytes that a body of texts may have: more than all that their documented limits let through. */
export const maxJsonBytes = 16 * 1024 * 1024

/**
 * Bytes that a body with pictures may have. No limit of the interface says how many pictures of up to 10 MB a message holds; this
 * is the bound of this computer, four of the largest as base64 and room for words.
 */
export const maxImageJsonBytes = 64 * 1024 * 1024

/** A JSON object of a request: its own values, and where it stands in the body (`messages[0]`), empty for the body itself. */
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
    // What is too much is read and thrown away, so that the caller gets an answer instead of a broken connection.
    if (bytes <= maxBytes) chunks.push(buffer)
  }
  if (bytes > maxBytes)
    throw new ServiceError('bodyTooLarge', `The body must be at most ${maxBytes} bytes`)
  return Buffer.concat(chunks)
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new ServiceError('badRequest', 'The body is not valid JSON')
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Reads a whole `application/json` body that is one object. Throws 413 for one that is too large, else 1210. */
export async function readJsonBody(
  incoming: IncomingMessage,
  maxBytes = maxJsonBytes,
): Promise<JsonObject> {
  const type = incoming.headers['content-type'] ?? ''
  const bytes = await collect(incoming, maxBytes)
  if (!/^application\/json\b/i.test(type))
    throw new ServiceError('badRequest', 'The body must be application/json')
  const values = parse(bytes)
  if (!isObject(values)) throw new ServiceError('badRequest', 'The body must be a JSON object')
  return { path: '', values }
}

/** The value of a field as it came; undefined when it is absent or null. */
export function jsonValue(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object.values, name) ? (object.values[name] ?? undefined) : undefined
}

/** A field's name as messages give it: `messages[0].role`. */
export const fieldName = (object: JsonObject, name: string): string =>
  object.path === '' ? name : `${object.path}.${name}`

/** 1213 for a field that must be there. */
export const fieldMissing = (name: string): ServiceError =>
  new ServiceError('fieldMissing', `${name} is required`)

/** 1214 for a field that breaks a rule: `query must have at most 4096 characters`. */
export const fieldIllegal = (name: string, rule: string): ServiceError =>
  new ServiceError('fieldIllegal', `${name} must ${rule}`)
