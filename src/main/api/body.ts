import { AppError } from '../errors.ts'
import type { HttpReply } from './http.ts'
import { parseJson } from './json.ts'
import { htmlTitle } from './errors.ts'

/** Largest reply of a JSON call, in bytes. */
export const jsonReplyLimit = 16 * 1024 * 1024

/** Largest failure body that is read; the rest is not worth waiting for. */
export const failureReplyLimit = 256 * 1024

/** Reads a whole body as UTF-8 text (BOM removed). A body beyond `limit` bytes ends the connection and throws MALFORMED_REPLY. */
export async function readText(body: AsyncIterable<Uint8Array>, limit: number): Promise<string> {
  const { text, whole } = await readUpTo(body, limit)
  if (whole) return text
  throw new AppError('MALFORMED_REPLY', 'The reply is larger than any reply of this call.', {
    params: { reason: 'too-large', limit },
  })
}

/** Reads at most `limit` bytes as text and says whether that was all. */
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

/** White space in front of a reply beyond which nobody looks for its first character, in bytes. */
const maxBlankBytes = 4096

/** The first character of a body that is no white space ('' when there is none), and the whole body, still unread. */
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

/** Only the first character matters, and it is ASCII in every form the service sends; a split byte order mark is waited for. */
function firstMark(chunks: readonly Uint8Array[]): string {
  const text = new TextDecoder().decode(Buffer.concat(chunks), { stream: true })
  return text.trimStart().charAt(0)
}

/** The JSON value of a reply's text, whatever its content type; MALFORMED_REPLY says what came instead. */
export function requireJson(
  text: string,
  reply: Pick<HttpReply, 'status' | 'logId'>,
  redact: (text: string) => string,
): unknown {
  const value = parseJson(text)
  if (value !== undefined) return value
  throw notJson(text, reply, redact)
}

/** The MALFORMED_REPLY for a reply's text that is no JSON. */
export function notJson(
  text: string,
  reply: Pick<HttpReply, 'status' | 'logId'>,
  redact: (text: string) => string,
): AppError {
  const html = /^\s*</.test(text)
  const title = html ? htmlTitle(text) : null
  return new AppError('MALFORMED_REPLY', 'The reply was not what the service sends.', {
    params: { reason: text.trim() === '' ? 'empty' : html ? 'html' : 'not-json' },
    service: {
      status: reply.status,
      ...(title && { message: redact(title) }),
      ...(reply.logId && { logId: reply.logId }),
    },
  })
}
