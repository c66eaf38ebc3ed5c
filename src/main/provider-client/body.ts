import { AppError } from '../errors.ts'
import type { HttpReply } from './http.ts'
import { parseJson } from './json.ts'
import { htmlTitle } from './errors.ts'

/** Maximum size in bytes of the response to a JSON request. */
export const jsonReplyLimit = 16 * 1024 * 1024

/** Maximum number of bytes read of an error body; the rest is not worth waiting for. */
export const failureReplyLimit = 256 * 1024

/**
 * Reads a whole body as UTF-8 text (BOM removed). A body larger than `limit` bytes ends the connection and throws
 * MALFORMED_REPLY.
 */
export async function readText(body: AsyncIterable<Uint8Array>, limit: number): Promise<string> {
  const { text, whole } = await readUpTo(body, limit)
  if (whole) return text
  throw new AppError('MALFORMED_REPLY', 'The response exceeds the size limit.', {
    params: { reason: 'too-large', limit },
  })
}

/** Reads at most `limit` bytes as text and returns whether that was all. */
export async function readUpTo(
  body: AsyncIterable<Uint8Array>,
  limit: number,
): Promise<{ readonly text: string; readonly whole: boolean }> {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.byteLength
    if (bytes > limit) return { text: text + decoder.decode(), whole: false }
    text += decoder.decode(chunk, { stream: true })
  }
  return { text: text + decoder.decode(), whole: true }
}

/** Maximum leading white space in bytes when searching for the first character of a response. */
const maxBlankBytes = 4096

/**
 * Returns the first non-white-space character of a body ('' when there is none) and the whole body, still unread.
 */
export async function peek(
  body: AsyncIterable<Uint8Array>,
): Promise<{ readonly first: string; readonly body: AsyncIterable<Uint8Array> }> {
  const source = body[Symbol.asyncIterator]()
  const seen: Uint8Array[] = []
  let first = ''
  let bytes = 0
  while (first === '' && bytes < maxBlankBytes) {
    const next = await source.next()
    if (next.done) break
    seen.push(next.value)
    bytes += next.value.byteLength
    first = firstMark(seen)
  }
  return { first, body: replay(seen, source) }
}

async function* replay(
  seen: readonly Uint8Array[],
  source: AsyncIterator<Uint8Array>,
): AsyncIterable<Uint8Array> {
  yield* seen
  yield* { [Symbol.asyncIterator]: () => source }
}

/**
 * Only the first character matters, and it is ASCII in every format the provider sends. Waits for the rest of a split byte
 * order mark.
 */
function firstMark(chunks: readonly Uint8Array[]): string {
  const text = new TextDecoder().decode(Buffer.concat(chunks), { stream: true })
  return text.trimStart().charAt(0)
}

/**
 * Returns the JSON value of a response, whatever its content type. MALFORMED_REPLY describes what was received instead.
 */
export function requireJson(
  text: string,
  reply: Pick<HttpReply, 'status' | 'logId'>,
  redact: (text: string) => string,
): unknown {
  const value = parseJson(text)
  if (value !== undefined) return value
  throw notJson(text, reply, redact)
}

/** Returns the MALFORMED_REPLY for a response that is not JSON. */
export function notJson(
  text: string,
  reply: Pick<HttpReply, 'status' | 'logId'>,
  redact: (text: string) => string,
): AppError {
  const html = /^\s*</.test(text)
  const title = html ? htmlTitle(text) : null
  return new AppError('MALFORMED_REPLY', 'The response is not in the expected format.', {
    params: { reason: text.trim() === '' ? 'empty' : html ? 'html' : 'not-json' },
    service: {
      status: reply.status,
      ...(title && { message: redact(title) }),
      ...(reply.logId && { logId: reply.logId }),
    },
  })
}
