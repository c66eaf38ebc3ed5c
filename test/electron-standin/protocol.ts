import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as WebStream } from 'node:stream/web'
import { fromPage, textToPage } from './addresses.ts'
import { reportEvent } from './control.ts'

type Handler = (request: Request) => Response | Promise<Response>

/**
 * Headers that belong to the connection to the proxy, or that Electron's loader does not forward
 * (`shell/browser/net/electron_url_loader_factory.cc`).
 */
const dropped =
  /^(host|connection|proxy-.*|content-length|transfer-encoding|accept-encoding|sec-.*|upgrade-insecure-requests|cookie|cache-control|pragma)$/

/**
 * Custom schemes of one session. Its connection to Chromium is a local proxy, which receives all of the session's
 * requests.
 */
export class ProtocolHost {
  private readonly handlers = new Map<string, Handler>()
  private readonly server: Server
  /** Checks every request of the session; true cancels it (`session.webRequest.onBeforeRequest`). */
  cancels: (details: { url: string; method: string }) => Promise<boolean> = () =>
    Promise.resolve(false)

  constructor() {
    this.server = createServer((request, response) => void this.answer(request, response))
    // This proxy serves only the app's own scheme: requests to other hosts are reported and refused.
    this.server.on('connect', (request, socket) => {
      socket.on('error', () => {})
      void this.refuse(`https://${request.url ?? ''}/`).then(() => socket.destroy())
    })
    this.server.on('upgrade', (request, socket) => {
      socket.on('error', () => {})
      void this.refuse(request.url ?? '').then(() => socket.destroy())
    })
    this.server.requestTimeout = 0
    this.server.headersTimeout = 0
    this.server.keepAliveTimeout = 60_000
  }

  /** Listens on loopback; returns the port. */
  async listen(): Promise<number> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve))
    this.server.unref()
    return (this.server.address() as AddressInfo).port
  }

  close(): void {
    this.server.close()
    this.server.closeAllConnections()
  }

  handle(scheme: string, handler: Handler): void {
    if (this.handlers.has(scheme)) throw new Error(`Failed to register protocol: ${scheme}`)
    this.handlers.set(scheme, handler)
  }

  unhandle(scheme: string): void {
    if (!this.handlers.delete(scheme)) throw new Error(`Failed to unhandle protocol: ${scheme}`)
  }

  isProtocolHandled(scheme: string): boolean {
    return this.handlers.has(scheme)
  }

  private async refuse(url: string): Promise<void> {
    await this.cancels({ url, method: 'GET' })
    reportEvent('network', { url })
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('error', () => {})
    const url = fromPage(request.url ?? '')
    const scheme = /^([a-z][\w+.-]*):/.exec(url)?.[1] ?? ''
    const handler = this.handlers.get(scheme)
    try {
      if (await this.cancels({ url, method: request.method ?? 'GET' }))
        return void response.destroy()
      if (!handler) {
        reportEvent('network', { url })
        return void response.destroy()
      }
      const answer = await handler(await rebuild(request, url))
      if (answer.type === 'error') return void response.destroy()
      await give(answer, response)
    } catch (error) {
      // `lib/browser/api/protocol.ts` logs errors thrown by a handler and fails the request.
      if (!response.destroyed && !response.headersSent) console.error(error)
      response.destroy()
    }
  }
}

/**
 * Rebuilds the request like `lib/browser/api/protocol.ts`: a File or Blob body is one buffer that was read completely
 * before the handler is called (`shell/common/gin_converters/net_converter.cc`), there is no signal when the page
 * cancels it, and there is no length.
 */
async function rebuild(request: IncomingMessage, url: string): Promise<Request> {
  const headers = new Headers()
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    const name = (request.rawHeaders[index] ?? '').toLowerCase()
    const value = request.rawHeaders[index + 1] ?? ''
    if (dropped.test(name)) continue
    headers.append(name, /^(origin|referer)$/.test(name) ? fromPage(value) : value)
  }
  if (headers.get('origin') === 'null') headers.delete('origin')
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const hasBody = chunks.length > 0 && !/^(GET|HEAD)$/.test(request.method ?? '')
  return new Request(url, {
    method: request.method ?? 'GET',
    headers,
    body: hasBody ? Buffer.concat(chunks) : null,
  })
}

/**
 * Passes the response to Chromium with translated URLs; a page that is closed ends the stream of the response.
 */
async function give(answer: Response, response: ServerResponse): Promise<void> {
  const headers = Object.fromEntries(
    [...answer.headers].map(([name, value]) => [name, textToPage(value)]),
  )
  // The text of a document is translated like its policy, so that its length is correct.
  const document = headers['content-type']?.startsWith('text/html') === true && answer.body !== null
  if (document) {
    const text = Buffer.from(textToPage(await answer.text()))
    response.writeHead(answer.status, { ...headers, 'content-length': String(text.byteLength) })
    return void response.end(text)
  }
  response.writeHead(answer.status, answer.statusText, headers)
  if (!answer.body) return void response.end()
  await pipeline(Readable.fromWeb(answer.body as WebStream<Uint8Array>), response).catch(() => {})
}
