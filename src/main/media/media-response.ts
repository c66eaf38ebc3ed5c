import type { ErrorCode } from '../../shared/bridge/reply.ts'
import { contentDisposition } from './display-name.ts'
import { parseRange } from './range.ts'
import { isShownInline } from './sniff.ts'

/** Bytes read at a time; the next piece is read when the one before was taken. */
const chunkBytes = 256 * 1024

/** Headers of every answer: the type is what we say, and nothing of a library is kept in a browser's cache. */
const fixed = { 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' }

/** Bytes that can be read anywhere, like a file's. */
export interface ByteReader {
  read(
    into: Uint8Array,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ readonly bytesRead: number }>
  close(): Promise<void>
}

/** Something of a known length that is given out whole or in ranges. */
export interface Content {
  /** Names this content and no other, without quotes. */
  readonly tag: string
  readonly mime: string
  readonly name: string
  readonly size: number
  /** Called when the first piece is asked for. */
  open(): Promise<ByteReader>
}

/** The refusal of every method but GET and HEAD; null for those two. */
export const refuseMethod = ({ method }: Request): Response | null =>
  method === 'GET' || method === 'HEAD' ? null : refuse(405, 'BAD_REQUEST', { allow: 'GET, HEAD' })

/** Answers GET and HEAD: 200, 206 with one range, 416. */
export function answerWith(request: Request, content: Content): Response {
  const { status, start, end, headers } = plan(request, content)
  if (request.method === 'HEAD' || end < start) return new Response(null, { status, headers })
  return new Response(chunksOf(content, start, end, request.signal), { status, headers })
}

/** An answer without a file; the page reads the code, people the status. */
export function refuse(
  status: number,
  code: ErrorCode,
  headers: Record<string, string> = {},
): Response {
  return Response.json(
    { ok: false, error: { code } },
    { status, headers: { ...fixed, ...headers } },
  )
}

function plan(request: Request, { tag, mime, name, size }: Content) {
  const etag = `"${tag}"`
  const headers: Record<string, string> = {
    ...fixed,
    'content-type': mime,
    'content-disposition': contentDisposition(isShownInline(mime) ? 'inline' : 'attachment', name),
    // A kept file that is opened as a page of its own may run nothing.
    'content-security-policy': `default-src 'none'; sandbox`,
    'accept-ranges': 'bytes',
    etag,
  }
  // A condition that names another content (or a date, which we never give out) means: all of it.
  const condition = request.headers.get('if-range')
  const range = parseRange(
    condition === null || condition.trim() === etag ? request.headers.get('range') : null,
    size,
  )
  switch (range.kind) {
    case 'whole':
      headers['content-length'] = String(size)
      return { status: 200, start: 0, end: size - 1, headers }
    case 'part':
      headers['content-length'] = String(range.end - range.start + 1)
      headers['content-range'] = `bytes ${range.start}-${range.end}/${size}`
      return { status: 206, start: range.start, end: range.end, headers }
    case 'unsatisfiable':
      headers['content-length'] = '0'
      headers['content-range'] = `bytes */${size}`
      return { status: 416, start: 0, end: -1, headers }
  }
}

/**
 * The bytes from `start` to `end` inclusive. The content is opened when the first piece is asked for, so that an answer nobody reads
 * holds nothing, and closed at the end, at an error, and when the reader goes away.
 */
function chunksOf(
  content: Content,
  start: number,
  end: number,
  signal: AbortSignal,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let at = start
  let file: ByteReader | null = null
  let gone = false
  const close = async (): Promise<void> => {
    const held = file
    gone = true
    file = null
    signal.removeEventListener('abort', abort)
    await held?.close()
  }
  const abort = (): void => void close().catch(() => undefined)
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          if (at === start) {
            file = await content.open()
            signal.addEventListener('abort', abort, { once: true })
          }
          // Also when it went while the content was being opened.
          if (gone || signal.aborted || !file) throw new Error('The reader went away')
          const chunk = new Uint8Array(Math.min(chunkBytes, end - at + 1))
          const { bytesRead } = await file.read(chunk, 0, chunk.length, at)
          // Shorter than it was a moment ago: the answer breaks off rather than lie about its length.
          if (bytesRead === 0) throw new Error('The content ended early')
          at += bytesRead
          controller.enqueue(chunk.subarray(0, bytesRead))
          if (at <= end) return
          await close()
          controller.close()
        } catch (error) {
          await close().catch(() => undefined)
          controller.error(error)
        }
      },
      cancel: close,
    },
    { highWaterMark: 0 },
  )
}
