import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { tabKey } from '../../../shared/contract/transport.ts'

/** Headers that identify the sender; they are not forwarded because nothing behind this point needs them. */
const withheld = new Set<string>(['cookie', tabKey.header])

/** Converts a request of node:http to a web-standard one; aborted when the client disconnects. */
export function toWebRequest(request: IncomingMessage, origin: string, gone: AbortSignal): Request {
  const headers = new Headers()
  for (let at = 0; at + 1 < request.rawHeaders.length; at += 2) {
    const name = request.rawHeaders[at] ?? ''
    if (!withheld.has(name.toLowerCase())) headers.append(name, request.rawHeaders[at + 1] ?? '')
  }
  const method = request.method ?? 'GET'
  const body = method === 'GET' || method === 'HEAD' ? null : Readable.toWeb(request)
  return new Request(origin + (request.url ?? '/'), {
    method,
    headers,
    signal: gone,
    ...(body && { body: body as ReadableStream, duplex: 'half' as const }),
  })
}

/** Writes a web-standard response, no faster than the client reads; a client that disconnects cancels the body. */
export async function sendWebResponse(
  response: Response,
  target: ServerResponse,
  withBody: boolean,
): Promise<void> {
  target.statusCode = response.status
  for (const [name, value] of response.headers) target.setHeader(name, value)
  if (!response.body || !withBody) {
    await response.body?.cancel()
    target.end()
    return
  }
  await pipeline(Readable.fromWeb(response.body), target).catch(() => {
    // The client left, or the source failed after the headers: the cut connection indicates that.
    target.destroy()
  })
}
