import type { IncomingMessage } from 'node:http'
import { ServiceError } from '../errors.ts'
import { parseJsonObject, requireJsonType, type JsonObject } from '../json-body.ts'
import { createDataUriReader, type DataUriReader, type FileValue } from './data-uri.ts'
import { createGrowingBytes } from './growable-buffer.ts'

/** JSON body with one large field that was decoded while it was received. */
export interface FileJsonBody {
  /** All fields; the text of the large field is empty here. */
  readonly body: JsonObject
  /** Undefined if the field is absent or not a string. */
  readonly file: FileValue | undefined
}

/** Maximum number of bytes of everything except the file. */
const maxOtherBytes = 1024 * 1024

const quote = 0x22
const backslash = 0x5c

const escapes: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}

/** Incremental reader of one JSON string, whose value may be split anywhere. */
interface TextCursor {
  /** Reads from `at`; returns the position where it stopped and whether the string ended there. */
  feed(chunk: Buffer, at: number): { readonly at: number; readonly ended: boolean }
}

function createTextCursor(target: DataUriReader): TextCursor {
  /** The escape sequence received so far, including its backslash. */
  let escape = ''
  const unescape = (byte: number): void => {
    escape += String.fromCharCode(byte)
    const sign = escape[1] ?? ''
    if (sign !== 'u') target.push(escapes[sign] ?? '\0')
    else if (escape.length < 6) return
    // A non-ASCII character is not valid in a data URI and makes it invalid.
    else target.push(/^\\u00[0-7][0-9a-f]$/i.test(escape) ? hex(escape) : '\0')
    escape = ''
  }
  const hex = (text: string): string => String.fromCharCode(Number.parseInt(text.slice(2), 16))
  return {
    feed(chunk, start) {
      for (let at = start; at < chunk.length;) {
        if (escape !== '') {
          unescape(chunk[at++] ?? 0)
          continue
        }
        const end = chunk.indexOf(quote, at)
        const stop = end < 0 ? chunk.length : end
        const slash = chunk.subarray(at, stop).indexOf(backslash)
        const plain = slash < 0 ? stop : at + slash
        if (plain > at) target.push(chunk.toString('latin1', at, plain))
        if (slash >= 0) {
          escape = '\\'
          at = plain + 1
        } else if (end >= 0) return { at: end, ended: true }
        else at = stop
      }
      return { at: chunk.length, ended: false }
    },
  }
}

/** Finds, byte by byte, where the string value of one top-level field of a JSON object begins. */
function createScanner(field: string, keyAt: (start: number) => string | undefined) {
  let depth = 0
  let isObject = false
  let inText = false
  let escaped = false
  let awaitsKey = false
  let keyStart = -1
  let key: string | undefined

  /**
   * Processes the byte at `place` of the buffered text; returns true when the string value of the field begins with it.
   */
  return (byte: number, place: number): boolean => {
    if (inText) {
      if (escaped) escaped = false
      else if (byte === backslash) escaped = true
      else if (byte === quote) {
        inText = false
        if (keyStart >= 0) key = keyAt(keyStart)
        keyStart = -1
      }
      return false
    }
    const sign = String.fromCharCode(byte)
    if (sign === '"') {
      const isKey = depth === 1 && isObject && awaitsKey
      if (!isKey && depth === 1 && isObject && key === field) return true
      inText = true
      if (isKey) keyStart = place
    } else if (sign === '{' || sign === '[') {
      if (depth === 0) isObject = awaitsKey = sign === '{'
      depth++
    } else if (sign === '}' || sign === ']') depth--
    else if (depth === 1 && sign === ',') {
      awaitsKey = true
      key = undefined
    } else if (depth === 1 && sign === ':') awaitsKey = false
    return false
  }
}

const badBody = (message: string): ServiceError => new ServiceError('badRequest', message)

/**
 * Reads an `application/json` body whose field `field` contains a data URI of up to `mostBytes` bytes. The data URI is
 * decoded while it is received and never stored as text. Everything else is parsed as JSON. Throws 1210.
 */
export async function readFileJson(
  incoming: IncomingMessage,
  field: string,
  maxBytes: number,
): Promise<FileJsonBody> {
  const buffer = createGrowingBytes(maxOtherBytes)
  let isTooLarge = false
  let reader: DataUriReader | undefined
  let cursor: TextCursor | undefined

  const keep = (byte: number): void => void (isTooLarge ||= !buffer.push(byte))
  const keyAt = (start: number): string | undefined => {
    try {
      return JSON.parse(buffer.view().toString('utf8', start)) as string
    } catch {
      return undefined
    }
  }
  const scan = createScanner(field, keyAt)

  const take = (chunk: Buffer): void => {
    for (let at = 0; at < chunk.length && !isTooLarge;) {
      if (cursor) {
        const { at: stop, ended } = cursor.feed(chunk, at)
        at = stop + 1
        if (!ended) continue
        cursor = undefined
        keep(quote)
        continue
      }
      const byte = chunk[at++] ?? 0
      keep(byte)
      if (!scan(byte, buffer.length - 1)) continue
      // For a duplicate field, the last value counts, as with JSON.parse.
      reader = createDataUriReader(maxBytes)
      cursor = createTextCursor(reader)
    }
  }

  // Reads and discards the excess, so that the client gets a response instead of a broken connection.
  for await (const chunk of incoming) take(chunk as Buffer)
  requireJsonType(incoming)
  if (isTooLarge) throw badBody(`All fields but ${field} must have at most ${maxOtherBytes} bytes`)
  if (cursor) throw badBody('The body is not valid JSON')
  const body = parseJsonObject(buffer.take())
  const isText = typeof body.values[field] === 'string'
  return { body, file: isText ? reader?.end() : undefined }
}
