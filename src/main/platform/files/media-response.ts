import { open, stat } from 'node:fs/promises'
import type { ErrorCode } from '../../../shared/contract/reply.ts'
import { contentDisposition } from './display-name.ts'
import { parseRange } from './range.ts'
import { isShownInline } from './sniff.ts'
import type { Media } from '../../../shared/model/library.ts'

/** Bytes read at a time; the next chunk is read once the previous one was consumed. */
const chunkBytes = 256 * 1024

/** Headers of every response: our own type applies, and nothing of a library is stored in a browser's cache. */
const fixed = { 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' }

/** Random access to bytes, like a file's. */
export interface ByteReader {
  read(
    into: Uint8Array,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ readonly bytesRead: number }>
  close(): Promise<void>
}

/** Content of a known length that is served as a whole or in ranges. */
export interface Content {
  /** Unique identifier of this content, without quotes. */
  readonly tag: string
  readonly mime: string
  readonly name: string
  readonly size: number
  /** Called when the first chunk is requested. */
  open(): Promise<ByteReader>
}

/** Returns the refusal of every method but GET and HEAD; null for those two. */
export const refuseMethod = ({ method }: Request): Response | null =>
  method === 'GET' || method === 'HEAD' ? null : refuse(405, 'BAD_REQUEST', { allow: 'GET, HEAD' })

/** Responds to GET and HEAD: 200, 206 with one range, 416. */
export function answerWith(request: Request, content: Content): Response {
  const { status, start, end, headers } = plan(request, content)
  if (request.method === 'HEAD' || end < start) return new Response(null, { status, headers })
  return new Response(chunksOf(content, start, end, request.signal), { status, headers })
}

/**
 * Responds to GET and HEAD for a stored file: 200, 206 with one range, 416; 404 FILE_MISSING if it is no longer on disk.
 */
export async function respondWithFile(
  request: Request,
  media: Media,
  path: string,
): Promise<Response> {
  const refused = refuseMethod(request)
  if (refused) return refused
  const found = await stat(path).catch(() => null)
  if (!found?.isFile()) return refuse(404, 'FILE_MISSING')
  const { id: tag, mime, name } = media
  return answerWith(request, { tag, mime, name, size: found.size, open: () => open(path, 'r') })
}

/** Returns a response without a file; the page reads the code, people the status. */
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
    // A stored file that is opened as a page of its own may run nothing.
    'content-security-policy': `default-src 'none'; sandbox`,
    'accept-ranges': 'bytes',
    etag,
  }
  // A condition with another content's tag (or with a date, which we never send) means: all of it.
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
 * Streams the bytes from `start` to `end` inclusive. The content is opened when the first chunk is requested, so that an
 * unread response has nothing open, and closed at the end, on an error, and when the client disconnects.
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
          // Also if it disconnected while the content was being opened.
          if (gone || signal.aborted || !file) throw new Error('The client disconnected')
          const chunk = new Uint8Array(Math.min(chunkBytes, end - at + 1))
          const { bytesRead } = await file.read(chunk, 0, chunk.length, at)
          // Shorter than a moment ago: the response breaks off rather than have a wrong length.
          if (bytesRead === 0) throw new Error('The content is truncated')
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
